import NeatBase

/// A colour as expressions compute with it: sRGB, components in 0...1, not premultiplied, in double
/// precision.
package struct RGBA: Hashable, Sendable, BitwiseCopyable {
  package var r: Double
  package var g: Double
  package var b: Double
  package var a: Double

  package init(_ r: Double, _ g: Double, _ b: Double, _ a: Double) {
    self.r = r
    self.g = g
    self.b = b
    self.a = a
  }

  package init(_ color: Color) {
    self.init(Double(color.r), Double(color.g), Double(color.b), Double(color.a))
  }

  package var color: Color { Color(r: Float(r), g: Float(g), b: Float(b), a: Float(a)) }

  /// As `rgba(r,g,b,a)` with bytes and an alpha in 0...1.
  package var description: String {
    "rgba(\(jsNumber(jsRound(r * 255))),\(jsNumber(jsRound(g * 255))),\(jsNumber(jsRound(b * 255))),\(jsNumber(a)))"
  }
}
