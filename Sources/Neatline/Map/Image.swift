import CNeatline

/// A picture: 8-bit premultiplied RGBA, rows from the top without padding.
public final class Image: Sendable {  // immutable once made
  nonisolated(unsafe) let pointer: OpaquePointer

  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { neat_image_destroy(pointer) }

  /// Pixels of a picture that is read, at most.
  public static let pixelLimit = 1 << 26

  /// Reads PNG, JPEG or WebP, told apart by content; at most 16384 pixels per edge. Throws `limitExceeded` for more
  /// than `pixelLimit` pixels (width times height) before memory for them is taken.
  public convenience init(decoding data: [UInt8], pixelLimit: Int = Image.pixelLimit) throws(NeatlineError) {
    guard pixelLimit > 0 else {
      throw NeatlineError(.invalidArgument, "a limit of \(pixelLimit) pixels: it must be 1 or more")
    }
    self.init(
      adopting: try handle { out in
        data.withUnsafeBufferPointer {
          neat_image_decode_limited($0.baseAddress, $0.count, UInt64(pixelLimit), out)
        }
      })
  }

  /// A picture from `width * height * 4` bytes of premultiplied RGBA.
  public convenience init(width: Int, height: Int, pixels: [UInt8]) throws(NeatlineError) {
    guard width >= 0, height >= 0, width <= 16384, height <= 16384, pixels.count == width * height * 4 else {
      throw NeatlineError(.invalidArgument, "\(pixels.count) bytes are no \(width)x\(height) picture")
    }
    self.init(
      adopting: try handle { out in
        pixels.withUnsafeBufferPointer {
          neat_image_create(UInt32(width), UInt32(height), $0.baseAddress, out)
        }
      })
  }

  /// Pixels.
  public var width: Int { Int(neat_image_width_px(pointer)) }
  /// Pixels.
  public var height: Int { Int(neat_image_height_px(pointer)) }

  /// A copy of the premultiplied RGBA bytes.
  public var pixels: [UInt8] { withPixels { [UInt8]($0) } }

  /// The premultiplied RGBA bytes, without a copy; not to be kept. Those of one of several tiles are copied the
  /// first time; empty where there is no memory for that.
  public func withPixels<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    let pixels = neat_image_pixels(pointer)
    return try body(UnsafeBufferPointer(start: pixels, count: pixels == nil ? 0 : width * height * 4))
  }

  /// How a PNG is packed.
  public enum PNGMode: UInt32, Sendable {
    /// About 2 ms for 512x512.
    case fast = 0
    /// As small as deflate makes it.
    case small = 1
  }

  /// A kind of picture file.
  public enum Format: UInt32, Sendable, CaseIterable {
    /// PNG, which keeps every pixel.
    case png = 1
    /// JPEG, which has no alpha: the picture is laid over white.
    case jpeg = 2
    /// WebP, with alpha.
    case webp = 3

    /// By the end of a file's name: `.png`, `.jpg`, `.jpeg`, `.webp`, in capitals too; nil for others.
    public init?(path: String) {
      guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
      switch path[path.index(after: dot)...].lowercased() {
      case "png": self = .png
      case "jpg", "jpeg": self = .jpeg
      case "webp": self = .webp
      default: return nil
      }
    }
  }

  /// The picture as a file. `quality`: 1 to 100, 0 for the usual (JPEG 85, WebP 80); WebP of quality 100
  /// keeps every pixel as it is; PNG takes none. JPEG has no alpha: what lets something through is laid over
  /// white. At most 65500 pixels per edge for JPEG, 16383 for WebP.
  public func encode(_ format: Format, quality: Int = 0) throws(NeatlineError) -> [UInt8] {
    guard quality >= 0 else {
      throw NeatlineError(.invalidArgument, "quality \(quality) is not within 0...100")
    }
    return try buffer {
      neat_image_encode(pointer, neat_image_format(rawValue: format.rawValue), UInt32(clamping: quality), $0)
    }
  }

  /// The picture as a JPEG file, over white.
  public func jpeg(quality: Int = 85) throws(NeatlineError) -> [UInt8] { try encode(.jpeg, quality: quality) }

  /// The picture as a WebP file.
  public func webp(quality: Int = 80) throws(NeatlineError) -> [UInt8] { try encode(.webp, quality: quality) }

  /// The picture as a PNG file. Where the last two pictures of a renderer became files of `fast`, it compresses the
  /// next one as it draws it; one that then becomes no file was compressed in vain, and the next ones are drawn alone.
  public func png(_ mode: PNGMode = .fast) throws(NeatlineError) -> [UInt8] {
    try buffer { neat_image_encode_png(pointer, neat_png_mode(rawValue: mode.rawValue), $0) }
  }
}
