import NeatBase
import NeatJSON
import NeatStyle
import Testing

@Suite struct TileSetTests {
  private func tileSet(_ text: String, base: String = "https://host/dir/tiles.json") throws -> TileSet {
    var set = TileSet()
    set.read(try JSON.parse(text), base: base)
    return set
  }

  private func address(_ template: String, _ tile: TileID, scheme: String = "xyz", pixelRatio: Double = 1)
    throws -> String?
  {
    try tileSet(#"{"tiles":["\#(template)"],"scheme":"\#(scheme)"}"#).request(tile, pixelRatio: pixelRatio)?
      .url
  }

  @Test func templatesAreFilled() throws {
    let tile = TileID(z: 5, x: 17, y: 10)
    #expect(try address("http://h/{z}/{x}/{y}.pbf", tile) == "http://h/5/17/10.pbf")
    #expect(try address("http://h/{z}/{x}/{y}.pbf", tile, scheme: "tms") == "http://h/5/17/21.pbf")
    #expect(try address("http://h/{quadkey}", TileID(z: 3, x: 3, y: 5)) == "http://h/213")
    #expect(try address("http://h/{quadkey}/{prefix}", tile, scheme: "tms") == "http://h/12021/1a")
    #expect(try address("http://h/{z}/{x}/{y}{ratio}.png", tile, pixelRatio: 1) == "http://h/5/17/10.png")
    #expect(try address("http://h/{z}/{x}/{y}{ratio}.png", tile, pixelRatio: 3) == "http://h/5/17/10@2x.png")
    #expect(try address("http://h/{x}?a={x}&b={y}", tile) == "http://h/17?a=17&b=10")
    #expect(try address("sub/{z}", tile) == "https://host/dir/sub/5")
  }

  @Test func boxesAreInMetresOfEPSG3857() throws {
    let half = 20037508.342789244
    let world = try #require(try address("http://h/?bbox={bbox-epsg-3857}", TileID(z: 0, x: 0, y: 0)))
    let numbers = world.split(separator: "=")[1].split(separator: ",").compactMap { Double($0) }
    #expect(
      numbers.count == 4 && zip(numbers, [-half, -half, half, half]).allSatisfy { abs($0 - $1) < 1e-6 })
    let quarter = try #require(
      try address("http://h/?bbox={bbox-epsg-3857}", TileID(z: 1, x: 1, y: 0), scheme: "tms"))
    let corner = quarter.split(separator: "=")[1].split(separator: ",").compactMap { Double($0) }
    #expect(zip(corner, [0, 0, half, half]).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func severalTemplatesTakeTurns() throws {
    let set = try tileSet(#"{"tiles":["http://a/{x}/{y}","http://b/{x}/{y}"]}"#)
    #expect(set.request(TileID(z: 3, x: 1, y: 1), pixelRatio: 1)?.url == "http://a/1/1")
    #expect(set.request(TileID(z: 3, x: 2, y: 1), pixelRatio: 1)?.url == "http://b/2/1")
    #expect(TileSet().request(TileID(z: 0, x: 0, y: 0), pixelRatio: 1) == nil)
  }

  @Test func tileJSON3IsRead() throws {
    let text = """
      {"tilejson":"3.0.0","tiles":["{z}/{x}/{y}.pbf"],"minzoom":2,"maxzoom":12,"bounds":[-10,-20,30,40],"attribution":"us","scheme":"tms",
       "vector_layers":[{"id":"a","fields":{}}],"fillzoom":3,"center":[0,0,1]}
      """
    try TileSet.check(try JSON.parse(text))
    let set = try tileSet(text)
    #expect(
      set.minZoom == 2 && set.maxZoom == 12 && set.isTMS && set.attribution == "us" && set.bounds?.north == 40
    )
    #expect(set.templates == ["https://host/dir/{z}/{x}/{y}.pbf"])
  }

  @Test func archivesAreAskedByTile() throws {
    let set = try tileSet(
      #"{"tiles":["pmtiles://../a.pmtiles"],"scheme":"tms"}"#, base: "/maps/styles/style.json")
    let request = try #require(set.request(TileID(z: 1, x: 0, y: 0), pixelRatio: 2))
    #expect(request.url == "pmtiles:///maps/a.pmtiles" && request.tile == TileID(z: 1, x: 0, y: 0))
  }

  @Test func whatIsNoTileJSONThrowsWithItsByte() throws {
    for (text, offset) in [
      ("[]", 0), (#"{"tiles":"x"}"#, 9), (#"{"tiles":[1]}"#, 9), (#"{"minzoom":31}"#, 11),
      (#"{"maxzoom":-1}"#, 11),
      (#"{"minzoom":"a"}"#, 11),
      (#"{"minzoom":5,"maxzoom":4}"#, 11), (#"{"tilejson":"4.0.0"}"#, 12),
    ] {
      let json = try JSON.parse(text)
      #expect { try TileSet.check(json) } throws: { ($0 as? NeatError)?.offset == offset }
    }
  }
}
