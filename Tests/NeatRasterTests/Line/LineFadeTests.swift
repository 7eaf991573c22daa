import NeatBase
import Testing

@testable import NeatRaster

/// Dashes and patterns on their way from one scale to another.
@Suite struct LineFadeTests {
  private static let red = Premultiplied(Color(r: 1, g: 0, b: 0, a: 1))

  /// The middle row of a straight line from edge to edge.
  private func row(_ style: LineStyle) throws -> [UInt32] {
    let bitmap = try Bitmap(width: 96, height: 16)
    let frame = LineFrame(
      Strip.straight(SIMD2(0, 8), SIMD2(96, 8)).mesh(), Projection(scale: 1), style, width: 96, height: 16)
    frame.draw(bitmap.band, .full(bitmap.band))
    return (0..<96).map { bitmap.pixels[8 * 96 + $0] }
  }

  private func style(
    _ dash: [Float], isRound: Bool = false, stretch: Float = 1, _ color: Premultiplied = red
  ) -> LineStyle {
    var style = LineStyle(
      paint: .same(LinePaint(color: color, width: 4)), unitsPerPixel: 1, integerPixelsPerUnit: 1 / stretch)
    if !dash.isEmpty { style.dash = .same(LineDash(dash, isRound: isRound)) }
    return style
  }

  private func distance(_ a: [UInt32], _ b: [UInt32]) -> Int {
    zip(a, b).map { abs(Int($0 >> 24) - Int($1 >> 24)) }.max() ?? 0
  }

  @Test(arguments: [2, 0.5] as [Float], [false, true])
  func dashesGoFromOneToTheOther(stretch: Float, isRound: Bool) throws {
    let (before, now) = ([2, 2] as [Float], [1, 3] as [Float])
    let start = try row(style(before, isRound: isRound, stretch: stretch))
    let end = try row(style(now, isRound: isRound))
    #expect(distance(start, end) == 255)
    func middle(_ share: UInt32) throws -> [UInt32] {
      var style = style(now, isRound: isRound)
      style.fade = LineFade(share: share, stretch: stretch)
      style.fade?.dash = .same(LineDash(before, isRound: isRound))
      return try row(style)
    }
    #expect(try distance(middle(0), start) <= 2)
    #expect(try distance(middle(256), end) <= 2)
    for share in [64, 128, 192] as [UInt32] {
      let mixed = try middle(share)
      for (x, alpha) in mixed.map({ $0 >> 24 }).enumerated() {
        // What both have whole, or neither has, stays so.
        let (a, b) = (start[x] >> 24, end[x] >> 24)
        #expect(alpha <= max(a, b) + 2 && alpha + 2 >= min(a, b), "\(alpha) between \(a) and \(b) at \(x)")
      }
    }
  }

  /// An edge that lies in one place before and in another one after it lies between them on its way.
  @Test func edgesMove() throws {
    // 8 pixels of dash before, 16 pixels after.
    var style = style([4, 12])
    style.fade = LineFade(share: 128, stretch: 2)
    style.fade?.dash = .same(LineDash([1, 7], isRound: false))
    let row = try row(style).map { $0 >> 24 }
    // Distances are in parts of a period, which is as long here as there: half way.
    #expect((1...10).allSatisfy { row[$0] == 255 } && (13...40).allSatisfy { row[$0] == 0 }, "\(row[0..<24])")
  }

  @Test func aLineWithoutDashesGetsThem() throws {
    let solid = try row(style([]))
    let (before, now) = (try row(style([1, 1], stretch: 2)), try row(style([2, 2])))
    for (comes, share) in [(true, 0), (true, 256), (false, 0), (false, 256)] as [(Bool, UInt32)] {
      var style = style(comes ? [2, 2] : [])
      style.fade = LineFade(share: share, stretch: 2)
      if !comes { style.fade?.dash = .same(LineDash([1, 1], isRound: false)) }
      let isDashed = comes == (share == 256)
      #expect(try distance(row(style), isDashed ? (comes ? now : before) : solid) <= 2)
    }
  }

  /// Dashes without length show nothing.
  @Test func dashesWithoutLength() throws {
    var style = style([2, 2])
    style.fade = LineFade(share: 0, stretch: 2)
    style.fade?.dash = .same(LineDash([0, 0], isRound: false))
    #expect(try row(style).allSatisfy { $0 == 0 })
    style = self.style([0, 0])
    style.fade = LineFade(share: 0, stretch: 2)
    style.fade?.dash = .same(LineDash([2, 2], isRound: false))
    #expect(try row(style).allSatisfy { $0 == 0 })
  }

  @Test func gradientsStayUnderTheirDashes() throws {
    var style = style([2, 2])
    style.gradient = LineGradient(colors: (0..<256).map { 0xFF00_0000 | UInt32($0) }, width: 256)
    style.fade = LineFade(share: 256, stretch: 2)
    style.fade?.dash = .same(LineDash([2, 2], isRound: false))
    let faded = try row(style)
    style.fade = nil
    #expect(try row(style) == faded)
  }

  @Test(arguments: [2, 0.5] as [Float]) func texelsAreMixed(stretch: Float) throws {
    func image(_ colors: [UInt8]) throws -> PatternImage {
      try PatternImage(PixelImage(width: 2, height: 1, pixels: colors, isPremultiplied: true))
    }
    let before = LinePattern(try image([255, 0, 0, 255, 0, 64, 0, 64]))
    let now = LinePattern(try image([0, 0, 255, 255, 0, 128, 0, 128]))
    var start = style([], stretch: stretch)
    start.pattern = .same(before)
    var end = style([])
    end.pattern = .same(now)
    var mixed = end
    mixed.fade = LineFade(share: 64, stretch: stretch)
    mixed.fade?.pattern = .same(before)
    for ((a, b), mix) in try zip(zip(row(start), row(end)), row(mixed)) {
      for shift in [0, 8, 16, 24] as [UInt32] {
        let (a, b, mix) = (Int(a >> shift & 255), Int(b >> shift & 255), Int(mix >> shift & 255))
        #expect(abs(mix - (a * 3 + b) / 4) <= 2)
      }
    }
    // Without one before, the one that comes is mixed with itself.
    mixed.fade?.pattern = .same(nil)
    var own = end
    own.fade = LineFade(share: 64, stretch: stretch)
    own.fade?.pattern = .same(now)
    #expect(try row(mixed) == row(own))
  }
}
