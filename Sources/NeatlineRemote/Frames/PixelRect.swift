/// Pixels of a picture: a box of whole ones.
package struct PixelRect: Hashable, Sendable {
  package var x: Int, y: Int, width: Int, height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  package var area: Int { width * height }

  /// The smallest box around both.
  package func union(_ other: PixelRect) -> PixelRect {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRect(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }
}
