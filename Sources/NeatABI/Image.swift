import CNeatline
import NeatBase
import NeatImage
import NeatLive
import NeatMap
import NeatRaster

/// A picture of the caller's: premultiplied RGBA.
final class ImageHandle: Sendable {
  let width: Int
  let height: Int
  /// Where its pixels are: this object's own, or the owner's. `stride`: pixels from a row to the next.
  nonisolated(unsafe) private let start: UnsafeMutablePointer<UInt32>
  private let stride: Int
  private let owner: Bitmap?
  /// Where it lies in the owner, of which it is a part.
  private let place: (x: Int, y: Int)
  /// The rows of a part without padding, once somebody asked for them.
  private let copy = Locked<Bitmap?>(nil)
  let report: Report
  /// Of who made it; nil: nobody's.
  private let threads: PictureThreads?
  /// What becomes of the whole picture, for who made it; nil: it is a part, or nobody's.
  private let fate: Locked<Fate?>

  private struct Fate: Sendable {
    /// Its PNG, as far as it was made while it was drawn; for one file.
    var draft: PNGDraft?
    var isSettled = false
  }

  init(_ image: PixelImage) throws(NeatError) {
    try ProcessMemory.require(image.pixels.count, for: "an image of \(image.width)x\(image.height) pixels")
    width = image.width
    height = image.height
    stride = width
    owner = nil
    place = (0, 0)
    report = Report()
    threads = nil
    fate = Locked(nil)
    start = .allocate(capacity: max(1, width * height))
    image.pixels.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        UnsafeMutableRawPointer(start).copyMemory(from: base, byteCount: bytes.count)
      }
    }
  }

  init(_ picture: Picture, _ threads: PictureThreads) {
    let bitmap = picture.bitmap
    self.threads = threads
    fate = Locked(Fate(draft: picture.draft))
    report = picture.report
    width = bitmap.width
    height = bitmap.height
    stride = width
    owner = bitmap
    place = (0, 0)
    start = bitmap.pixels
  }

  /// A square of a picture, which it keeps and does not copy. The square lies within.
  init(_ picture: Picture, x: Int, y: Int, edge: Int, _ threads: PictureThreads) {
    let bitmap = picture.bitmap
    self.threads = threads
    fate = Locked(nil)
    precondition(x >= 0 && y >= 0 && x + edge <= bitmap.width && y + edge <= bitmap.height)
    report = picture.report
    (width, height, stride) = (edge, edge, bitmap.width)
    owner = bitmap
    place = (x, y)
    start = bitmap.pixels + y * bitmap.width + x
  }

  deinit {
    settle(becameFile: false)
    if owner == nil { start.deallocate() }
  }

  /// Tells who made it what became of it, once, and gives what there is of its PNG.
  @discardableResult private func settle(becameFile: Bool) -> PNGDraft? {
    fate.withLock { fate in
      if fate?.isSettled == false { threads?.habit.settle(becameFile: becameFile) }
      fate?.isSettled = true
      return fate?.draft.take()
    }
  }

  /// The file of mode `fast`.
  func fastPNG(_ executor: Executor) -> GrowingBuffer<UInt8> {
    pngFile(rows, premultiplied: true, executor: executor, draft: settle(becameFile: true))
  }

  /// Works on it with the threads of who made it.
  func working<T>(_ body: (Executor) throws(NeatError) -> T) throws(NeatError) -> T {
    guard let threads else { return try body(.inline) }
    return try threads.working(body)
  }

  /// Holds what making a file of it takes, of the budget of who made it. Throws `outOfMemory`.
  func holdingFile() throws(NeatError) -> MemoryHold? {
    // The largest of the formats, as PNG has it, is asked for whatever the format.
    let bytes = pngEncodingBytes(width: width, height: height)
    let words = "a file of \(width)x\(height) pixels"
    if let threads { return try threads.memory.take(bytes, for: words) }
    try ProcessMemory.require(bytes, for: words)
    return nil
  }

  /// For who reads row by row.
  var rows: PixelRows { PixelRows(start, width: width, height: height, stride: stride) }

  /// The pixels without padding, for as long as the object lives; nil where there is no memory for the copy that
  /// a part takes.
  var pixels: UnsafePointer<UInt8>? {
    var pixels: UnsafeMutablePointer<UInt32>? = start
    if let owner, stride != width {
      pixels = copy.withLock { copy in
        if copy == nil { copy = try? owner.cut(x: place.x, y: place.y, edge: width) }
        return copy?.pixels
      }
    }
    return pixels.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
  }

  /// A copy. Throws `outOfMemory`.
  var pixelImage: PixelImage {
    get throws(NeatError) {
      try ProcessMemory.require(4 * width * height, for: "a copy of an image of \(width)x\(height) pixels")
      var bytes: [UInt8] = []
      bytes.reserveCapacity(4 * width * height)
      for y in 0..<height {
        bytes += UnsafeRawBufferPointer(start: start + y * stride, count: 4 * width)
      }
      return PixelImage(width: width, height: height, pixels: bytes, isPremultiplied: true)
    }
  }
}

@c @implementation
public func neat_image_width_px(_ image: OpaquePointer!) -> UInt32 {
  image.map { UInt32(Handle.object($0, as: ImageHandle.self).width) } ?? 0
}

@c @implementation
public func neat_image_height_px(_ image: OpaquePointer!) -> UInt32 {
  image.map { UInt32(Handle.object($0, as: ImageHandle.self).height) } ?? 0
}

@c @implementation
public func neat_image_pixels(_ image: OpaquePointer!) -> UnsafePointer<UInt8>! {
  image.flatMap { Handle.object($0, as: ImageHandle.self).pixels }
}

@c @implementation
public func neat_image_destroy(_ image: OpaquePointer!) { Handle.destroy(image, ImageHandle.self) }

@c @implementation
public func neat_image_report(_ image: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: ImageHandle = Handle.object(try required(image, "image"))
    return Buffer(handle.report.json)
  }
}

@c @implementation
public func neat_image_missing_count(_ image: OpaquePointer!) -> Int {
  image.map { Handle.object($0, as: ImageHandle.self).report.count } ?? 0
}

@c @implementation
public func neat_image_is_complete(_ image: OpaquePointer!) -> Int32 {
  image.map { Handle.object($0, as: ImageHandle.self).report.isComplete ? 1 : 0 } ?? 0
}

@c @implementation
public func neat_image_create(
  _ width_px: UInt32, _ height_px: UInt32, _ pixels: UnsafePointer<UInt8>!, _ out_image: OutHandle!
)
  -> neat_status
{
  produce(out_image) { () throws(NeatError) in
    guard width_px > 0, height_px > 0, width_px <= UInt32(Bitmap.maxSide), height_px <= UInt32(Bitmap.maxSide)
    else {
      throw NeatError(
        .invalidArgument, "an image of \(width_px)x\(height_px) pixels: sides must be 1 to \(Bitmap.maxSide)")
    }
    let source = try bytes(pixels, Int(width_px) * Int(height_px) * 4, "pixels")
    return try ImageHandle(
      PixelImage(width: Int(width_px), height: Int(height_px), pixels: source, isPremultiplied: true))
  }
}

@c @implementation
public func neat_image_decode(_ data: UnsafePointer<UInt8>!, _ size: Int, _ out_image: OutHandle!)
  -> neat_status
{
  produce(out_image) { () throws(NeatError) in
    try ImageHandle(decodeImage(try bytes(data, size, "data"), premultiply: true))
  }
}

@c @implementation
public func neat_image_decode_limited(
  _ data: UnsafePointer<UInt8>!, _ size: Int, _ pixel_limit: UInt64, _ out_image: OutHandle!
) -> neat_status {
  produce(out_image) { () throws(NeatError) in
    var limits = ImageLimits()
    if pixel_limit > 0 { limits.maxPixels = min(limits.maxPixels, Int(clamping: pixel_limit)) }
    return try ImageHandle(decodeImage(try bytes(data, size, "data"), premultiply: true, limits: limits))
  }
}

@c @implementation
public func neat_image_encode(
  _ image: OpaquePointer!, _ format: neat_image_format, _ quality: UInt32, _ out_file: OutHandle!
)
  -> neat_status
{
  produce(out_file) { () throws(NeatError) in
    let image: ImageHandle = Handle.object(try required(image, "image"))
    guard quality <= 100 else {
      throw NeatError(.invalidArgument, "quality \(quality) is not within 0...100")
    }
    let hold = try image.holdingFile()
    defer { withExtendedLifetime(hold) {} }
    return try Trace.span("encode", .image) { () throws(NeatError) in
      switch format {
      case NEAT_IMAGE_FORMAT_PNG:
        guard quality == 0 else { throw NeatError(.invalidArgument, "quality \(quality): PNG has none") }
        return try image.working { executor in
          Buffer(taking: image.fastPNG(executor))
        }
      case NEAT_IMAGE_FORMAT_JPEG:
        return Buffer(try encodeJPEG(image.rows, quality: quality == 0 ? 85 : Int(quality)))
      case NEAT_IMAGE_FORMAT_WEBP:
        return Buffer(try encodeWebP(image.rows, quality: quality == 0 ? 80 : Int(quality)))
      default: throw NeatError(.invalidArgument, "format \(format.rawValue) is none of neat_image_format")
      }
    }
  }
}

@c @implementation
public func neat_image_encode_png(_ image: OpaquePointer!, _ mode: neat_png_mode, _ out_png: OutHandle!)
  -> neat_status
{
  produce(out_png) { () throws(NeatError) in
    let image: ImageHandle = Handle.object(try required(image, "image"))
    guard mode == NEAT_PNG_MODE_FAST || mode == NEAT_PNG_MODE_SMALL else {
      throw NeatError(.invalidArgument, "mode \(mode.rawValue) is none of neat_png_mode")
    }
    let hold = try image.holdingFile()
    defer { withExtendedLifetime(hold) {} }
    return try Trace.span("encode", .image) { () throws(NeatError) in
      try image.working { executor in
        Buffer(
          taking: mode == NEAT_PNG_MODE_SMALL
            ? pngFile(image.rows, premultiplied: true, mode: .small, executor: executor)
            : image.fastPNG(executor))
      }
    }
  }
}
