// Depth and colour of a band while faces are drawn into it.
//
// Where edges are to be smooth a pixel has four samples, on a grid turned by a quarter of a right angle or
// so, which tells steep edges and flat ones apart equally well. Most pixels are covered whole by one face at
// a time and keep one depth and one colour; one that an edge runs through gets its four for the rest of the
// frame.
import NeatBase

/// Depth lasts for the frame, so that layers hide each other; colour for one layer, so that the layer's
/// opacity applies once. One a worker; not for concurrent use.
package final class DepthLayer: @unchecked Sendable {
  @exclusivity(unchecked) var depth = GrowingBuffer<Float>()
  /// 0 where the layer has drawn nothing.
  @exclusivity(unchecked) var color = GrowingBuffer<UInt32>()
  private(set) var width = 0
  private(set) var y0 = 0
  private(set) var y1 = 0
  /// Rows that this layer has touched.
  var touchedTop = 0
  var touchedBottom = 0
  /// Whether the depths of a globe are there.
  var hasGlobe = false
  /// Whether pixels that edges run through have four samples.
  private(set) var isSmooth = false
  /// The place of a pixel's samples, plus one; 0 for one that has none.
  @exclusivity(unchecked) var slots = GrowingBuffer<UInt32>()
  /// Of pixels with samples, by place: which pixel of the band, and what the samples have.
  @exclusivity(unchecked) private var samplePixels = GrowingBuffer<UInt32>()
  @exclusivity(unchecked) var divided = GrowingBuffer<DividedPixel>()
  /// Faces of the layer whose edges are not drawn yet, with their rows and patterns.
  @exclusivity(unchecked) var rims = GrowingBuffer<FaceRim>()
  @exclusivity(unchecked) var rimSurfaces = GrowingBuffer<FaceSurface>()
  @exclusivity(unchecked) var rimRows = GrowingBuffer<SampleRow>()
  var rimPatterns: [PatternImage] = []

  /// What a texel that lets everything through leaves, so that its pixel counts as drawn. No colour has it.
  static let nothing: UInt32 = 1

  package init() {}

  /// Bytes that it holds.
  package var byteCount: Int {
    depth.heldBytes + color.heldBytes + slots.heldBytes + samplePixels.heldBytes + divided.heldBytes
      + rims.heldBytes + rimSurfaces.heldBytes + rimRows.heldBytes
  }

  /// Starts a band of a frame: nothing is seen beyond the far plane, where z / w is 1.
  package func begin(_ band: Band, isSmooth: Bool = false) {
    (width, y0, y1) = (band.width, band.y0, band.y1)
    self.isSmooth = isSmooth
    hasGlobe = false
    let count = width * max(0, y1 - y0)
    // Faces are drawn four pixels at a time, past the last one too.
    depth.overwrite(count + 3).update(repeating: 1, count: count + 3)
    color.overwrite(count + 3).update(repeating: 0, count: count + 3)
    (touchedTop, touchedBottom) = (y1, y0)
    samplePixels.removeAll()
    divided.removeAll()
    dropRims()
    if isSmooth { slots.overwrite(count + 3).update(repeating: 0, count: count + 3) }
  }

  /// Whether any pixel has samples.
  var hasDivided: Bool { divided.count > 0 }

  /// Makes room for so many pixels more that are divided.
  @inline(__always) func reserveDivided(_ count: Int) {
    divided.reserve(count)
    samplePixels.reserve(count)
  }

  /// Gives a pixel of the band samples, for which there is room.
  @inline(__always) func divide(_ pixel: Int, _ samples: DividedPixel) {
    assert(isSmooth && slots.base[pixel] == 0, "a pixel that is divided already")
    samplePixels.appendReserved(UInt32(truncatingIfNeeded: pixel))
    divided.appendReserved(samples)
    slots.base[pixel] = UInt32(truncatingIfNeeded: divided.count)
  }

  /// Puts the layer's colours over the band, times `opacity` (0...1), and clears them for the next layer.
  package func composite(_ band: Band, opacity: Float, fog: DepthFog? = nil) {
    precondition(band.y0 == y0 && band.y1 == y1 && band.width == width)
    assert(touchedTop >= y0 && touchedBottom <= y1, "rows of another band were touched")
    let cover = UInt32(saturating: min(max(opacity, 0), 1) * 255 + 0.5)
    drawRims()
    for place in 0..<divided.count {
      color.base[Int(samplePixels[place])] = DepthLayer.mean(divided[place].colors)
      if fog == nil { divided[place].colors = .zero }
    }
    if let fog {
      lay(fog)
      for place in 0..<divided.count { divided[place].colors = .zero }
    }
    for y in touchedTop..<max(touchedTop, touchedBottom) {
      let row = color.base + (y - y0) * width
      if cover > 0 {
        for x in 0..<width where row[x] == DepthLayer.nothing { row[x] = 0 }
        Blend.composite(band.row(y), row, width, opacity: cover)
      }
      row.update(repeating: 0, count: width)
    }
    (touchedTop, touchedBottom) = (y1, y0)
  }

  /// Of the samples of a divided pixel that show the layer, the depth of the nearest.
  func nearest(_ place: Int) -> Float {
    let pixel = divided[place]
    return pixel.depths.replacing(with: 1, where: pixel.colors .== 0).min()
  }

  /// The mean of four premultiplied colours.
  @inline(__always) private static func mean(_ samples: SIMD4<UInt32>) -> UInt32 {
    let all = samples.replacing(with: 0, where: samples .== nothing)
    let low = SIMD4<UInt32>(repeating: 0x00FF_00FF)
    // Four bytes and a half add up to 1022 at most: two sums have room in a word.
    let rb = ((all & low).wrappedSum() &+ 0x0002_0002) &>> 2 & 0x00FF_00FF
    let ga = ((all &>> 8 & low).wrappedSum() &+ 0x0002_0002) &>> 2 & 0x00FF_00FF
    return rb | ga &<< 8
  }
}
