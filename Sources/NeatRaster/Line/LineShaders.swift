// How covered pixels of a line are coloured. A shader is a static type, so that the loops over pixels are
// compiled for each of them.

import NeatBase

/// Blends four pixels.
protocol LineShader {
  /// Whether `distance` is used.
  static var needsDistance: Bool { get }
  /// Whether `ny` is used, which triangles alone know.
  static var needsAcross: Bool { get }
  /// `coverage` 0...255, `ny` -1...1 across the line, `distance` in tile units along it.
  func blend(_ dst: Pixels4, coverage: SIMD4<Float>, ny: SIMD4<Float>, distance: SIMD4<Float>) -> Pixels4
}

/// Blends one pixel after the other.
protocol PixelLineShader: LineShader {
  func blend(_ dst: UInt32, coverage: Float, ny: Float, distance: Float) -> UInt32
}

extension PixelLineShader {
  @inline(__always)
  func blend(_ dst: Pixels4, coverage: SIMD4<Float>, ny: SIMD4<Float>, distance: SIMD4<Float>) -> Pixels4 {
    var result = dst
    for lane in 0..<4 where coverage[lane] > 0 {
      result[lane] = blend(dst[lane], coverage: coverage[lane], ny: ny[lane], distance: distance[lane])
    }
    return result
  }
}

/// 0...255 to integers, to the nearest.
@inline(__always) func wholes(_ value: SIMD4<Float>) -> Pixels4 {
  unsafeBitCast(value + 8_388_608, to: Pixels4.self) & Pixels4(repeating: 0x1FF)
}

/// The nearest integer of a magnitude below 2^22.
@inline(__always) func nearest(_ value: Float) -> Int {
  Int(Int32(bitPattern: (value + 12_582_912).bitPattern) &- 0x4B40_0000)
}

/// `min` and `max` as the machine has them, in one step each; where one is not a number, the second one.
@inline(__always) func lesser(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
@inline(__always) func greater(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

/// The first pixel row whose centre is after a place: one on an edge belongs to what is above it (see `firstRow`).
@inline(__always) func rowAfter(_ y: Float) -> Int { floorInteger(y + 0.5) }

/// The first pixel column whose centre is at or after a place.
@inline(__always) func columnAfter(_ x: Float) -> Int { -floorInteger(0.5 - x) }

/// The largest integer that is not greater.
@inline(__always) func floorInteger(_ value: Float) -> Int {
  let result = nearest(value)
  return Float(result) > value ? result &- 1 : result
}

struct OpaqueLineShader: LineShader {
  static var needsDistance: Bool { false }
  static var needsAcross: Bool { false }
  private let ink: Ink

  init(_ bits: UInt32) { ink = Ink(bits) }

  @inline(__always)
  func blend(_ dst: Pixels4, coverage: SIMD4<Float>, ny: SIMD4<Float>, distance: SIMD4<Float>) -> Pixels4 {
    ink.overOpaquely(dst, coverage: wholes(coverage))
  }
}

struct BlendLineShader: LineShader {
  static var needsDistance: Bool { false }
  static var needsAcross: Bool { false }
  private let ink: Ink

  init(_ bits: UInt32) { ink = Ink(bits) }

  @inline(__always)
  func blend(_ dst: Pixels4, coverage: SIMD4<Float>, ny: SIMD4<Float>, distance: SIMD4<Float>) -> Pixels4 {
    ink.over(dst, coverage: wholes(coverage))
  }
}

/// Dashes, gradients and patterns. Lives no longer than the style it was made from.
struct DecoratedLineShader: PixelLineShader {
  static var needsDistance: Bool { true }
  static var needsAcross: Bool { true }
  let color: UInt32
  /// Factor of the coverage where the colour comes from a gradient or a pattern.
  let opacity: Float
  private let dash: Unmanaged<LineDash>?
  /// Periods for a tile unit, and half the softness of a dash's end.
  private let dashScale: Float
  private let dashGamma: Float
  private let ramp: UnsafePointer<UInt32>?
  private let rampWidth: Int
  private let isStep: Bool
  private let progressStart: Float
  private let progressScale: Float
  /// How far along a line with metrics dashes and patterns lie, from where it is along the whole line.
  private let isMeasured: Bool
  /// Not 0: the gradient is that of the part of the line in the tile.
  private let partScale: Float
  private let pattern: Unmanaged<PatternImage>?
  /// Repetitions for a tile unit.
  private let patternScale: Float

  /// `ramps`: the memory of the style's gradient.
  init(_ shade: LineShade, _ style: LineStyle, ramps: UnsafePointer<UInt32>?) {
    color = shade.color
    let dash = style.dash[Int(shade.feature)]
    self.dash = dash.map { Unmanaged.passUnretained($0) }
    (dashScale, dashGamma) = style.dashMeasures(length: dash?.length ?? 1, shade)
    var isPlain = true
    if let gradient = style.gradient, let ramps {
      let line = Int(shade.line)
      ramp =
        ramps + (line < gradient.rowOfLine.count ? Int(gradient.rowOfLine[line]) : 0) * gradient.width
      partScale = gradient.rowOfLine.isEmpty ? 0 : shade.partScale
      rampWidth = gradient.width
      isStep = gradient.isStep
      isPlain = false
    } else {
      (ramp, rampWidth, isStep, partScale) = (nil, 0, false, 0)
    }
    progressStart = shade.progressStart
    progressScale = shade.progressScale
    isMeasured = shade.progressScale > 0
    let pattern = style.pattern?[Int(shade.feature)]
    self.pattern = pattern.map { Unmanaged.passUnretained($0.image) }
    if let pattern {
      let width = Float(pattern.image.width) / pattern.pixelRatio
      let height = Float(pattern.image.height) / pattern.pixelRatio
      patternScale = style.integerPixelsPerUnit / width * height / shade.floorWidth
      isPlain = false
    } else {
      patternScale = 0
    }
    // Dashes without length: nothing shows.
    let isShown = dash.map { $0.length > 0 } ?? true
    opacity = !isShown ? 0 : isPlain ? 1 : Float(shade.color >> 24) / 255
  }

  @inline(never)
  func blend(_ dst: UInt32, coverage: Float, ny: Float, distance: Float) -> UInt32 {
    var coverage = coverage * opacity
    let progress = progress(distance)
    let along = distance
    let distance = measured(distance, progress)
    guard coverage > 0, abs(distance * dashScale) < 4e6, abs(distance * patternScale) < 4e6 else {
      return dst
    }
    if let dash {
      let value = dash._withUnsafeGuaranteedRef { $0.sample(period: distance * dashScale, across: ny) }
      coverage *= LineDash.edge(value, gamma: dashGamma)
    }
    if !(coverage >= 0.5) { return dst }
    var color = gradientColor(along, progress) ?? color
    if let pattern { color = pattern._withUnsafeGuaranteedRef { $0.lineTexel(distance * patternScale, ny) } }
    return Blend.over(dst, color, coverage: UInt32(nearest(min(coverage, 255))))
  }

  /// How far along the whole line a place is.
  @inline(__always) func progress(_ distance: Float) -> Float { progressStart + distance * progressScale }

  /// What dashes and patterns lie along.
  @inline(__always) func measured(_ distance: Float, _ progress: Float) -> Float {
    isMeasured ? progress * LinePiece.measuredLength : distance
  }

  /// The gradient's colour; nil where there is none.
  @inline(__always) func gradientColor(_ distance: Float, _ progress: Float) -> UInt32? {
    ramp.map { gradient($0, partScale > 0 ? distance * partScale : progress) }
  }

  private func gradient(_ ramp: UnsafePointer<UInt32>, _ progress: Float) -> UInt32 {
    let place = min(max(progress, 0), 1) * Float(rampWidth)
    if isStep { return ramp[min(Int(bounded: place), rampWidth - 1)] }
    let u = min(max(place - 0.5, 0), Float(rampWidth - 1))
    let index = Int(bounded: u)
    return Texel.mix(
      ramp[index], ramp[min(index + 1, rampWidth - 1)], UInt32(saturating: (u - Float(index)) * 256))
  }
}

extension PatternImage {
  /// The picture with a pixel of its other side around it, over the line's width.
  /// - Parameters:
  ///   - turn: repetitions along the line.
  ///   - ny: -1...1 across it.
  @inline(__always) func lineTexel(_ turn: Float, _ ny: Float) -> UInt32 {
    let along = turn - Float(floorInteger(turn))
    let across = min(max(0.5 * ny + 0.5, 0), 1)
    let u = nearest((along * Float(width + 2) - 1.5) * 256)
    let v = nearest((across * Float(height + 2) - 1.5) * 256)
    // The image has its far edge beside each of its edges, and nothing else beyond that.
    func wrap(_ value: Int, _ size: Int) -> Int { value < 0 ? size - 1 : value >= size ? 0 : value }
    let (x0, x1) = (wrap(u >> 8, width), wrap((u >> 8) + 1, width))
    let (y0, y1) = (wrap(v >> 8, height), wrap((v >> 8) + 1, height))
    let top = Texel.mix(pixels[y0 * width + x0], pixels[y0 * width + x1], UInt32(u & 255))
    let bottom = Texel.mix(pixels[y1 * width + x0], pixels[y1 * width + x1], UInt32(u & 255))
    return Texel.mix(top, bottom, UInt32(v & 255))
  }
}
