import NeatBase
import NeatRaster

/// A picture for a GPU. Immutable; the same number means the same texels, also in later frames.
package final class MeshTexture: Sendable {
  /// The numbers are those of `neat_frame_format`.
  package enum Format: UInt32, Sendable {
    /// Premultiplied.
    case rgba8 = 1
    case r8 = 2

    package var bytesPerTexel: Int { self == .rgba8 ? 4 : 1 }
  }

  package let id: UInt64
  package let format: Format
  package let width: Int
  package let height: Int
  /// Rows from the top, without padding.
  package nonisolated(unsafe) let pixels: UnsafeRawPointer
  /// Whose memory it is; nil: the texture's own.
  private nonisolated(unsafe) let owner: AnyObject?
  /// What its own memory holds of a budget.
  private let hold: MemoryHold?

  package var byteCount: Int { width * height * format.bytesPerTexel }

  /// The texels of a picture that drawing on the CPU takes too.
  init(_ texture: Texture) {
    id = texture.id
    format = .rgba8
    width = texture.width
    height = texture.height
    pixels = UnsafeRawPointer(texture.pixels)
    owner = texture
    hold = nil
  }

  init(_ bitmap: Bitmap, _ hold: MemoryHold? = nil) {
    id = ContentID.next()
    format = .rgba8
    width = bitmap.width
    height = bitmap.height
    pixels = UnsafeRawPointer(bitmap.pixels)
    owner = bitmap
    self.hold = hold
  }

  /// Memory of its own; `fill` writes all of it.
  init(
    _ format: Format, width: Int, height: Int, _ hold: MemoryHold? = nil,
    _ fill: (UnsafeMutableRawPointer) -> Void
  ) {
    let count = width * height * format.bytesPerTexel
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, count), alignment: 16)
    fill(memory)
    id = ContentID.next()
    self.format = format
    self.width = width
    self.height = height
    pixels = UnsafeRawPointer(memory)
    owner = nil
    self.hold = hold
  }

  deinit { if owner == nil { pixels.deallocate() } }
}
