import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatRaster
import NeatStyle
import Testing

@testable import NeatMap

/// The root `fog` of Mapbox styles in pictures.
@Suite struct FogFrameTests {
  private static let edge = 96
  private static let fog = ##""fog": {"color": "#ffffff", "range": [0, 1]}"##
  private static let ground =
    ##"{"id": "b", "type": "background", "paint": {"background-color": "#ff0000"}}"##
  private static let red: UInt32 = 0xFF00_00FF
  private static let white: UInt32 = 0xFFFF_FFFF

  private func map(_ root: String, _ layers: String = FogFrameTests.ground) throws -> MapCore {
    let data = #"""
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"kind": "area"}, "geometry": {"type": "Polygon",
          "coordinates": [[[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]]}},
        {"type": "Feature", "properties": {"kind": "near"}, "geometry": {"type": "Point", "coordinates": [0, 0]}},
        {"type": "Feature", "properties": {"kind": "far"}, "geometry": {"type": "Point", "coordinates": [0, 0.06]}}]}
      """#
    let style = #"""
      {"version": 8, "sources": {"dem": {"type": "raster-dem", "tiles": ["http://host/{z}/{x}/{y}"],
        "tileSize": 256, "maxzoom": 12}, "data": {"type": "geojson", "data": \#(data)}},
       \#(root)\#(root.isEmpty ? "" : ",") "layers": [\#(layers)]}
      """#
    return MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
  }

  private func draw(
    _ map: MapCore, zoom: Double = 12, pitch: Double = 80, metres: Int = 0, executor: Executor = .inline
  ) throws -> [UInt32] {
    let value = (metres + 10000) * 10
    let texel = [UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255), 255]
    let bytes = [[UInt8]](repeating: texel, count: 32 * 32).flatMap { $0 }
    let tile = encodePNG(PixelImage(width: 32, height: 32, pixels: bytes, isPremultiplied: false))
    let picture = try map.draw(
      camera: Camera(center: LonLat(0, 0), zoom: zoom, pitch: pitch),
      size: ViewSize(width: Self.edge, height: Self.edge),
      client: ResourceClient { $0.map { _ in .data(tile) } }, executor: executor)
    #expect(picture.report.isComplete)
    return (0..<Self.edge * Self.edge).map { picture.bitmap.pixels[$0] }
  }

  private func column(_ pixels: [UInt32], _ x: Int = FogFrameTests.edge / 2) -> [UInt32] {
    (0..<Self.edge).map { pixels[$0 * Self.edge + x] }
  }

  private static func green(_ pixel: UInt32) -> Int { Int(pixel >> 8 & 255) }

  @Test func farGroundIsHiddenAndTheSkyIsAboveIt() throws {
    let none = try draw(try map(""))
    let column = column(try draw(try map(Self.fog)))
    #expect(column.last == Self.red && self.column(none)[0] == 0)
    // Opaque all over, thinner the nearer, and white where ground and air meet.
    #expect(column.allSatisfy { $0 >> 24 == 255 })
    let start = try #require(self.column(none).firstIndex(of: Self.red))
    #expect(Self.green(column[start + 1]) > 250)
    let ground = column[(start + 1)...].map(Self.green)
    #expect(ground == ground.sorted(by: >))
    // Where the plane is seen from above there is none, nor where its colour lets everything through.
    #expect(try draw(try map(Self.fog), pitch: 45) == draw(try map(""), pitch: 45))
    let clear = try draw(try map(#""fog": {"color": "rgba(0, 0, 0, 0)"}"#))
    #expect(clear[(start * Self.edge + Self.edge)...] == none[(start * Self.edge + Self.edge)...])
  }

  /// The sky begins where the ground ends, and goes on without a step; so it does around a globe.
  @Test func airAndFogMeetWithoutAStep() throws {
    for (root, zoom, pitch) in [("", 12.0, 75.0), (#""projection": {"type": "globe"},"#, 5.5, 60)] {
      let fog = ##"\##(root) "fog": {"range": [-1, 1], "horizon-blend": 0.3, "star-intensity": 0}"##
      let pixels = column(try draw(try map(fog), zoom: zoom, pitch: pitch))
      let steps = zip(pixels, pixels.dropFirst()).map { abs(Self.green($0) - Self.green($1)) }
      #expect((steps.max() ?? 0) < 24 && Self.green(pixels[0]) < 235, "\(steps)")
    }
  }

  /// What is drawn later lies in the same fog, however layers follow each other, and on any number of threads.
  @Test func groundIsInTheSameFogBelowLabelsAndAboveThem() throws {
    let fill = #"""
      {"id": "f", "type": "fill", "source": "data", "filter": ["==", ["get", "kind"], "area"],
       "paint": {"fill-color": "#0000ff", "fill-antialias": false}}
      """#
    let dot = #"""
      {"id": "c", "type": "circle", "source": "data", "filter": ["==", ["get", "kind"], "near"],
       "paint": {"circle-color": "#ff00ff", "circle-radius": 3, "circle-translate": [0, 400]}}
      """#
    let plain = try draw(try map(Self.fog, Self.ground + "," + fill))
    // The circle is out of the picture: the fill comes apart.
    let apart = try draw(try map(Self.fog, Self.ground + "," + dot + "," + fill))
    func difference(_ a: UInt32, _ b: UInt32) -> Int {
      [UInt32(0), 8, 16, 24].map { abs(Int(a >> $0 & 255) - Int(b >> $0 & 255)) }.max() ?? 0
    }
    let differences = zip(plain, apart).map(difference)
    #expect(plain.contains(0xFFFF_0000) && differences.allSatisfy { $0 <= 1 })
    let threads = Executor(width: 3) { count, body in for index in (0..<count).reversed() { body(index) } }
    #expect(try draw(try map(Self.fog, Self.ground + "," + dot + "," + fill), executor: threads) == apart)
    // So is a layer that is blended as a whole.
    let half = fill.replacingLast(#""fill-antialias": false"#, #""fill-layer-opacity": 0.5"#)
    let below = try draw(try map(Self.fog, Self.ground + "," + half))
    let above = try draw(try map(Self.fog, Self.ground + "," + dot + "," + half))
    #expect(below != plain && zip(below, above).map(difference).allSatisfy { $0 <= 2 })
  }

  /// Shapes of so many points that threads share them: commands are put into the style's order again.
  @Test func threadsDrawTheSameFog() throws {
    let ring = (0...3000).map { step in
      let angle = Double(step % 3000) / 3000 * 2 * .pi
      return "[\(0.05 * cos(angle)), \(0.05 * sin(angle))]"
    }
    let style = #"""
      {"version": 8, \#(Self.fog), "sources": {"many": {"type": "geojson", "data":
        {"type": "Polygon", "coordinates": [[\#(ring.joined(separator: ","))]]}}},
       "layers": [\#(Self.ground), {"id": "f", "type": "fill", "source": "many"},
         {"id": "c", "type": "circle", "source": "many"}, {"id": "l", "type": "line", "source": "many"}]}
      """#
    let map = MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
    let threads = Executor(width: 3) { count, body in
      for index in (0..<count).reversed() { body(index) }
    }
    #expect(try draw(map) == draw(map, executor: threads))
  }

  /// A dot of the ground's colour is not seen, as it stands in the same fog: under a centre that is above the sea too.
  @Test(arguments: [0.0, 300]) func dotsHaveTheFogOfTheGround(elevation: Double) throws {
    let dot = #"""
      {"id": "c", "type": "circle", "source": "data", "filter": ["==", ["get", "kind"], "far"],
       "paint": {"circle-color": "#ff0000", "circle-radius": 4}}
      """#
    func picture(_ layers: String) throws -> [UInt32] {
      let map = try map(##""fog": {"color": "#ffffff", "range": [0, 8]}"##, layers)
      map.setCenterElevation(elevation)
      return try draw(map, pitch: 70)
    }
    let (with, without) = try (picture(Self.ground + "," + dot), picture(Self.ground))
    let places = with.indices.filter { with[$0] != without[$0] }
    #expect(places.allSatisfy { abs(Self.green(with[$0]) - Self.green(without[$0])) < 30 })
    let marked = try picture(Self.ground + "," + dot.replacingLast("#ff0000", "#0000ff"))
    let dots = marked.indices.filter { marked[$0] != without[$0] }
    #expect(!dots.isEmpty && dots.contains { (30...225).contains(Self.green(without[$0])) })
  }

  @Test func pixelsOfADenserPictureHaveTheSameFog() throws {
    func column(_ ratio: Double) throws -> [Int] {
      let picture = try map(Self.fog).draw(
        camera: Camera(center: LonLat(0, 0), zoom: 12, pitch: 80),
        size: ViewSize(width: Self.edge, height: Self.edge, pixelRatio: ratio),
        client: ResourceClient { _ in [] }, executor: .inline)
      let width = picture.bitmap.width
      return (0..<picture.bitmap.height).map { Self.green(picture.bitmap.pixels[$0 * width + width / 2]) }
    }
    let (one, two) = try (column(1), column(2))
    // A pixel is between the two that take its place.
    for row in 0..<Self.edge {
      let pair = [two[2 * row], two[2 * row + 1]].sorted()
      #expect((pair[0] - 3...pair[1] + 3).contains(one[row]), "row \(row)")
    }
  }

  /// The sky has its hole where the globe is, however the view is turned.
  @Test(arguments: [-40.0, 0, 40, 170]) func airIsAroundATurnedGlobe(roll: Double) throws {
    var camera = Camera(center: LonLat(0, 0), zoom: 0, bearing: 30, pitch: 50)
    camera.roll = roll
    let picture = try map(Self.globe + "," + Self.fog).draw(
      camera: camera, size: ViewSize(width: Self.edge, height: Self.edge), client: ResourceClient { _ in [] },
      executor: .inline)
    let pixels = (0..<Self.edge * Self.edge).map { picture.bitmap.pixels[$0] }
    #expect(pixels.allSatisfy { $0 >> 24 == 255 } && pixels.contains(Self.red))
  }

  @Test func circlesAndExtrusionsStandInTheFog() throws {
    func dots(_ root: String, _ kind: String) throws -> Set<UInt32> {
      let dot = #"""
        {"id": "c", "type": "circle", "source": "data", "filter": ["==", ["get", "kind"], "\#(kind)"],
         "paint": {"circle-color": "#0000ff", "circle-radius": 8}}
        """#
      return Set(try draw(try map(root, dot), pitch: 75).filter { $0 >> 24 == 255 })
    }
    let blue: UInt32 = 0xFFFF_0000
    #expect(try dots("", "near").contains(blue) && dots("", "far").contains(blue))
    #expect(try dots(Self.fog, "near").contains(blue) && !dots(Self.fog, "far").contains(blue))
    let walls = #"""
      {"id": "e", "type": "fill-extrusion", "source": "data", "filter": ["==", ["get", "kind"], "area"],
       "paint": {"fill-extrusion-color": "#0000ff", "fill-extrusion-height": 10}}
      """#
    let before = column(try draw(try map("", walls))), after = column(try draw(try map(Self.fog, walls)))
    #expect(after.last == before.last && before.last != 0)
    let top = try #require(before.firstIndex { $0 != 0 })
    #expect(Self.green(before[top + 1]) < 100 && Self.green(after[top + 1]) > 200)
    // A wall that is higher than the fog is in none.
    let limited = ##""fog": {"color": "#ffffff", "range": [0, 1], "vertical-range": [2, 5]}"##
    #expect(try column(draw(try map(limited, walls)))[top + 1] == before[top + 1])
  }

  @Test func labelsBehindTheFogGo() throws {
    func labels(_ root: String) throws -> Int {
      let layer = #"""
        {"id": "s", "type": "symbol", "source": "data", "layout": {"icon-image": "i", "icon-allow-overlap": true}}
        """#
      let core = try map(root, layer)
      let pixels = [[UInt8]](repeating: [0, 255, 0, 255], count: 8 * 8).flatMap { $0 }
      core.addImage(StyleImage(name: "i", width: 8, height: 8, pixelRatio: 1, isSDF: false, pixels: pixels))
      return try draw(core, pitch: 75).filter { $0 == 0xFF00_FF00 }.count
    }
    let (all, left) = (try labels(""), try labels(Self.fog))
    // Those that stay have no fog before them.
    #expect(left > 0 && left < all)
    #expect(try labels(##""fog": {"range": [10, 20]}"##) == all)
  }

  @Test func aTerrainStandsInTheFog() throws {
    let terrain = #""terrain": {"source": "dem"}"#
    let none = column(try draw(try map(terrain), metres: 100))
    let fogged = column(try draw(try map(terrain + "," + Self.fog), metres: 100))
    #expect(fogged.last == Self.red && fogged.allSatisfy { $0 >> 24 == 255 })
    let start = try #require(none.firstIndex(of: Self.red))
    #expect(Self.green(fogged[start + 2]) > 240)
    // About as on the plane.
    let plane = column(try draw(try map(Self.fog)))
    for row in 60..<Self.edge { #expect(abs(Self.green(plane[row]) - Self.green(fogged[row])) < 12) }
    let limited = ##""fog": {"color": "#ffffff", "range": [0, 1], "vertical-range": [10, 50]}"##
    let above = column(try draw(try map(terrain + "," + limited), metres: 100))
    #expect(above[(start + 2)...].allSatisfy { $0 == Self.red })
  }

  private static let globe = #""projection": {"type": "globe"}"#

  @Test func theGlobeHasAGlowAndAir() throws {
    let none = try draw(try map(Self.globe), zoom: -1, pitch: 0)
    let dark = try draw(
      try map(Self.globe + "," + ##""fog": {"star-intensity": 0, "space-color": "#000000"}"##), zoom: -1,
      pitch: 0)
    #expect(none[0] == 0 && dark[0] >> 24 == 255)
    #expect(dark[Self.edge / 2 * Self.edge + Self.edge / 2] == Self.red)
    // The glow is brightest at the edge.
    let row = (0..<Self.edge).map { dark[Self.edge / 2 * Self.edge + $0] }
    let edge = try #require((0..<Self.edge).first { none[Self.edge / 2 * Self.edge + $0] == Self.red })
    let glow = row[(edge + 1)...(Self.edge / 2)].map(Self.green)
    #expect(glow == glow.sorted(by: >) && (glow.first ?? 0) > 60)
    // The air fades to all sides.
    let air = row[..<(edge - 2)].map { Int($0 >> 16 & 255) }
    #expect(air == air.sorted() && (air.last ?? 0) > 100)
    // The same on the way to the plane, where the globe is half one.
    for zoom in [5.5, 11.5, 12.5] {
      let pixels = try draw(try map(Self.globe + "," + Self.fog), zoom: zoom, pitch: 80)
      #expect(pixels.allSatisfy { $0 >> 24 == 255 } && pixels.last == Self.red)
    }
  }

  @Test func starsStandStillInSpace() throws {
    func sky(_ intensity: Double, _ camera: Camera) throws -> [UInt32] {
      let clear = #""color": "rgba(0, 0, 0, 0)", "high-color": "rgba(0, 0, 0, 0)""#
      let fog = ##""fog": {"star-intensity": \##(intensity), \##(clear), "space-color": "#000000"}"##
      let picture = try map(Self.globe + "," + fog).draw(
        camera: camera, size: ViewSize(width: 384, height: 384), client: ResourceClient { _ in [] },
        executor: .inline)
      return (0..<384 * 384).map { picture.bitmap.pixels[$0] }
    }
    let camera = Camera(center: LonLat(0, 0), zoom: -1)
    let (dark, stars) = (try sky(0, camera), try sky(1, camera))
    #expect(Set(dark) == [0xFF00_0000, Self.red])
    let lit = stars.indices.filter { stars[$0] != dark[$0] }
    #expect(lit.count > 80 && lit.allSatisfy { dark[$0] == 0xFF00_0000 }, "none before the globe")
    // White, of many brightnesses, and half as bright where they are to be.
    #expect(
      lit.allSatisfy { stars[$0] & 255 == stars[$0] >> 8 & 255 } && Set(lit.map { stars[$0] }).count > 50)
    let half = try sky(0.5, camera)
    #expect(lit.allSatisfy { half[$0] & 255 <= stars[$0] & 255 } && half != stars)
    // They turn with the centre, and with the bearing about the middle of the picture.
    #expect(try sky(1, Camera(center: LonLat(30, 0), zoom: -1)) != stars)
    let over = try sky(1, Camera(center: LonLat(0, 0), zoom: -1, bearing: 180))
    let others = lit.filter { abs(Self.green(over[384 * 384 - 1 - $0]) - Self.green(stars[$0])) > 12 }
    #expect(others.count < lit.count / 20 && over != stars)
  }

  @Test func skyLayersTakeTheFogAtTheHorizon() throws {
    let layer = #"""
      {"id": "s", "type": "sky", "paint": {"sky-type": "gradient", "sky-gradient":
        ["interpolate", ["linear"], ["sky-radial-progress"], 0, "#0000ff", 1, "#0000ff"]}}
      """#
    let pixels = column(try draw(try map(Self.fog, layer)))
    #expect(Self.green(pixels[0]) < 40 && pixels[0] >> 16 & 255 == 255)
    let highest = pixels.prefix { $0 >> 24 == 255 }.map(Self.green)
    #expect(highest == highest.sorted() && (highest.last ?? 0) > 200)
  }

  @Test func aSkyIsDrawnInItsPlaceAndTheReportSaysSo() throws {
    let sky = ##""sky": {"sky-color": "#00ff00"}"##
    let both = try map(sky + "," + Self.fog)
    #expect(try draw(both) == draw(try map(sky)))
    let picture = try both.draw(
      camera: Camera(zoom: 1), size: ViewSize(width: 8, height: 8), client: ResourceClient { _ in [] },
      executor: .inline)
    let entry = try #require(picture.report.entries.first)
    #expect(
      picture.report.count == 1 && entry.resource == "fog" && entry.code == .unsupported && !entry.isFailure)
    #expect(
      try map(Self.fog).draw(
        camera: Camera(zoom: 1), size: ViewSize(width: 8, height: 8), client: ResourceClient { _ in [] },
        executor: .inline
      ).report.count == 0)
  }

  @Test func itsColoursChangeGradually() throws {
    func style(_ color: String) throws -> Style {
      try Style(
        json: JSON.parse(
          #"{"version": 8, "sources": {}, "fog": {"color": "\#(color)", "color-transition": {"duration": 100}}, "layers": [\#(Self.ground)]}"#
        ))
    }
    let core = MapCore(style: try style("#000000"), base: "")
    let before = try draw(core)
    _ = core.replaceStyle(try style("#ffffff"), isGradual: true)
    #expect(core.advanceTransitions(to: 1000))
    #expect(try draw(core) == before)
    #expect(core.advanceTransitions(to: 1050))
    let half = try draw(core)
    let end = try draw(MapCore(style: style("#ffffff"), base: ""))
    let fogged = before.indices.filter { Self.green(end[$0]) - Self.green(before[$0]) > 100 }
    #expect(fogged.count > 500)
    #expect(
      fogged.allSatisfy { abs(2 * Self.green(half[$0]) - Self.green(before[$0]) - Self.green(end[$0])) < 8 })
    #expect(!core.advanceTransitions(to: 1100))
    #expect(try draw(core) == draw(MapCore(style: style("#ffffff"), base: "")))
  }

  /// Any numbers that a style can say draw a picture.
  @Test func nothingThatAStyleSaysBreaksIt() throws {
    for range in [
      "[1, 1]", "[5, -5]", "[-20, 20]", "[20, 20]", "[1e300, 1e308]", #"["literal", [0, 0]]"#, "[1]", "3",
    ] {
      for rest in [
        #""horizon-blend": 0"#, #""horizon-blend": 1, "vertical-range": [5, 1]"#,
        #""color": "none", "star-intensity": 7"#,
      ] {
        for (zoom, projection) in [(-1.0, "globe"), (8, "globe"), (12, "mercator")] {
          let root = #""projection": {"type": "\#(projection)"}, "fog": {"range": \#(range), \#(rest)}"#
          let picture = try map(root, Self.ground).draw(
            camera: Camera(zoom: zoom, pitch: 85), size: ViewSize(width: 24, height: 24),
            client: ResourceClient { _ in [] }, executor: .inline)
          #expect(picture.bitmap.pixels[23 * 24] >> 24 == 255)
        }
      }
    }
  }
}

extension String {
  fileprivate func replacingLast(_ part: String, _ other: String) -> String {
    guard let range = ranges(of: part).last else { return self }
    var copy = self
    copy.replaceSubrange(range, with: other)
    return copy
  }
}
