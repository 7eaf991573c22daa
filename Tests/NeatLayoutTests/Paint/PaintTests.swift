import NeatBase
import NeatLayout
import NeatStyle
import NeatTile
import Testing

@Suite("Paint of buckets")
struct PaintTests {
  private let evaluator = Evaluator()
  private let composite =
    #"["interpolate", ["linear"], ["zoom"], 4, ["get", "a"], 6, ["get", "b"]]"#

  private func place() throws -> EvaluationPoint {
    .layer(
      try makeLayer([.point(0, 0, #"{"a": 2, "b": 6}"#), .point(0, 0, #"{"a": 10, "b": 10}"#)]), zoom: 4)
  }

  @Test("What features and zoom decide is kept at two zooms, and frames lie between them")
  func composites() throws {
    let style = try makeStyleLayer("circle", #""paint": {"circle-radius": \#(composite)}"#)
    var paint = NumberPaint(style[.circleRadius])
    let place = try place()
    for feature in 0..<2 { paint.append(evaluator, at: place.feature(feature)) }
    #expect(paint.isDataDriven && paint.isComposite)
    for (zoom, first) in [(4.0, Float(2)), (4.5, 3), (5, 4)] {
      let resolved = paint.resolved(evaluator, at: .camera(zoom: zoom), layoutZoom: 4)
      #expect(resolved.values == [first, 10] && !resolved.isUniform, "zoom \(zoom)")
    }
    #expect(paint.largest(evaluator, at: .camera(zoom: 4), layoutZoom: 4) == 10)
  }

  @Test("What is the same for all features is evaluated for each frame, and shared")
  func uniform() throws {
    let style = try makeStyleLayer(
      "circle", #""paint": {"circle-radius": ["interpolate", ["linear"], ["zoom"], 0, 0, 10, 10]}"#)
    var paint = NumberPaint(style[.circleRadius])
    paint.append(evaluator, at: try place().feature(0))
    let resolved = paint.resolved(evaluator, at: .camera(zoom: 7), layoutZoom: 4)
    #expect(resolved.isUniform && resolved.uniform == 7 && resolved[3] == 7)
    #expect(paint.shared(evaluator, at: .camera(zoom: 7), in: style) == 7)
    #expect(paint.varying(evaluator, at: .camera(zoom: 7), layoutZoom: 4)[0] == 0)
    #expect(paint.largest(evaluator, at: .camera(zoom: 7), layoutZoom: 4) == 7)
  }

  @Test("A frame may show another value than the bucket was laid out with")
  func shownLayer() throws {
    let (old, new) = (
      try makeStyleLayer("circle", #""paint": {"circle-radius": 1}"#),
      try makeStyleLayer("circle", #""paint": {"circle-radius": 2}"#)
    )
    let paint = NumberPaint(old[.circleRadius])
    #expect(paint.resolved(evaluator, at: .camera(zoom: 0), layoutZoom: 0, in: new).uniform == 2)
    #expect(paint.resolved(evaluator, at: .camera(zoom: 0), layoutZoom: 0).uniform == 1)
  }

  @Test("Colours are premultiplied before they are mixed")
  func colors() throws {
    let style = try makeStyleLayer(
      "circle",
      #""paint": {"circle-color": ["interpolate", ["linear"], ["zoom"], 0, ["case", ["has", "a"], "rgba(255,0,0,0)", "red"], 1, "rgba(0,0,255,1)"]}"#
    )
    var paint = ColorPaint(style[.circleColor])
    let place = EvaluationPoint.layer(try makeLayer([.point(0, 0, #"{"a": 1}"#)]), zoom: 0)
    paint.append(evaluator, at: place.feature(0))
    #expect(
      paint.resolved(evaluator, at: .camera(zoom: 0.5), layoutZoom: 0).values == [SIMD4(0, 0, 0.5, 0.5)],
      "what cannot be seen lends no red")
    #expect(Color(r: 1, g: 0.5, b: 0, a: 0.5).premultiplied == SIMD4(0.5, 0.25, 0, 0.5))
  }

  @Test("Patterns and dashes keep a value a feature where those differ")
  func imagesAndDashes() throws {
    let style = try makeStyleLayer(
      "line", #""paint": {"line-pattern": ["get", "p"], "line-dasharray": [1, 2]}"#)
    var paint = ImagePaint(style[.linePattern])
    let place = EvaluationPoint.layer(
      try makeLayer([.point(0, 0, #"{"p": "stripes"}"#), .point(0, 0)]), zoom: 0)
    for feature in 0..<2 { paint.append(evaluator, at: place.feature(feature)) }
    let resolved = paint.resolved(evaluator, at: .camera(zoom: 0))
    #expect(resolved.values == ["stripes", ""] && !resolved.isEmpty && resolved[1] == "")
    #expect(
      DashPaint(style[.lineDasharray], cap: style[.lineCap])
        .dashes(5, evaluator, at: .camera(zoom: 0)) == [1, 2])
    let none = ImagePaint(try makeStyleLayer("line")[.linePattern])
    #expect(none.resolved(evaluator, at: .camera(zoom: 0)).isEmpty)
  }
}
