import Neatline
import Testing

@Suite struct StyleIdentifierTests {
  private static let json = #"""
    {"version":8,"sources":{"here":{"type":"geojson","data":{"type":"FeatureCollection","features":[]}}},
     "layers":[{"id":"bg","type":"background"},{"id":"dots","type":"circle","source":"here"}]}
    """#

  @Test func theStyleTellsWhatItHolds() throws {
    let map = try Map(loop: EventLoop(), width: 16, height: 16)
    #expect(
      map.style.allLayerIdentifiers.isEmpty && !map.style.layerExists(withId: "bg") && !map.style.isLoaded
        && map.style.uri == nil)
    #expect { try map.info } throws: { ($0 as? NeatlineError)?.status == .state }
    try map.setStyle(json: Self.json)
    #expect(!map.style.isLoaded, "its sources are not known yet")
    map.loop.run(timeout: 5000)
    #expect(map.style.isLoaded && map.style.uri == nil)
    #expect(
      map.style.allLayerIdentifiers == [
        LayerInfo(id: "bg", typeName: "background"), LayerInfo(id: "dots", typeName: "circle"),
      ])
    #expect(
      map.style.allLayerIdentifiers[1].type == .circle && map.style.allSourceIdentifiers[0].type == .geojson)
    #expect(map.style.layerExists(withId: "dots") && !map.style.layerExists(withId: "none"))
    #expect(map.style.sourceExists(withId: "here") && !map.style.sourceExists(withId: "dots"))
    try map.style.removeLayer(withId: "dots")
    #expect(!map.style.layerExists(withId: "dots"))
  }

  @Test func imagesAreAddedUnderTheirNamesOfTheSDKs() throws {
    let map = try Map(loop: EventLoop(), width: 16, height: 16)
    try map.setStyle(
      json:
        #"{"version":8,"sources":{},"layers":[{"id":"bg","type":"background","paint":{"background-pattern":"red"}}]}"#
    )
    try map.style.addImage(Image(width: 1, height: 1, pixels: [255, 0, 0, 255]), id: "red")
    map.loop.run(timeout: 5000)
    #expect(try Array(map.draw().pixels.prefix(4)) == [255, 0, 0, 255])
    try map.style.removeImage(withId: "red")
    map.loop.run(timeout: 5000)
    #expect(try map.draw().pixels[3] == 0)
  }

  @Test func numbersThatNoTileOrFeatureHasAreErrors() throws {
    let index = try GeoJSONIndex(
      parsing: Array(
        #"{"type":"Feature","id":4,"properties":{"a":1},"geometry":{"type":"Point","coordinates":[0,0]}}"#
          .utf8))
    let tile = try #require(try index.tile(z: 0, x: 0, y: 0))
    let layer = try tile.layer(0)
    #expect(
      try layer.type(0) == .point && layer.id(0) == 4 && layer.parts(0).count == 1 && layer.tags(0).count == 1
    )
    for feature in [-1, 1, Int.max, Int.min] {
      let calls: [() throws -> Void] = [
        { _ = try layer.type(feature) }, { _ = try layer.id(feature) }, { _ = try layer.parts(feature) },
        { _ = try layer.tags(feature) },
        { _ = try layer.attributes(feature) }, { _ = try layer.properties(feature) },
        { _ = try layer.key(feature) },
        { _ = try layer.value(feature) }, { _ = try tile.layer(feature) },
      ]
      for call in calls {
        #expect(performing: call, throws: { ($0 as? NeatlineError)?.status == .invalidArgument })
      }
    }
    for (z, x, y) in [(-1, 0, 0), (0, 1, 0), (0, 0, -1), (31, 0, 0), (3, 8, 0)] {
      #expect { try index.tile(z: z, x: x, y: y) } throws: {
        ($0 as? NeatlineError)?.status == .invalidArgument
      }
      #expect { try tile.geoJSONText(z: z, x: x, y: y) } throws: {
        ($0 as? NeatlineError)?.status == .invalidArgument
      }
    }
    #expect { try index.leaves(of: 1, limit: -1) } throws: {
      ($0 as? NeatlineError)?.status == .invalidArgument
    }
  }
}
