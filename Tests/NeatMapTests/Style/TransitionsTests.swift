import NeatBase
import NeatJSON
import NeatStyle
import Testing

@testable import NeatMap

/// Values of properties on their way, at known times.
@Suite struct TransitionsTests {
  /// A style that is edited, and what is seen of it.
  private final class Shown {
    private(set) var style: Style
    var transitions = Transitions()
    private let evaluator = Evaluator()
    private let camera = EvaluationPoint.camera(zoom: 0)

    init(_ layers: String, root: String = "") throws {
      style = try Style(
        parsing: Array(
          """
          {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}}, \(root) "layers": [\(layers)]}
          """.utf8))
    }

    func edit(_ body: (inout StyleEditor) throws -> Void) rethrows {
      var editor = StyleEditor(style)
      try body(&editor)
      transitions.change(from: style, to: editor.style)
      style = editor.style
    }

    func set(_ layer: String, _ name: String, _ json: String) throws {
      try edit { try $0.setPaintProperty(layer: layer, name, try JSON.parse(json)) }
    }

    func value(_ layer: String, _ property: Property, at now: Double, zoom: Double = 0) throws
      -> PropertyValue
    {
      transitions.advance(to: now, style)
      return try #require(transitions.shown(style, evaluator, at: .camera(zoom: zoom)).layer(layer))[property]
    }

    func number(_ layer: String, _ property: Property, at now: Double, zoom: Double = 0) throws -> Double {
      try value(layer, property, at: now, zoom: zoom).number(evaluator, at: .camera(zoom: zoom))
    }

    func color(_ layer: String, _ property: Property, at now: Double) throws -> Color {
      try value(layer, property, at: now).color(evaluator, at: camera)
    }

    func light(_ property: Property, at now: Double) -> [Double] {
      transitions.advance(to: now, style)
      let value = transitions.shown(style, evaluator, at: camera).light[property]
      return property == .lightIntensity
        ? [value.number(evaluator, at: camera)] : value.numbers(evaluator, at: camera)
    }
  }

  private static func circle(_ paint: String = "") -> String {
    #"{"id": "c", "type": "circle", "source": "s", "paint": {\#(paint)}}"#
  }

  @Test func aColourWaitsForItsDelayAndEasesWithinItsDuration() throws {
    let shown = try Shown(
      """
      {"id": "b", "type": "background",
       "paint": {"background-color": "#f00", "background-color-transition": {"duration": 200, "delay": 100}}}
      """)
    try shown.set("b", "background-color", #""blue""#)
    // The clock starts with the first frame, not with the edit.
    for (time, blue) in [(5000, 0), (5099, 0), (5100, 0), (5150, 0.0625), (5200, 0.5), (5250, 0.9375)]
      as [(Double, Float)]
    {
      #expect(
        try shown.color("b", .backgroundColor, at: time) == Color(r: 1 - blue, g: 0, b: blue, a: 1),
        "at \(time)")
      #expect(!shown.transitions.isEmpty)
    }
    #expect(try shown.color("b", .backgroundColor, at: 5300) == Color(r: 0, g: 0, b: 1, a: 1))
    #expect(shown.transitions.isEmpty)
  }

  @Test func whatInterruptsStartsFromTheValueThenShown() throws {
    let shown = try Shown(Self.circle(#""circle-radius": 0, "circle-radius-transition": {"duration": 100}"#))
    try shown.set("c", "circle-radius", "10")
    #expect(try shown.number("c", .circleRadius, at: 0) == 0)
    #expect(try shown.number("c", .circleRadius, at: 50) == 5)
    try shown.set("c", "circle-radius", "20")
    #expect(try shown.number("c", .circleRadius, at: 50) == 5)
    // The first change goes on below the second.
    let below = 10 * 0.9375
    #expect(try shown.number("c", .circleRadius, at: 75) == below + (20 - below) * 0.0625)
    #expect(try shown.number("c", .circleRadius, at: 100) == 15)
    #expect(try shown.number("c", .circleRadius, at: 150) == 20)
    #expect(shown.transitions.isEmpty)
  }

  @Test func changesBetweenTwoFramesAreOne() throws {
    let shown = try Shown(Self.circle(#""circle-radius": 0"#), root: #""transition": {"duration": 100},"#)
    _ = try shown.number("c", .circleRadius, at: 0)
    try shown.set("c", "circle-radius", "100")
    // The transition that stands when the change begins is the one that counts.
    try shown.set("c", "circle-radius-transition", #"{"duration": 1000}"#)
    try shown.set("c", "circle-radius", "10")
    #expect(try shown.number("c", .circleRadius, at: 10) == 0)
    #expect(try shown.number("c", .circleRadius, at: 510) == 5)
    #expect(try shown.number("c", .circleRadius, at: 1010) == 10)
  }

  @Test func theStylesTransitionServesWhereThePropertyHasNone() throws {
    let own = #""circle-blur": 0, "circle-radius": 0, "circle-radius-transition": {"delay": 100}"#
    let shown = try Shown(Self.circle(own), root: #""transition": {"duration": 1000},"#)
    try shown.set("c", "circle-blur", "1")
    try shown.set("c", "circle-radius", "1")
    #expect(try shown.number("c", .circleBlur, at: 0) == 0)
    #expect(try shown.number("c", .circleBlur, at: 500) == 0.5)
    // Members that the property leaves out are the style's.
    #expect(try shown.number("c", .circleRadius, at: 600) == 0.5)
    let plain = try Shown(Self.circle(#""circle-blur": 0"#))
    try plain.set("c", "circle-blur", "1")
    #expect(try plain.number("c", .circleBlur, at: 0) == 0)
    #expect(try plain.number("c", .circleBlur, at: 150) == 0.5)
    #expect(try plain.number("c", .circleBlur, at: 300) == 1)
  }

  @Test func withoutDurationAndDelayAChangeIsThereAtOnce() throws {
    let shown = try Shown(Self.circle(#""circle-radius": 0"#), root: #""transition": {"duration": 0},"#)
    try shown.set("c", "circle-radius", "10")
    #expect(try shown.number("c", .circleRadius, at: 0) == 10)
    #expect(shown.transitions.isEmpty)
    try shown.set("c", "circle-radius-transition", #"{"delay": 50}"#)
    try shown.set("c", "circle-radius", "20")
    #expect(try shown.number("c", .circleRadius, at: 100) == 10)
    #expect(try shown.number("c", .circleRadius, at: 149) == 10)
    #expect(try shown.number("c", .circleRadius, at: 150) == 20)
  }

  @Test func valuesByZoomAreMixedAtTheFramesZoom() throws {
    let shown = try Shown(
      Self.circle(#""circle-radius": ["interpolate", ["linear"], ["zoom"], 0, 0, 10, 10]"#))
    try shown.set("c", "circle-radius", "20")
    #expect(try shown.number("c", .circleRadius, at: 0, zoom: 4) == 4)
    #expect(try shown.number("c", .circleRadius, at: 150, zoom: 4) == 12)
    #expect(try shown.number("c", .circleRadius, at: 150, zoom: 8) == 14)
    try shown.set("c", "circle-radius", #"["interpolate", ["linear"], ["zoom"], 0, 40, 10, 60]"#)
    #expect(try shown.number("c", .circleRadius, at: 1000, zoom: 5) == 20)
    #expect(try shown.number("c", .circleRadius, at: 1150, zoom: 5) == 35)
    #expect(try shown.number("c", .circleRadius, at: 1300, zoom: 5) == 50)
  }

  @Test func aPropertyWithoutValueStartsAtItsDefaultAndGoesBackThere() throws {
    let shown = try Shown(Self.circle())
    try shown.set("c", "circle-opacity", "0")
    #expect(try shown.number("c", .circleOpacity, at: 0) == 1)
    #expect(try shown.number("c", .circleOpacity, at: 150) == 0.5)
    #expect(try shown.number("c", .circleOpacity, at: 300) == 0)
    try shown.edit { try $0.setPaintProperty(layer: "c", "circle-opacity", nil) }
    #expect(try shown.number("c", .circleOpacity, at: 1000) == 0)
    #expect(try shown.value("c", .circleOpacity, at: 1150).isSet)
    #expect(try shown.number("c", .circleOpacity, at: 1150) == 0.5)
    #expect(try !shown.value("c", .circleOpacity, at: 1300).isSet)
  }

  @Test(arguments: [
    ("circle-radius", "5", #"["get", "r"]"#), ("circle-radius", #"["get", "r"]"#, "5"),
    ("circle-radius", "5", #"["interpolate", ["linear"], ["zoom"], 0, ["get", "r"], 9, 1]"#),
    ("circle-radius", #"["feature-state", "r"]"#, "5"),
    ("circle-translate-anchor", #""map""#, #""viewport""#),
    ("circle-pitch-scale", #""map""#, #""viewport""#),
  ])
  func whatHasNothingBetweenChangesAtOnce(_ name: String, _ old: String, _ new: String) throws {
    let shown = try Shown(Self.circle(#""\#(name)": \#(old)"#))
    try shown.set("c", name, new)
    #expect(shown.transitions.isEmpty)
  }

  @Test(arguments: [
    ("fill", "fill-pattern", #""a""#, #""b""#), ("line", "line-dasharray", "[1, 2]", "[3, 4]"),
    ("line", "line-pattern", #""a""#, #""b""#),
    ("fill", "fill-antialias", "true", "false"), ("fill", "fill-outline-color", "null", #""red""#),
  ])
  func imagesDashesAndMissingColoursChangeAtOnce(_ type: String, _ name: String, _ old: String, _ new: String)
    throws
  {
    let shown = try Shown(#"{"id": "l", "type": "\#(type)", "source": "s", "paint": {"\#(name)": \#(old)}}"#)
    try shown.set("l", name, new)
    #expect(shown.transitions.isEmpty)
  }

  @Test func aValueByFeatureEndsWhatWasUnderWay() throws {
    let shown = try Shown(Self.circle(#""circle-radius": 0"#))
    try shown.set("c", "circle-radius", "10")
    #expect(try shown.number("c", .circleRadius, at: 0) == 0)
    try shown.set("c", "circle-radius", #"["get", "r"]"#)
    #expect(shown.transitions.isEmpty)
  }

  @Test func coloursAreMixedAsTheyStandAndArraysNumberByNumber() throws {
    let shown = try Shown(Self.circle(#""circle-color": "rgba(255, 0, 0, 0)", "circle-translate": [0, 4]"#))
    try shown.set("c", "circle-color", #""rgba(0, 0, 255, 1)""#)
    try shown.set("c", "circle-translate", "[10, 20]")
    _ = try shown.color("c", .circleColor, at: 0)
    #expect(try shown.color("c", .circleColor, at: 150) == Color(r: 0.5, g: 0, b: 0.5, a: 0.5))
    #expect(
      try shown.value("c", .circleTranslate, at: 150).numbers2(Evaluator(), at: .camera(zoom: 0))
        == SIMD2(5, 12))
  }

  @Test func listsOfOneLengthAreMixedAndOthersJump() throws {
    let shown = try Shown(
      """
      {"id": "h", "type": "hillshade", "source": "s",
       "paint": {"hillshade-highlight-color": ["black", "white"], "hillshade-shadow-color": ["black", "white"]}}
      """)
    try shown.set("h", "hillshade-highlight-color", #"["white", "white"]"#)
    try shown.set("h", "hillshade-shadow-color", #"["white"]"#)
    _ = try shown.value("h", .hillshadeShadowColor, at: 0)
    let grey = Color(r: 0.5, g: 0.5, b: 0.5, a: 1)
    #expect(
      try shown.value("h", .hillshadeHighlightColor, at: 150).colors(Evaluator(), at: .camera(zoom: 0)) == [
        grey, .white,
      ])
    #expect(
      try shown.value("h", .hillshadeShadowColor, at: 150).colors(Evaluator(), at: .camera(zoom: 0)) == [
        .white
      ])
  }

  @Test func theLightMovesStraightThroughSpace() throws {
    let shown = try Shown(
      Self.circle(),
      root: #""light": {"position": [2, 0, 90], "intensity": 0, "position-transition": {"duration": 100}},"#)
    try shown.edit {
      try $0.setLight(
        try JSON.parse(
          #"{"position": [2, 90, 90], "intensity": 1, "position-transition": {"duration": 100}}"#))
    }
    _ = shown.light(.lightPosition, at: 0)
    let middle = shown.light(.lightPosition, at: 50)
    for (value, expected) in zip(middle, [Double(2).squareRoot(), 45, 90]) {
      #expect(abs(value - expected) < 1e-9, "\(middle)")
    }
    #expect(shown.light(.lightIntensity, at: 150) == [0.5])
    #expect(shown.light(.lightPosition, at: 150) == [2, 90, 90])
  }

  @Test func otherPropertiesAndLayersAreLeftAlone() throws {
    let shown = try Shown(
      Self.circle(#""circle-radius": 0, "circle-blur": 0"#) + "," + #"{"id": "b", "type": "background"}"#)
    try shown.set("c", "circle-radius", "10")
    #expect(try shown.number("c", .circleRadius, at: 0) == 0)
    try shown.set("c", "circle-blur", "1")
    try shown.set("b", "background-opacity", "0.5")
    try shown.edit { try $0.moveLayer("b", before: "c") }
    #expect(
      try shown.number("c", .circleRadius, at: 150) == 5,
      "a change of another property does not start it again")
    #expect(try shown.number("c", .circleRadius, at: 300) == 10)
    #expect(try shown.number("c", .circleBlur, at: 300) == 0.5)
  }

  @Test func layersThatComeShowTheirValuesAtOnce() throws {
    let shown = try Shown(Self.circle(#""circle-radius": 0"#))
    try shown.set("c", "circle-radius", "10")
    _ = try shown.number("c", .circleRadius, at: 0)
    try shown.edit { try $0.removeLayer("c") }
    #expect(shown.transitions.isEmpty)
    try shown.edit { try $0.addLayer(try JSON.parse(Self.circle(#""circle-radius": 30"#))) }
    #expect(shown.transitions.isEmpty)
    #expect(try shown.number("c", .circleRadius, at: 10) == 30)
  }

  @Test func aChangeInEveryFrameDoesNotPileUp() throws {
    let evaluator = Evaluator()
    let camera = EvaluationPoint.camera(zoom: 0)
    let shown = try Shown(Self.circle())
    func value(_ number: Int) throws -> PropertyValue {
      try shown.set("c", "circle-radius", "\(number)")
      return shown.style.layers[0][.circleRadius]
    }
    var course = PropertyCourse(from: try value(0))
    for frame in 1...PropertyCourse.legLimit + 50 {
      course.turn(to: try value(frame))
      course.begin(at: Double(frame), StyleTransition(duration: 1e6))
      course.advance(to: Double(frame))
    }
    #expect(course.legs.count == PropertyCourse.legLimit)
    #expect(course.start.number(evaluator, at: camera) == 50)
    course.advance(to: 2e6)
    #expect(course.isOver)
    #expect(
      course.value(at: 2e6, evaluator, at: camera).number(evaluator, at: camera)
        == Double(PropertyCourse.legLimit + 50))
  }
}
