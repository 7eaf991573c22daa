import CNeatline
import NeatBase
import NeatImage
import NeatRaster

/// A picture of the caller's: premultiplied RGBA in memory of its own.
final class ImageHandle {
  let width: Int
  let height: Int
  let pixels: UnsafeMutablePointer<UInt8>

  init(_ image: PixelImage) {
    width = image.width
    height = image.height
    pixels = .allocate(capacity: max(1, image.pixels.count))
    image.pixels.withUnsafeBufferPointer { if let base = $0.baseAddress { pixels.update(from: base, count: $0.count) } }
  }

  init(_ bitmap: Bitmap) {
    width = bitmap.width
    height = bitmap.height
    pixels = .allocate(capacity: width * height * 4)
    UnsafeMutableRawPointer(pixels).copyMemory(from: bitmap.pixels, byteCount: width * height * 4)
  }

  deinit { pixels.deallocate() }

  var pixelImage: PixelImage {
    PixelImage(
      width: width, height: height, pixels: Array(UnsafeBufferPointer(start: pixels, count: width * height * 4)), isPremultiplied: true)
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
  image.map { UnsafePointer(Handle.object($0, as: ImageHandle.self).pixels) }
}

@c @implementation
public func neat_image_destroy(_ image: OpaquePointer!) { Handle.destroy(image, ImageHandle.self) }

@c @implementation
public func neat_image_create(_ width_px: UInt32, _ height_px: UInt32, _ pixels: UnsafePointer<UInt8>!, _ out_image: OutHandle!)
  -> neat_status
{
  produce(out_image) { () throws(NeatError) in
    guard width_px > 0, height_px > 0, width_px <= UInt32(Bitmap.maxSide), height_px <= UInt32(Bitmap.maxSide) else {
      throw NeatError(.invalidArgument, "an image of \(width_px)x\(height_px) pixels: sides must be 1 to \(Bitmap.maxSide)")
    }
    let source = try bytes(pixels, Int(width_px) * Int(height_px) * 4, "pixels")
    return ImageHandle(PixelImage(width: Int(width_px), height: Int(height_px), pixels: source, isPremultiplied: true))
  }
}

@c @implementation
public func neat_image_decode(_ data: UnsafePointer<UInt8>!, _ size: Int, _ out_image: OutHandle!) -> neat_status {
  produce(out_image) { () throws(NeatError) in ImageHandle(try decodeImage(try bytes(data, size, "data"), premultiply: true)) }
}

@c @implementation
public func neat_image_encode(_ image: OpaquePointer!, _ format: neat_image_format, _ quality: UInt32, _ out_file: OutHandle!) -> neat_status {
  produce(out_file) { () throws(NeatError) in
    let image: ImageHandle = Handle.object(try required(image, "image"))
    let pixels = UnsafeRawPointer(image.pixels).assumingMemoryBound(to: UInt32.self)
    guard quality <= 100 else { throw NeatError(.invalidArgument, "quality \(quality) is not within 0...100") }
    switch format {
    case NEAT_IMAGE_FORMAT_PNG:
      guard quality == 0 else { throw NeatError(.invalidArgument, "quality \(quality): PNG has none") }
      return Buffer(encodePNG(pixels: pixels, premultiplied: true, width: image.width, height: image.height))
    case NEAT_IMAGE_FORMAT_JPEG:
      return Buffer(try encodeJPEG(pixels: pixels, width: image.width, height: image.height, quality: quality == 0 ? 85 : Int(quality)))
    case NEAT_IMAGE_FORMAT_WEBP:
      return Buffer(try encodeWebP(pixels: pixels, width: image.width, height: image.height, quality: quality == 0 ? 80 : Int(quality)))
    default: throw NeatError(.invalidArgument, "format \(format.rawValue) is none of neat_image_format")
    }
  }
}

@c @implementation
public func neat_image_encode_png(_ image: OpaquePointer!, _ mode: neat_png_mode, _ out_png: OutHandle!) -> neat_status {
  produce(out_png) { () throws(NeatError) in
    let image: ImageHandle = Handle.object(try required(image, "image"))
    guard mode == NEAT_PNG_MODE_FAST || mode == NEAT_PNG_MODE_SMALL else {
      throw NeatError(.invalidArgument, "mode \(mode.rawValue) is none of neat_png_mode")
    }
    let pixels = UnsafeRawPointer(image.pixels).assumingMemoryBound(to: UInt32.self)
    return Buffer(
      encodePNG(
        pixels: pixels, premultiplied: true, width: image.width, height: image.height, mode: mode == NEAT_PNG_MODE_SMALL ? .small : .fast))
  }
}
