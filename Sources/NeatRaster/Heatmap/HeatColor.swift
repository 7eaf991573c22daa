import NeatBase

/// A colour ramp of 256 premultiplied colours, read between its entries.
package struct ColorRamp: Sendable {
  package static let count = 256

  /// The colours at 0, 1/255 … 1.
  let colors: [UInt32]

  package init(_ colors: [Premultiplied]) {
    precondition(colors.count == ColorRamp.count)
    self.colors = colors.map(\.bits)
  }
}

/// Colours a heatmap's sums into a band of the frame: bilinear between cells, then through the ramp, times
/// `opacity` (0...1).
package func drawHeatmap(_ field: HeatField, ramp: ColorRamp, opacity: Float, band: Band) {
  let cover = UInt32(saturating: min(max(opacity, 0), 1) * 255 + 0.5)
  guard cover > 0 else { return }
  let columns = UnsafeMutablePointer<Int32>.allocate(capacity: band.width)
  let weights = UnsafeMutablePointer<Float>.allocate(capacity: band.width)
  // A row between two rows of cells, with the first and last cell repeated.
  let row = UnsafeMutablePointer<Float>.allocate(capacity: field.width + 2)
  defer {
    columns.deallocate()
    weights.deallocate()
    row.deallocate()
  }
  let cell = field.cell
  for x in 0..<band.width {
    let u = min(max((Float(x) + 0.5) / cell.x - 0.5, -1), Float(field.width) - 0.5)
    let left = u.rounded(.down)
    columns[x] = Int32(saturating: left) + 1
    weights[x] = u - left
    assert(columns[x] >= 0 && Int(columns[x]) <= field.width, "a cell of no field")
  }
  ramp.colors.withUnsafeBufferPointer { colors in
    for y in band.y0..<band.y1 {
      blendCells(field, (Float(y) + 0.5) / cell.y - 0.5, into: row)
      let pixels = band.row(y)
      for x in 0..<band.width {
        let left = row[Int(columns[x])]
        let value = left + (row[Int(columns[x]) &+ 1] - left) * weights[x]
        let color = rampColor(colors.baseAddress!, value)
        if color != 0 { pixels[x] = Blend.over(pixels[x], color, coverage: cover) }
      }
    }
  }
}

private func blendCells(_ field: HeatField, _ v: Float, into row: UnsafeMutablePointer<Float>) {
  let floor = v.rounded(.down)
  let weight = v - floor
  let top = field.values + min(max(Int(bounded: floor), 0), field.height - 1) * field.width
  let bottom = field.values + min(max(Int(bounded: floor) + 1, 0), field.height - 1) * field.width
  for i in 0..<field.width { row[i + 1] = top[i] + (bottom[i] - top[i]) * weight }
  row[0] = row[1]
  row[field.width + 1] = row[field.width]
}

/// The ramp at `value`, as a texture of 256 texels sampled linearly at 0...1.
@inline(__always) private func rampColor(_ colors: UnsafePointer<UInt32>, _ value: Float) -> UInt32 {
  let place = min(max(value * 256 - 0.5, 0), 255)
  let index = Int(bounded: place)
  assert(index >= 0 && index < ColorRamp.count, "a colour of no ramp")
  let share = UInt32(saturating: (place - Float(index)) * 256)
  let a = colors[index]
  let b = colors[min(index &+ 1, 255)]
  if a == b || share == 0 { return a }
  let low: UInt32 = 0x00FF_00FF
  let rb = ((a & low) &* (256 &- share) &+ (b & low) &* share &+ 0x0080_0080) &>> 8 & low
  let ga = ((a &>> 8 & low) &* (256 &- share) &+ (b &>> 8 & low) &* share &+ 0x0080_0080) &>> 8 & low
  return rb | ga &<< 8
}
