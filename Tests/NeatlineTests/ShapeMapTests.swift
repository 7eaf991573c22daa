import Neatline
import Testing

/// Shapes in maps: sources made of them, queries that answer with them, expressions that measure against
/// them.
@Suite struct ShapeMapTests {
  private static func place(_ longitude: Double, _ latitude: Double) -> Coordinate {
    Coordinate(longitude: longitude, latitude: latitude)
  }

  private static let quake = Feature(
    Point(place(0, 0)), identifier: .uint64(.max),
    attributes: [
      "mag": 4.5, "count": .uint64(.max), "low": .int64(.min), "felt": nil, "tsunami": false,
      "name": "Null Island", "nested": ["a": [1]],
    ])

  private static let around = Polygon(coordinates: [place(-1, -1), place(1, -1), place(1, 1), place(-1, 1)])

  private func map() throws -> Map {
    let map = try Map(loop: EventLoop(), width: 64, height: 64)
    try map.setStyle(json: #"{"version":8,"sources":{},"layers":[]}"#)
    return map
  }

  private func dots(_ map: Map, _ source: GeoJSONSource) throws {
    try map.style.addSource(source, id: "quakes")
    var layer = CircleLayer(id: "dots")
    layer.source = "quakes"
    layer.circleRadius = .constant(10)
    try map.style.addLayer(layer)
    map.loop.run(timeout: 10_000)
  }

  @Test func optionsOfAShapeSourceAreMembersOfTheSource() throws {
    let source = GeoJSONSource(
      shape: Self.quake,
      options: [
        .clustered: true, .clusterRadius: 42, .maximumZoomLevelForClustering: 11, .maximumZoomLevel: 12,
        .buffer: 64,
        .simplificationTolerance: 0.5, .lineDistanceMetrics: true, .clusterMinPoints: 3,
        .clusterProperties: ["sum": ["+", ["get", "mag"]]],
      ])
    #expect(source.cluster == true)
    #expect(
      [source.clusterRadius, source.clusterMaxZoom, source.maxzoom, source.buffer, source.tolerance] == [
        42, 11, 12, 64, 0.5,
      ])
    #expect(source.lineMetrics == true)
    #expect(source.clusterMinPoints == 3)
    #expect(source.clusterProperties?["sum"]?[0] == "+")
    #expect(source.json["type"] == "geojson")
    #expect(GeoJSONSource(url: "a.geojson").data == .url("a.geojson"))
    let shapes = try #require(
      try GeoJSONSource(shapes: [Point(Self.place(1, 2)), Self.around]).data?.geoJSON)
    #expect(shapes.geometries.count == 2)
    #expect(
      try GeoJSONSource(features: [Feature(Self.around)]).data?.geoJSON?.typeName == "FeatureCollection")
    var typed = GeoJSONSource()
    typed.data = .featureCollection(FeatureCollection([Feature(Point(Self.place(1, 2)))]))
    #expect(
      try typed.data?.geoJSON == .featureCollection(FeatureCollection([Feature(Point(Self.place(1, 2)))])))
    typed.data = .url("b")
    #expect(try typed.data?.geoJSON == nil)
  }

  @Test func aSourceOfAShapeIsDrawnAndQueriedBackAsFeatures() throws {
    let map = try map()
    var quake = Self.quake
    quake.identifier = 7
    quake.attributes["count"] = nil
    quake.attributes["low"] = nil
    try dots(map, GeoJSONSource(shape: quake))
    let found = try #require(try map.queryRenderedFeatures(at: (32, 32)).first)
    #expect(found.feature.identifier == 7)
    #expect(found.feature.attributes == quake.attributes)
    #expect(found.feature.foreignMembers.isEmpty)
    #expect([found.layer, found.source, found.sourceLayer] == ["dots", "quakes", nil])
    guard case .point(let point)? = found.feature.geometry else {
      return #expect(Bool(false), "a point was given")
    }
    #expect(abs(point.coordinate.longitude) < 0.01 && abs(point.coordinate.latitude) < 0.01)
    try map.setFeatureState(["source": "quakes", "id": 7], ["hover": true])
    #expect(try map.queryRenderedFeatures(in: (0, 0, 64, 64)).first?.state == ["hover": true])
    #expect(try map.queryRenderedFeatures(at: (1, 1)).isEmpty)
    #expect(try map.queryRenderedFeatures(at: (32, 32), options: .init(layerIds: ["none"])).isEmpty)
    let filter = Exp(.gt) {
      Exp(.get) { "mag" }; 5
    }
    #expect(try map.queryRenderedFeatures(at: (32, 32), options: .init(filter: filter)).isEmpty)
    #expect(throws: NeatlineError.self) { try map.queryRenderedFeatures(in: (9, 9, 0, 0)) }
  }

  /// Through the text of a live source whole numbers stay exact in all 64 bits, there and back.
  @Test func theDataOfALiveSourceIsReplacedByAShape() throws {
    let map = try map()
    try dots(map, GeoJSONSource(shape: FeatureCollection([])))
    #expect(try map.queryRenderedFeatures(in: (0, 0, 64, 64)).isEmpty)
    try map.style.updateGeoJSONSource(withId: "quakes", geoJSON: Self.quake)
    map.loop.run(timeout: 10_000)
    let found = try #require(try map.queryRenderedFeatures(at: (32, 32)).first?.feature)
    #expect(found.identifier == .uint64(.max))
    #expect(found.attributes == Self.quake.attributes)
    try map.setGeoJSON(source: "quakes", Point(Self.place(90, 0)))
    map.loop.run(timeout: 10_000)
    #expect(try map.queryRenderedFeatures(at: (32, 32)).isEmpty)
    #expect(throws: NeatlineError.self) { try map.setGeoJSON(source: "none", Self.quake) }
  }

  @Test func aRendererAnswersWithFeatures() throws {
    var layer = CircleLayer(id: "dots")
    layer.source = "p"
    layer.circleRadius = .constant(10)
    var style = StyleDocument()
    style[source: "p"] = AnySource(
      GeoJSONSource(shape: Feature(Point(Self.place(0, 0)), attributes: ["n": -5])))
    style[layer: "dots"] = AnyLayer(layer)
    let renderer = try Renderer(json: style.json.text)
    let found = try renderer.queryRenderedFeatures(size: PictureSize(64, 64), in: (30, 30, 34, 34))
    #expect(found.map(\.feature.attributes) == [["n": -5]])
    #expect(found.map(\.layer) == ["dots"])
  }

  @Test func tilesAreFeatureCollectionsByLayer() throws {
    let index = try GeoJSONIndex(
      FeatureCollection([Self.quake, Feature(Self.around, attributes: ["n": .double(1.5)])]))
    let tile = try #require(try index.tile(z: 0, x: 0, y: 0))
    let layer = try tile.layer(0)
    #expect(try layer.attributes(0) == Self.quake.attributes)
    #expect(try layer.attributes(1) == ["n": 1.5])
    let found = try tile.featureCollections(z: 0, x: 0, y: 0)
    #expect(found.map(\.layer) == [layer.name])
    let features = try #require(found.first?.collection.features)
    #expect(features.map(\.attributes) == [Self.quake.attributes, ["n": 1.5]])
    #expect(features[0].identifier == .uint64(.max))
    #expect(found.first?.collection.foreignMembers["extent"] == 4096)
    let bounds = try #require(features[1].coordinateBounds)
    #expect(abs(bounds.west + 1) < 0.1 && abs(bounds.north - 1) < 0.1)
  }

  @Test func clustersAreFeatures() throws {
    let points = (0..<5).map {
      Feature(
        Point(Self.place(Double($0) / 100, 1)), identifier: .string("p\($0)"), attributes: ["n": .int($0)])
    }
    let far = Feature(Point(Self.place(120, -40)), attributes: ["n": 9])
    let index = try GeoJSONIndex(FeatureCollection(points + [far]), options: ["cluster": true])
    let found = try index.clusters(west: -180, south: -90, east: 180, north: 90, zoom: 0)
    let cluster = try #require(found.first { $0.isCluster })
    #expect(cluster.clusterPointCount == 5)
    #expect(found.count == 2)
    let alone = try #require(found.first { !$0.isCluster })
    #expect(alone == far)
    #expect([alone.clusterIdentifier.map { _ in 1 }, alone.clusterPointCount] == [nil, nil])
    let id = try #require(cluster.clusterIdentifier)
    #expect(cluster.identifier == .uint64(id))
    let leaves = try index.leaves(of: id)
    #expect(Set(leaves) == Set(points))
    #expect(try index.children(of: id).reduce(0) { $0 + ($1.clusterPointCount ?? 1) } == 5)
    #expect(try index.expansionZoom(of: id) > 0)
    #expect(
      !Feature(geometry: nil, attributes: ["cluster": false, "cluster_id": 1, "point_count": 2]).isCluster)
    #expect(Feature(geometry: nil, attributes: ["cluster_id": 1]).clusterIdentifier == nil)
  }

  @Test func shapesAreArgumentsOfWithinAndDistance() throws {
    let within = Exp(.within) { Self.around }
    #expect(type(of: within) == Exp<Bool>.self)
    #expect(within.json[1]?["type"] == "Polygon")
    let distance = Exp(.distance) { Feature(Self.around) }
    #expect(type(of: distance) == Exp<Double>.self)
    #expect(try CompiledExpression(within).info["type"] == JSONValue.string("boolean"))
    #expect(try CompiledExpression(distance).info["type"] == JSONValue.string("number"))
    #expect(throws: NeatlineError.self) { try CompiledExpression(Exp(.within) { Point(Self.place(0, 0)) }) }
  }

  @Test func aFilterByShapeShowsWhatLiesWithin() throws {
    let map = try map()
    let points = FeatureCollection([
      Feature(Point(Self.place(0, 0)), identifier: 1), Feature(Point(Self.place(15, 0)), identifier: 2),
    ])
    try map.style.addSource(GeoJSONSource(shape: points), id: "points")
    func found(_ filter: Exp<Bool>, _ id: String) throws -> [FeatureIdentifier?] {
      var layer = CircleLayer(id: id)
      layer.source = "points"
      layer.filter = filter
      try map.style.addLayer(layer)
      map.loop.run(timeout: 10_000)
      return try map.queryRenderedFeatures(in: (0, 0, 64, 64), options: .init(layerIds: [id])).map(
        \.feature.identifier)
    }
    #expect(try found(Exp(.within) { Self.around }, "a") == [1])
    let isFar = Exp(.gt) {
      Exp(.distance) { Self.around }; 1000
    }
    #expect(try found(isFar, "b") == [2])
    #expect(try found(Exp(predicateFormat: "SELF IN %@", Feature(Self.around)), "c") == [1])
    #expect(try Exp(format: "mgl_distanceFrom(%@)", Self.around).json[0] == "distance")
  }
}
