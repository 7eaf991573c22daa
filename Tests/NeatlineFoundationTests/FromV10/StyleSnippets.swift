import Foundation
import Neatline
import NeatlineFoundation
import Testing

// Map styles, localization, expressions, terrain and sky.
extension FromV10 {
  @Test func sourcesAreTyped() throws {
    let mapView = try loadedView()
    let someTurfFeatureCollection = FeatureCollection([
      Feature(geometry: Turf.Point(CLLocationCoordinate2DMake(48, 2)))
    ])
    let someGeoJSONDocumentURL = URL(filePath: "/data/points.geojson")

    var myGeoJSONSource = GeoJSONSource()
    myGeoJSONSource.maxzoom = 14

    // Setting the `data` property with a url pointing to a GeoJSON document
    myGeoJSONSource.data = .url(someGeoJSONDocumentURL)
    #expect(myGeoJSONSource.json["data"] == "/data/points.geojson")

    // Setting a Turf feature to the `data` property
    myGeoJSONSource.data = .featureCollection(someTurfFeatureCollection)

    try mapView.mapboxMap.style.addSource(myGeoJSONSource, id: "my-geojson-source")

    let source = try mapView.mapboxMap.style.source(withId: "my-geojson-source", type: GeoJSONSource.self)
    #expect(source.maxzoom == 14 && mapView.mapboxMap.style.sourceExists(withId: "my-geojson-source"))

    // Its data is updated.
    var circles = CircleLayer(id: "circles")
    circles.source = "my-geojson-source"
    circles.circleRadius = .constant(20)
    circles.circleColor = .constant(StyleColor(.blue))
    try mapView.mapboxMap.style.addLayer(circles)
    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView) == [0, 0, 255])
    let moved = Feature(geometry: Turf.Point(CLLocationCoordinate2DMake(48, 90)))
    try mapView.mapboxMap.style.updateGeoJSONSource(withId: "my-geojson-source", geoJSON: moved)
    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView) == [0, 255, 0])
  }

  @Test func aBackgroundLayerIsAdded() throws {
    let mapView = try loadedView()

    var myBackgroundLayer = BackgroundLayer(id: "my-background-layer")
    myBackgroundLayer.backgroundColor = .constant(StyleColor(.red))

    try mapView.mapboxMap.style.addLayer(myBackgroundLayer)

    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView) == [255, 0, 0])
  }

  @Test func labelsAreLocalized() throws {
    let mapView = try loadedView()

    // Changes locale to Spanish
    try mapView.mapboxMap.style.localizeLabels(into: Locale(identifier: "es"))

    #expect(try mapView.mapboxMap.property(layer: "city-label", "text-field").text.contains("name_es"))

    // Changes all country labels to Japanese
    try mapView.mapboxMap.style.localizeLabels(into: Locale(identifier: "ja"), forLayerIds: ["country-label"])

    #expect(try mapView.mapboxMap.property(layer: "country-label", "text-field").text.contains("name_ja"))
    #expect(try mapView.mapboxMap.property(layer: "city-label", "text-field").text.contains("name_es"))
  }

  @Test func anExpressionIsJSON() throws {
    let mapView = try loadedView()

    let expressionString =
      """
      [
          "interpolate",
          ["linear"],
          ["zoom"],
          0,
          "hsl(0, 79%, 53%)",
          14,
          "hsl(233, 80%, 47%)"
      ]
      """

    if let expressionData = expressionString.data(using: .utf8) {
      let expJSONObject = try JSONSerialization.jsonObject(with: expressionData, options: [])

      try mapView.mapboxMap.style.setLayerProperty(
        for: "land",
        property: "background-color",
        value: expJSONObject)
    }

    mapView.mapboxMap.loadTransitionsAtOnce()
    #expect(
      try mapView.mapboxMap.property(layer: "land", "background-color")
        == JSONValue(parsing: expressionString))
    try mapView.mapboxMap.setCamera(to: CameraOptions(zoom: 0))
    mapView.loop.run(timeout: 10_000)
    let low = try pixel(mapView)
    try mapView.mapboxMap.setCamera(to: CameraOptions(zoom: 14))
    mapView.loop.run(timeout: 10_000)
    let high = try pixel(mapView)
    #expect(low[0] > 200 && low[2] < 80 && high[2] > 200 && high[0] < 80, "from red to blue: \(low) \(high)")
  }

  @Test(arguments: [false, true]) func anExpressionIsBuilt(isDark: Bool) throws {
    let mapView = try loadedView()
    mapView.mapboxMap.loadTransitionsAtOnce()
    func show(_ expression: Exp<StyleColor>) throws {
      try mapView.mapboxMap.style.updateLayer(withId: "land", type: BackgroundLayer.self) {
        $0.backgroundColor = .expression(expression)
      }
      mapView.loop.run(timeout: 10_000)
    }

    try show(
      Exp(.interpolate) {
        Exp(.linear)
        Exp(.zoom)
        0
        StyleColor(.red)
        14
        StyleColor(.blue)
      })

    try mapView.mapboxMap.setCamera(to: CameraOptions(zoom: 7))
    mapView.loop.run(timeout: 10_000)
    let half = try pixel(mapView)
    #expect(half[1] == 0 && (120...135).contains(half[0]) && (120...135).contains(half[2]), "\(half)")

    let isDarkModeEnabled = isDark ? true : false
    let lowZoomColor = isDarkModeEnabled ? StyleColor(.black) : StyleColor(.red)
    let highZoomColor = isDarkModeEnabled ? StyleColor(.gray) : StyleColor(.blue)
    try show(
      Exp(.interpolate) {
        Exp(.linear)
        Exp(.zoom)
        0
        lowZoomColor
        14
        highZoomColor
      })

    try mapView.mapboxMap.setCamera(to: CameraOptions(zoom: 14))
    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView) == (isDark ? [128, 128, 128] : [0, 0, 255]))
  }

  @Test func expressionsAreComposed() throws {
    let mapView = try loadedView()

    let composed: Exp<StyleColor> =
      Exp(.interpolate) {
        Exp(.linear)
        Exp(.zoom)
        Exp(.subtract) {
          10
          3
        }
        StyleColor(.red)
        Exp(.sum) {
          7
          7
        }
        StyleColor(.blue)
      }

    #expect(
      composed.json == ["interpolate", ["linear"], ["zoom"], ["-", 10, 3], "red", ["+", 7, 7], "blue"])
    // The specification has numbers for the stops of a curve, and nothing that is computed.
    var land = try mapView.mapboxMap.style.layer(withId: "land", type: BackgroundLayer.self)
    land.backgroundColor = .expression(composed)
    #expect {
      try mapView.mapboxMap.style.updateLayer(withId: "land", type: BackgroundLayer.self) { $0 = land }
    } throws: {
      "\($0)".contains("literal numeric values")
    }

    // All else may be computed, and defined apart.
    let red: Exp<StyleColor> =
      Exp(.rgb) {
        Exp(.sum) {
          200
          55
        }
        0
        0
      }
    mapView.mapboxMap.loadTransitionsAtOnce()
    try mapView.mapboxMap.style.updateLayer(withId: "land", type: BackgroundLayer.self) {
      $0.backgroundColor = .expression(
        Exp(.interpolate) {
          Exp(.linear)
          Exp(.zoom)
          0
          red
          14
          StyleColor(.blue)
        })
    }
    try mapView.mapboxMap.setCamera(to: CameraOptions(zoom: 0))
    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView) == [255, 0, 0])
  }

  @Test func terrainAndSkyAreAdded() throws {
    let provider = Provider()
    let mapView = try loadedView()

    // Add terrain
    var demSource = RasterDemSource()
    demSource.url = "mapbox://mapbox.mapbox-terrain-dem-v1"
    demSource.tileSize = 512
    demSource.maxzoom = 14.0
    try mapView.mapboxMap.style.addSource(demSource, id: "mapbox-dem")

    var terrain = Terrain(sourceId: "mapbox-dem")
    terrain.exaggeration = .constant(1.5)

    // Add sky layer
    try mapView.mapboxMap.style.setTerrain(terrain)

    var skyLayer = SkyLayer(id: "sky-layer")
    skyLayer.skyType = .constant(.atmosphere)
    skyLayer.skyAtmosphereSun = .constant([0.0, 0.0])
    skyLayer.skyAtmosphereSunIntensity = .constant(15.0)

    try mapView.mapboxMap.style.addLayer(skyLayer)

    let document = try mapView.mapboxMap.style.document
    #expect(document.terrain == terrain && document[layer: "sky-layer"]?.id == "sky-layer")
    #expect(document[source: "mapbox-dem"]?.json["tileSize"] == 512)
    mapView.loop.run(timeout: 10_000)
    // Both are drawn: nothing is said of them.
    let missing = try mapView.mapboxMap.draw().report.missing.map(\.resource)
    #expect(!missing.contains { $0.contains("terrain") || $0.contains("sky") }, "\(missing)")
    #expect(provider.server.countOfPaths { $0.hasPrefix("/v4/mapbox.mapbox-terrain-dem-v1.json") } == 1)
    #expect(throws: (any Error).self) {
      try mapView.mapboxMap.style.setTerrain(Terrain(sourceId: "none"))
    }
  }
}

extension Map {
  /// What is set is there with the next frame.
  fileprivate func loadTransitionsAtOnce() { try? setTransitions(enabled: false) }
}
