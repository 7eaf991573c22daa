// What a page is shown. A frame is compared with the one before in blocks, and what changed is sent in rectangles:
// while the map moves as JPEG, which is made in a sixth of the time that PNG takes and has a fifth of its bytes;
// when it has come to rest, what the page has only roughly is sent once more as it was drawn.
import Neatline
import NeatlineRemote

/// The frames of one live map.
struct LiveFrames {
  /// What the page can show.
  private let exactFormat: Image.Format
  private let hasJPEG: Bool
  /// The last picture that was drawn, and the blocks that the page does not have exactly.
  private var last: Image?
  private var rough = BlockGrid(width: 1, height: 1)
  private var number: UInt32 = 0
  /// Frames that are not shown yet, from the oldest on, and when the oldest of them was sent.
  private var inFlight: ArraySlice<UInt32> = []
  private(set) var waitsSince = 0
  /// Bytes for each pixel that exact pictures had of late; nil: none was made.
  private var exactBytes: Double?

  /// Rectangles of one frame at most; past it one around all.
  private static let rectangles = 32
  /// Smaller rectangles are always exact: they are no larger than JPEGs of them.
  private static let smallArea = 128 * 128
  /// Where exact pictures have fewer bytes a pixel than this, nothing else is sent: JPEGs would have as many.
  private static let fewBytes = 0.15
  private static let quality = 75
  /// Pixels that are made exact by one frame, so that a hand that moves the map again need not wait long.
  private static let exactArea = 1 << 20

  init(formats: [Image.Format]) {
    exactFormat = formats.contains(.png) ? .png : .webp
    hasJPEG = formats.contains(.jpeg)
  }

  /// Whether the page can take another one.
  var hasRoom: Bool { inFlight.count < LiveLimits.framesInFlight }
  var isWaiting: Bool { !inFlight.isEmpty }
  /// Whether the page has something only roughly.
  var isRough: Bool { !rough.isEmpty }

  /// The page has shown a frame, and those before it. Throws for one that it did not get.
  mutating func shown(_ number: UInt32, now: Int) throws(LiveFault) {
    guard let index = inFlight.firstIndex(of: number) else {
      throw LiveFault(.malformed, "shown: frame \(number) is not one that waits to be")
    }
    inFlight = inFlight[(index + 1)...]
    waitsSince = now
  }

  /// What a new picture changes; nil: nothing.
  mutating func take(_ image: Image, isMoving: Bool, heeded: UInt32, now: Int) throws(NeatlineError)
    -> FrameMessage?
  {
    let (width, height) = (image.width, image.height)
    var changed = BlockGrid(width: width, height: height)
    if let last, last.width == width, last.height == height {
      last.withPixels { old in image.withPixels { changed.mark(changesFrom: old, to: $0) } }
    } else {
      changed.markAll()
      rough = BlockGrid(width: width, height: height)
    }
    last = image
    let mayBeRough = isMoving && hasJPEG && (exactBytes ?? 1) > LiveFrames.fewBytes
    var parts: [FrameMessage.Part] = []
    for rect in changed.rectangles(limit: LiveFrames.rectangles) {
      let part = try part(rect, of: image, isExact: !mayBeRough || rect.area <= LiveFrames.smallArea)
      rough.set(rect, !part.isExact)
      parts.append(part)
    }
    return message(parts, image, heeded, now)
  }

  /// Some of what the page has only roughly, as it was drawn.
  mutating func refine(heeded: UInt32, now: Int) throws(NeatlineError) -> FrameMessage? {
    guard let last else { return nil }
    var (parts, area): ([FrameMessage.Part], Int) = ([], 0)
    for whole in rough.rectangles(limit: LiveFrames.rectangles) where area < LiveFrames.exactArea {
      // Whole rows of blocks, at least one.
      let rows = max(1, (LiveFrames.exactArea - area) / (whole.width * BlockGrid.edge)) * BlockGrid.edge
      var rect = whole
      rect.height = min(rect.height, rows)
      parts.append(try part(rect, of: last, isExact: true))
      rough.set(rect, false)
      area += rect.area
    }
    return message(parts, last, heeded, now)
  }

  private mutating func message(_ parts: [FrameMessage.Part], _ image: Image, _ heeded: UInt32, _ now: Int)
    -> FrameMessage?
  {
    guard !parts.isEmpty else { return nil }
    number &+= 1
    if inFlight.isEmpty { waitsSince = now }
    inFlight.append(number)
    return FrameMessage(
      number: number, heeded: heeded, width: image.width, height: image.height, isExact: rough.isEmpty,
      parts: parts)
  }

  private mutating func part(_ rect: PixelRect, of image: Image, isExact: Bool) throws(NeatlineError)
    -> FrameMessage.Part
  {
    let (piece, isOpaque) = try LiveFrames.cut(rect, of: image)
    // JPEG has no alpha.
    guard isExact || !isOpaque else {
      let file = try piece.encode(.jpeg, quality: LiveFrames.quality)
      return FrameMessage.Part(rect, format: Image.Format.jpeg.code, isExact: false, file: file)
    }
    let file = try piece.encode(exactFormat, quality: exactFormat == .webp ? 100 : 0)
    if rect.area > LiveFrames.smallArea {
      let bytes = Double(file.count) / Double(rect.area)
      exactBytes = exactBytes.map { ($0 + bytes) / 2 } ?? bytes
    }
    return FrameMessage.Part(rect, format: exactFormat.code, isExact: true, file: file)
  }

  /// A piece of a picture, and whether it lets nothing through.
  private static func cut(_ rect: PixelRect, of image: Image) throws(NeatlineError) -> (Image, Bool) {
    let width = image.width
    var isOpaque = true
    let pixels = image.withPixels { pixels in
      [UInt8](unsafeUninitializedCapacity: 4 * rect.area) { buffer, count in
        guard let from = UnsafeRawPointer(pixels.baseAddress),
          let to = UnsafeMutableRawPointer(buffer.baseAddress)
        else { return }
        // The rectangle lies within the picture.
        precondition(4 * ((rect.y + rect.height - 1) * width + rect.x + rect.width) <= pixels.count)
        for row in 0..<rect.height {
          let start = from + 4 * ((rect.y + row) * width + rect.x)
          (to + 4 * row * rect.width).copyMemory(from: start, byteCount: 4 * rect.width)
          guard isOpaque else { continue }
          var all: UInt32 = 0xFFFF_FFFF
          for column in 0..<rect.width {
            all &= start.loadUnaligned(fromByteOffset: 4 * column, as: UInt32.self)
          }
          isOpaque = UInt32(littleEndian: all) >> 24 == 255
        }
        count = 4 * rect.area
      }
    }
    return (try Image(width: rect.width, height: rect.height, pixels: pixels), isOpaque)
  }
}

extension Image.Format {
  /// As `FrameMessage` has it.
  fileprivate var code: UInt8 { UInt8(rawValue) }
}
