/// An sRGB colour with alpha, components in 0...1, not premultiplied.
package struct Color: Hashable, Sendable, BitwiseCopyable {
  package var r: Float
  package var g: Float
  package var b: Float
  package var a: Float

  package init(r: Float, g: Float, b: Float, a: Float) {
    self.r = r
    self.g = g
    self.b = b
    self.a = a
  }

  package static let transparent = Color(r: 0, g: 0, b: 0, a: 0)
  package static let black = Color(r: 0, g: 0, b: 0, a: 1)
  package static let white = Color(r: 1, g: 1, b: 1, a: 1)
}
