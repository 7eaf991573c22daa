import NeatBase
import NeatJSON
import NeatStyle
import Testing

/// Layers of type `sky`: read, kept and validated, drawn as nothing.
@Suite struct SkyLayerTests {
  private static let sky = """
    {"version":8,"sources":{},"layers":[{"id":"sky","type":"sky","minzoom":2,"paint":{"sky-type":"gradient","sky-gradient":
     ["interpolate",["linear"],["sky-radial-progress"],0.8,"rgba(135, 206, 235, 1.0)",1,"rgba(0,0,0,0.1)"],"sky-gradient-center":[0,0],
     "sky-gradient-radius":90,"sky-opacity":["interpolate",["exponential",0.1],["zoom"],5,0,22,1],"sky-opacity-transition":{"duration":1},
     "sky-atmosphere-sun":[0,90],"sky-atmosphere-sun-intensity":15,"sky-atmosphere-color":"white","sky-atmosphere-halo-color":"red"},
     "layout":{"visibility":"visible"}}]}
    """

  @Test func styleWithASkyLayerIsValid() throws {
    #expect(validateStyle(Array(Self.sky.utf8)).map(\.message) == [])
    let style = try Style(json: JSON.parse(Self.sky))
    #expect(style.issues.map(\.message) == [])
    let layer = try #require(style.layers.first)
    #expect(layer.type == .sky && layer.source == nil && layer.minZoom == 2)
    #expect(layer[.skyAtmosphereSunIntensity].number(Evaluator(), at: .camera(zoom: 0)) == 15)
    #expect(layer.json["paint"]?.count == 10)
  }

  @Test func gradientFollowsTheProgress() throws {
    let style = try Style(json: JSON.parse(Self.sky))
    let edge = EvaluationPoint.ramp(RampInputs(skyRadialProgress: 1), zoom: 0)
    #expect(style.layers[0][.skyGradient].color(Evaluator(), at: edge).a == 0.1)
  }

  @Test func faultsOfSkyLayersAreNamed() throws {
    func messages(_ paint: String) throws -> [String] {
      validateStyle(
        try JSON.parse(#"{"version":8,"sources":{},"layers":[{"id":"s","type":"sky","paint":{\#(paint)}}]}"#)
      ).map(\.message)
    }
    #expect(
      try messages(#""sky-opacity":2"#).first?.contains("sky-opacity: 2 is greater than the maximum value 1")
        == true)
    #expect(
      try messages(#""sky-type":"blue""#).first?.contains("expected one of [gradient, atmosphere]") == true)
    #expect(try messages(#""sky-colour":"blue""#).first?.contains("unknown property \"sky-colour\"") == true)
    #expect(try messages(#""sky-atmosphere-color":["get","a"]"#).count == 1)
  }

  @Test func editorAddsSkyLayersWithoutASource() throws {
    var editor = StyleEditor(try Style(json: JSON.parse(#"{"version":8,"sources":{},"layers":[]}"#)))
    try editor.addLayer(JSON.parse(#"{"id":"s","type":"sky"}"#))
    try editor.setPaintProperty(layer: "s", "sky-opacity", .number(0.5))
    #expect(editor.style.layers[0][.skyOpacity].number(Evaluator(), at: .camera(zoom: 0)) == 0.5)
  }
}
