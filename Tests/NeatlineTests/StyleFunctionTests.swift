import Neatline
import Testing

/// The style functions of the oldest SDKs, with the examples of their documentation.
@Suite struct StyleFunctionTests {
  private let stops: [Double: StyleValue<StyleColor>] = [
    0: StyleValue<StyleColor>(rawValue: "yellow"), 2.5: StyleValue(rawValue: "orange"),
    5: StyleValue(rawValue: "red"),
  ]

  @Test func exponentialFunctionsOfAnAttributeInterpolate() {
    let value = StyleValue(
      interpolationMode: .exponential, sourceStops: stops, attributeName: "mag",
      options: [.defaultValue: StyleValue<StyleColor>(rawValue: "green")])
    #expect(
      value.json.text
        == #"["case",["==",["typeof",["get","mag"]],"number"],["interpolate",["linear"],["number",["get","mag"]],0,"yellow",2.5,"orange",5,"red"],"green"]"#
    )
  }

  @Test func cameraFunctionsFollowTheZoom() {
    let stops = [
      12: StyleValue<Double>(rawValue: 0.5), 14: StyleValue(rawValue: 2), 18: StyleValue(rawValue: 18),
    ]
    var layer = CircleLayer(id: "a")
    layer.circleRadius = StyleValue(
      interpolationMode: .exponential, cameraStops: stops, options: [.interpolationBase: 1.5])
    #expect(
      layer.circleRadius?.json.text == #"["interpolate",["exponential",1.5],["zoom"],12,0.5,14,2,18,18]"#)
    layer.circleRadius = StyleValue(interpolationMode: .interval, cameraStops: stops)
    #expect(layer.circleRadius?.json.text == #"["step",["zoom"],0.5,14,2,18,18]"#)
  }

  @Test func intervalFunctionsStep() {
    let value = StyleValue(interpolationMode: .interval, sourceStops: stops, attributeName: "mag")
    #expect(value.json.text == #"["step",["number",["get","mag"]],"yellow",2.5,"orange",5,"red"]"#)
  }

  @Test func categoricalFunctionsMatch() {
    let stops = [
      "quarry blast": StyleValue<StyleColor>(rawValue: "yellow"),
      "earthquake": StyleValue(rawValue: "orange"),
      "explosion": StyleValue(rawValue: "red"),
    ]
    let value = StyleValue(
      interpolationMode: .categorical, sourceStops: stops, attributeName: "type",
      options: [.defaultValue: StyleValue<StyleColor>(rawValue: "blue")])
    #expect(
      value.json.text
        == #"["match",["get","type"],"earthquake","orange","explosion","red","quarry blast","yellow","blue"]"#
    )
    let flags = StyleValue<Double>(
      interpolationMode: .categorical, sourceStops: [true: .constant(2), false: .constant(1)],
      attributeName: "on",
      options: [.defaultValue: 0])
    #expect(flags.json.text == #"["case",["==",["get","on"],false],1,["==",["get","on"],true],2,0]"#)
  }

  @Test func identityFunctionsTakeTheAttribute() {
    let value = StyleValue<Double>(
      interpolationMode: .identity, sourceStops: nil, attributeName: "mag",
      options: [.defaultValue: StyleValue<Double>(rawValue: 0)])
    #expect(value.json.text == #"["number",["get","mag"],0]"#)
  }

  @Test func compositeFunctionsFollowBoth() {
    let stops = [
      10: [0: StyleValue<Double>(rawValue: 1), 5: StyleValue(rawValue: 2)],
      0: [0: StyleValue(rawValue: 3), 5: StyleValue(rawValue: 4)],
    ]
    let value = StyleValue(interpolationMode: .exponential, compositeStops: stops, attributeName: "mag")
    #expect(
      value.json.text
        == #"["interpolate",["linear"],["zoom"],0,["interpolate",["linear"],["number",["get","mag"]],0,3,5,4],10,["interpolate",["linear"],["number",["get","mag"]],0,1,5,2]]"#
    )
  }

  @Test func namesStepBetweenTheirStops() {
    let value = StyleValue<LineCap>(
      interpolationMode: .interval, cameraStops: [0: .constant(.butt), 9: .constant(.round)])
    #expect(value.json.text == #"["step",["zoom"],"butt",9,"round"]"#)
  }

  @Test func functionsThatCannotBeAreRefusedWhenSet() throws {
    for value in [
      StyleValue<Double>(interpolationMode: .categorical, cameraStops: [0: .constant(1)]),
      StyleValue<Double>(interpolationMode: .exponential, cameraStops: [Int: StyleValue<Double>]()),
      StyleValue<Double>(interpolationMode: .exponential, cameraStops: [0: .expression(Exp(.zoom))]),
    ] {
      var layer = BackgroundLayer(id: "a")
      layer.backgroundOpacity = value
      var document = StyleDocument()
      document.layers = [AnyLayer(layer)]
      #expect(try !validateStyle(document.json.text).isEmpty)
    }
  }
}
