import NeatBase

// Interpolation in sRGB, CIELAB and CIELCh (D50), after the colour code of d3 that the specification's
// results come from.
private let xn = 0.96422
private let zn = 0.82521
private let t0 = 4.0 / 29
private let t1 = 6.0 / 29
private let t2 = 3 * t1 * t1
private let t3 = t1 * t1 * t1

package enum ColorSpace: UInt8, Sendable { case rgb, hcl, lab }

struct LAB {
  var l, a, b, alpha: Double

  init(l: Double, a: Double, b: Double, alpha: Double) {
    self.l = l
    self.a = a
    self.b = b
    self.alpha = alpha
  }

  init(_ color: RGBA) {
    func linear(_ x: Double) -> Double { x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4) }
    func bend(_ t: Double) -> Double { t > t3 ? pow(t, 1.0 / 3) : t / t2 + t0 }
    let r = linear(color.r)
    let g = linear(color.g)
    let b = linear(color.b)
    let y = bend(0.2225045 * r + 0.7168786 * g + 0.0606169 * b)
    var x = y
    var z = y
    if r != g || g != b {
      x = bend((0.4360747 * r + 0.3850649 * g + 0.1430804 * b) / xn)
      z = bend((0.0139322 * r + 0.0971045 * g + 0.7141733 * b) / zn)
    }
    self.init(l: max(0, 116 * y - 16), a: 500 * (x - y), b: 200 * (y - z), alpha: color.a)
  }

  var rgba: RGBA {
    func unbend(_ t: Double) -> Double { t > t1 ? t * t * t : t2 * (t - t0) }
    func gamma(_ x: Double) -> Double {
      let value = x <= 0.00304 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055
      return value < 0 ? 0 : value > 1 ? 1 : value
    }
    let y0 = (l + 16) / 116
    let x = xn * unbend(a.isNaN ? y0 : y0 + a / 500)
    let z = zn * unbend(b.isNaN ? y0 : y0 - b / 200)
    let y = unbend(y0)
    return RGBA(
      gamma(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
      gamma(-0.9787684 * x + 1.9161415 * y + 0.0334540 * z),
      gamma(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), alpha)
  }
}

struct HCL {
  /// Degrees; NaN for a grey.
  var h: Double
  var c: Double
  var l: Double
  var alpha: Double

  init(h: Double, c: Double, l: Double, alpha: Double) {
    self.h = h
    self.c = c
    self.l = l
    self.alpha = alpha
  }

  init(_ color: RGBA) {
    let lab = LAB(color)
    let chroma = (lab.a * lab.a + lab.b * lab.b).squareRoot()
    let hue = jsRound(chroma * 10000) != 0 ? fmod(atan2(lab.b, lab.a) * 180 / .pi + 360, 360) : .nan
    self.init(h: hue, c: chroma, l: lab.l, alpha: lab.alpha)
  }

  var rgba: RGBA {
    let angle = h.isNaN ? 0 : h * .pi / 180
    return LAB(l: l, a: cos(angle) * c, b: sin(angle) * c, alpha: alpha).rgba
  }
}

@inline(__always)
func mix(_ a: Double, _ b: Double, _ t: Double) -> Double { a + t * (b - a) }

extension RGBA {
  @inline(__always)
  static func mixRGB(_ a: RGBA, _ b: RGBA, _ t: Double) -> RGBA {
    RGBA(mix(a.r, b.r, t), mix(a.g, b.g, t), mix(a.b, b.b, t), mix(a.a, b.a, t))
  }

  /// The colour at `t` (0...1) of the way from `a` to `b`.
  package static func interpolate(_ a: RGBA, _ b: RGBA, _ t: Double, _ space: ColorSpace = .rgb) -> RGBA {
    switch space {
    case .rgb: return mixRGB(a, b, t)
    case .lab:
      let from = LAB(a)
      let to = LAB(b)
      return LAB(
        l: mix(from.l, to.l, t), a: mix(from.a, to.a, t), b: mix(from.b, to.b, t),
        alpha: mix(from.alpha, to.alpha, t)
      ).rgba
    case .hcl: return mixHCL(HCL(a), HCL(b), t).rgba
    }
  }

  private static func mixHCL(_ a: HCL, _ b: HCL, _ t: Double) -> HCL {
    var hue = Double.nan
    var chroma: Double?
    if !a.h.isNaN && !b.h.isNaN {
      var turn = b.h - a.h
      if b.h > a.h && turn > 180 { turn -= 360 } else if b.h < a.h && a.h - b.h > 180 { turn += 360 }
      hue = a.h + t * turn
    } else if !a.h.isNaN {
      hue = a.h
      if b.l == 1 || b.l == 0 { chroma = a.c }
    } else if !b.h.isNaN {
      hue = b.h
      if a.l == 1 || a.l == 0 { chroma = b.c }
    }
    return HCL(h: hue, c: chroma ?? mix(a.c, b.c, t), l: mix(a.l, b.l, t), alpha: mix(a.alpha, b.alpha, t))
  }
}
