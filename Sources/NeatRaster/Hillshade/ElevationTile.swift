// Elevations of a raster-dem tile in metres, with a border of one sample that comes from the neighbours, or
// repeats the edge until they are there.
import NeatBase

/// How a pixel says its elevation: red · r + green · g + blue · b - base, channels 0...255.
package struct ElevationEncoding: Sendable, Equatable {
  package var red, green, blue, base: Float

  package init(red: Float, green: Float, blue: Float, base: Float) {
    (self.red, self.green, self.blue, self.base) = (red, green, blue, base)
  }

  /// Mapbox Terrain-RGB.
  package static let mapbox = ElevationEncoding(red: 6553.6, green: 25.6, blue: 0.1, base: 10000)
  /// Mapzen Terrarium.
  package static let terrarium = ElevationEncoding(red: 256, green: 1, blue: 1.0 / 256, base: 32768)
}

package final class ElevationTile: Sendable {
  /// Samples along a side, without the border.
  package let size: Int
  /// Samples from a row to the next.
  package var stride: Int { size + 2 }
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
  /// The lowest and the highest sample, without the border.
  package let range: ClosedRange<Float>

  /// Reads a square picture that is not premultiplied. Throws `.image` for another shape.
  package init(_ image: PixelImage, encoding: ElevationEncoding) throws(NeatError) {
    guard image.width == image.height else {
      throw NeatError(
        .image, "an elevation tile must be square, this one is \(image.width)x\(image.height) pixels")
    }
    assert(image.pixels.count == 4 * image.width * image.height, "a picture without all its pixels")
    let size = image.width
    self.size = size
    let row = size + 2
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: row * row)
    self.memory = memory
    var (low, high) = (Float.infinity, -Float.infinity)
    image.pixels.withUnsafeBufferPointer { bytes in
      for y in 0..<size {
        for x in 0..<size {
          let p = 4 * (y * size + x)
          let metres =
            Float(bytes[p]) * encoding.red + Float(bytes[p + 1]) * encoding.green + Float(bytes[p + 2])
            * encoding.blue - encoding.base
          memory[(y + 1) * row + x + 1] = metres
          (low, high) = (min(low, metres), max(high, metres))
        }
      }
    }
    range = low <= high ? low...high : 0...0
    for i in 1...size {
      memory[i * row] = memory[i * row + 1]
      memory[i * row + size + 1] = memory[i * row + size]
    }
    for i in 0..<row {
      memory[i] = memory[row + i]
      memory[(size + 1) * row + i] = memory[size * row + i]
    }
  }

  /// A copy whose border can be filled without changing the original.
  package init(copying other: ElevationTile) {
    size = other.size
    range = other.range
    memory = .allocate(capacity: (size + 2) * (size + 2))
    memory.initialize(from: other.memory, count: (size + 2) * (size + 2))
  }

  deinit { memory.deallocate() }

  /// The sample at `x`, `y` in -1...size, in metres.
  @inline(__always) package subscript(x: Int, y: Int) -> Float {
    assert(x >= -1 && x <= size && y >= -1 && y <= size, "a sample beyond the border")
    return memory[(y &+ 1) &* stride &+ x &+ 1]
  }

  /// The sample (0, 0); rows and columns -1 and `size` are the border.
  package var samples: UnsafePointer<Float> { UnsafePointer(memory + stride + 1) }

  /// Takes the border that touches a neighbour, `dx` and `dy` tiles to the east and south (-1, 0 or 1).
  /// Nothing happens where sizes differ. Not while others read.
  package func fillBorder(from neighbour: ElevationTile, dx: Int, dy: Int) {
    guard neighbour.size == size, abs(dx) <= 1, abs(dy) <= 1, dx != 0 || dy != 0 else { return }
    let xs = dx < 0 ? -1...(-1) : dx > 0 ? size...size : 0...(size - 1)
    let ys = dy < 0 ? -1...(-1) : dy > 0 ? size...size : 0...(size - 1)
    for y in ys {
      for x in xs { memory[(y + 1) * stride + x + 1] = neighbour[x - dx * size, y - dy * size] }
    }
  }

  /// The elevation between samples, `u` and `v` in samples from the tile's north-west corner, cut to the
  /// tile.
  package func elevation(u: Float, v: Float) -> Float {
    // Written so that NaN becomes the corner.
    let x = u > -0.5 ? min(u - 0.5, Float(size) - 0.5) : -1
    let y = v > -0.5 ? min(v - 0.5, Float(size) - 0.5) : -1
    let left = Int(bounded: (x + 1).rounded(.down)) - 1
    let top = Int(bounded: (y + 1).rounded(.down)) - 1
    let (fx, fy) = (x - Float(left), y - Float(top))
    let north = self[left, top] + (self[min(left + 1, size), top] - self[left, top]) * fx
    let bottom = min(top + 1, size)
    let south = self[left, bottom] + (self[min(left + 1, size), bottom] - self[left, bottom]) * fx
    return north + (south - north) * fy
  }
}
