// Dashes and patterns of a line while a map goes over from those of one whole zoom to those of another. Distances of
// dashes are mixed before their edges are smoothed, as in MapLibre's shader: an edge moves from where it was to where
// it is. Texels of patterns are mixed as they are, premultiplied.
import NeatBase

/// What dashes and patterns of a line are on their way from.
package struct LineFade: Sendable {
  /// How far they have come, in 256ths.
  package let share: UInt32
  /// How much longer than those that come they are drawn: 2 or 1/2.
  package let stretch: Float
  /// Nil: a line without dashes.
  package var dash: PerFeature<LineDash?> = .same(nil)
  package var pattern: PerFeature<LinePattern?>?

  package init(share: UInt32, stretch: Float) {
    assert(share <= 256 && stretch > 0, "a part of a whole")
    (self.share, self.stretch) = (share, stretch)
  }
}

/// Dashes and patterns on their way, in any colour. Lives no longer than the style it was made from.
struct FadingLineShader: PixelLineShader {
  static var needsDistance: Bool { true }
  static var needsAcross: Bool { true }

  /// Dash and pattern of one of both zooms.
  private struct Side {
    let dash: Unmanaged<LineDash>?
    /// Periods for a tile unit; 0 where no place is in a dash.
    let dashScale: Float
    let gamma: Float
    let pattern: Unmanaged<PatternImage>?
    /// Repetitions for a tile unit.
    let patternScale: Float

    init(_ dash: LineDash?, _ pattern: LinePattern?, _ shade: LineShade, _ style: LineStyle, stretch: Float) {
      let pixelsPerUnit = style.integerPixelsPerUnit / stretch
      self.dash = dash.map { Unmanaged.passUnretained($0) }
      // In parts of a period ends are as soft as they were before: as if the map had not passed the whole zoom.
      let measures = style.dashMeasures(length: dash?.length ?? 1, shade)
      dashScale = dash.map { $0.length > 0 } == true ? measures.periods / stretch : 0
      gamma = measures.gamma
      self.pattern = pattern.map { Unmanaged.passUnretained($0.image) }
      patternScale =
        pattern.map { pixelsPerUnit / Float($0.image.width) * Float($0.image.height) / shade.floorWidth } ?? 0
    }

    /// The largest of its scales, to keep places within range.
    var scale: Float { max(dashScale, patternScale) }

    /// As `LineDash.sample`; a line without dashes is inside everywhere.
    @inline(__always) func dashValue(_ distance: Float, _ ny: Float) -> Float {
      guard let dash else { return 1 }
      return dash._withUnsafeGuaranteedRef { $0.sample(period: distance * dashScale, across: ny) }
    }

    @inline(__always) func texel(_ distance: Float, _ ny: Float) -> UInt32? {
      pattern?._withUnsafeGuaranteedRef { $0.lineTexel(distance * patternScale, ny) }
    }
  }

  /// What it is without fading: its colours, and where along the line a place is.
  private let base: DecoratedLineShader
  private let from: Side
  private let to: Side
  private let share: UInt32
  private let hasDash: Bool
  /// Half the softness of a dash's end: that of both, mixed as their distances are.
  private let gamma: Float
  private let scale: Float

  /// Nil where the feature has neither dash nor pattern on its way.
  init?(_ shade: LineShade, _ style: LineStyle, ramps: UnsafePointer<UInt32>?) {
    guard let fade = style.fade else { return nil }
    let feature = Int(shade.feature)
    let (dash, pattern) = (style.dash[feature], style.pattern?[feature])
    let dashBefore = fade.dash[feature]
    hasDash = dash != nil || dashBefore != nil
    guard hasDash || pattern != nil else { return nil }
    base = DecoratedLineShader(shade, style, ramps: ramps)
    to = Side(dash, pattern, shade, style, stretch: 1)
    from = Side(dashBefore, fade.pattern?[feature] ?? pattern, shade, style, stretch: fade.stretch)
    share = fade.share
    // What has no dashes has no ends of its own.
    let (before, now) = (from.dashScale > 0 ? from.gamma : to.gamma, to.dashScale > 0 ? to.gamma : from.gamma)
    gamma = before + (now - before) * Float(share) / 256
    scale = max(from.scale, to.scale)
  }

  @inline(never)
  func blend(_ dst: UInt32, coverage: Float, ny: Float, distance: Float) -> UInt32 {
    var coverage = coverage * base.opacity
    let progress = base.progress(distance)
    let along = base.measured(distance, progress)
    guard coverage > 0, abs(along * scale) < 4e6 else { return dst }
    if hasDash {
      let before = from.dashValue(along, ny)
      let value = before + (to.dashValue(along, ny) - before) * Float(share) / 256
      coverage *= LineDash.edge(value, gamma: gamma)
    }
    if !(coverage >= 0.5) { return dst }
    var color = base.gradientColor(distance, progress) ?? base.color
    if let texel = to.texel(along, ny) {
      color = Texel.mix(from.texel(along, ny) ?? texel, texel, share)
    }
    return Blend.over(dst, color, coverage: UInt32(nearest(min(coverage, 255))))
  }
}
