// Where labels may stand along a line: every `symbol-spacing`, where the label fits before the line's ends
// and the line bends no more than `text-max-angle` within a window of 3/5 em under it. Semantics of
// MapLibre's getAnchors, getCenterAnchor and checkMaxAngle.

import NeatBase

/// A place on a line, in tile units.
package struct LineAnchor: Equatable {
  package var point: SIMD2<Double>
  /// The segment it lies on.
  package var segment: Int
}

@inline(__always) func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
  let d = b - a
  return (d.x * d.x + d.y * d.y).squareRoot()
}

/// What decides where a label stands along a line. Lengths in tile units.
package struct LineAnchorOptions {
  package var spacing: Double
  /// Radians.
  package var maxAngle: Double
  /// Of the label or the icon, whichever is longer, in 24ths of an em (text) or pixels (icon).
  package var labelWidth: Double
  /// Whether there is text, whose bends are checked.
  package var hasText: Bool
  /// Tile units a 24th of an em.
  package var boxScale: Double
  package var overscaling: Double
  package var extent: Double

  package init(
    spacing: Double, maxAngle: Double, labelWidth: Double, hasText: Bool, boxScale: Double,
    overscaling: Double = 1, extent: Double = TileUnits.extent
  ) {
    self.spacing = spacing
    self.maxAngle = maxAngle
    self.labelWidth = labelWidth
    self.hasText = hasText
    self.boxScale = boxScale
    self.overscaling = overscaling
    self.extent = extent
  }

  package var labelLength: Double { labelWidth * boxScale }
  package var angleWindow: Double { hasText ? 3.0 / 5 * oneEm * boxScale : 0 }
}

package func lineLength(_ line: [SIMD2<Double>]) -> Double {
  var length = 0.0
  for i in line.indices.dropFirst() { length += distance(line[i - 1], line[i]) }
  return length
}

/// Anchors for `symbol-placement: line`.
package func lineAnchors(_ line: [SIMD2<Double>], _ options: LineAnchorOptions) -> [LineAnchor] {
  guard let first = line.first, line.count > 1 else { return [] }
  let isContinued = first.x == 0 || first.x == options.extent || first.y == 0 || first.y == options.extent
  var spacing = options.spacing
  // A long label keeps a quarter of the spacing free to the next one.
  if spacing - options.labelLength < spacing / 4 { spacing = options.labelLength + spacing / 4 }
  guard spacing > 0, spacing.isFinite else { return [] }
  // Lines that begin in this tile start with a little extra room, against crowding at junctions.
  let start =
    isContinued
    ? spacing / 2 * options.overscaling
    : (options.labelWidth / 2 + oneEm * 2) * options.boxScale * options.overscaling
  let offset = start.truncatingRemainder(dividingBy: spacing)
  var anchors = resample(line, offset: offset, spacing: spacing, options)
  if anchors.isEmpty, !isContinued {
    anchors = resample(line, offset: lineLength(line) / 2, spacing: spacing, options)
  }
  return anchors
}

/// Most anchors on one line.
package let maxAnchorsPerLine = 4096

private func resample(_ line: [SIMD2<Double>], offset: Double, spacing: Double, _ options: LineAnchorOptions)
  -> [LineAnchor]
{
  let half = options.labelLength / 2, total = lineLength(line), window = options.angleWindow
  var walked = 0.0, marked = offset - spacing
  var anchors: [LineAnchor] = []
  for i in 0..<(line.count - 1) {
    let a = line[i], b = line[i + 1]
    let size = distance(a, b)
    while marked + spacing < walked + size {
      marked += spacing
      if anchors.count >= maxAnchorsPerLine { return anchors }
      let point = a + (b - a) * ((marked - walked) / size)
      guard point.x >= 0, point.x < options.extent, point.y >= 0, point.y < options.extent,
        marked - half >= 0, marked + half <= total
      else {
        continue
      }
      let anchor = LineAnchor(point: SIMD2(point.x.rounded(), point.y.rounded()), segment: i)
      if window == 0 || bendsLittle(line, anchor, options.labelLength, window, options.maxAngle) {
        anchors.append(anchor)
      }
    }
    walked += size
  }
  return anchors
}

/// The anchor for `symbol-placement: line-center`, nil where the line bends too much there.
package func centerAnchor(_ line: [SIMD2<Double>], _ options: LineAnchorOptions) -> LineAnchor? {
  let middle = lineLength(line) / 2
  var walked = 0.0
  for i in line.indices.dropLast() {
    let size = distance(line[i], line[i + 1])
    if walked + size > middle {
      let point = line[i] + (line[i + 1] - line[i]) * ((middle - walked) / size)
      let anchor = LineAnchor(point: SIMD2(point.x.rounded(), point.y.rounded()), segment: i)
      let window = options.angleWindow
      return window == 0 || bendsLittle(line, anchor, options.labelLength, window, options.maxAngle)
        ? anchor : nil
    }
    walked += size
  }
  return nil
}

/// Whether the bends under a label, summed over any window of its length, stay below an angle; false where
/// the label leaves the line.
package func bendsLittle(
  _ line: [SIMD2<Double>], _ anchor: LineAnchor, _ labelLength: Double, _ window: Double, _ maxAngle: Double
) -> Bool {
  if labelLength == 0 { return true }
  var point = anchor.point
  var index = anchor.segment + 1
  var position = 0.0
  while position > -labelLength / 2 {
    index -= 1
    if index < 0 { return false }
    position -= distance(line[index], point)
    point = line[index]
  }
  guard index + 1 < line.count else { return false }
  position += distance(line[index], line[index + 1])
  index += 1
  var corners: [(position: Double, bend: Double)] = []
  var oldest = 0
  var sum = 0.0
  while position < labelLength / 2 {
    guard index + 1 < line.count else { return false }
    let before = line[index] - line[index - 1], after = line[index + 1] - line[index]
    let turn = atan2(before.y, before.x) - atan2(after.y, after.x)
    let bend = abs((turn + 3 * .pi).truncatingRemainder(dividingBy: 2 * .pi) - .pi)
    corners.append((position, bend))
    sum += bend
    while position - corners[oldest].position > window {
      sum -= corners[oldest].bend
      oldest += 1
    }
    if sum > maxAngle { return false }
    position += distance(line[index], line[index + 1])
    index += 1
  }
  return true
}
