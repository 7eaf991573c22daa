import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatRaster
import NeatStyle
import Testing

@testable import NeatMap

/// What a map holds counts against its budget: at the limit it draws, past it a problem names what is left out.
@Suite struct HeldMemoryTests {
  private static func png(_ side: Int, alpha: UInt32 = 255) -> [UInt8] {
    let pixels = (0..<side * side).map { UInt32(truncatingIfNeeded: $0) & 0xFF_FFFF | alpha << 24 }
    return encodePNG(
      pixels.withUnsafeBytes {
        PixelImage(width: side, height: side, pixels: [UInt8]($0), isPremultiplied: false)
      })
  }

  private func map(_ sources: String, _ layers: String, root: String = "", limit: Int) throws -> MapCore {
    let style = #"{"version": 8, \#(root) "sources": {\#(sources)}, "layers": [\#(layers)]}"#
    var options = MapCore.Options()
    options.memory = MemoryBudget(limit: UInt64(limit))
    return MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "", options: options)
  }

  private func draw(
    _ map: MapCore, zoom: Double = 0, side: Int = 64, _ answer: @escaping @Sendable (String) -> ResourceResult
  ) throws -> Picture {
    try map.draw(
      camera: Camera(center: LonLat(0, 0), zoom: zoom), size: ViewSize(width: side, height: side),
      client: ResourceClient { $0.map { answer($0.url) } }, executor: .inline)
  }

  // MARK: Raster tiles

  private static let raster =
    #""r": {"type": "raster", "tiles": ["http://host/{z}/{x}/{y}"], "tileSize": 256, "maxzoom": 2}"#

  /// The picture with its texture while it is read; then the texture with its smaller versions.
  private static let readBytes = 10 * 256 * 256
  private static let keptBytes = 4 * (256 * 256 * 4 / 3)

  @Test func rasterTilesAtTheLimitAndPastIt() throws {
    let tile = Self.png(256)
    let layer = #"{"id": "r", "type": "raster", "source": "r"}"#
    // Four tiles, one after the other.
    let needed = Self.readBytes + 3 * (Self.keptBytes + 1024)
    let enough = try map(Self.raster, layer, limit: needed)
    let picture = try draw(enough, zoom: 1, side: 256) { _ in .data(tile) }
    #expect(picture.report.isComplete && picture.report.count == 0)
    #expect((4 * Self.keptBytes - 4096...needed).contains(enough.options.memory.held))

    let tight = try map(Self.raster, layer, limit: Self.readBytes + Self.keptBytes)
    let partial = try draw(tight, zoom: 1, side: 256) { _ in .data(tile) }
    let lacking = partial.report.entries.filter { $0.kind == .tile }
    #expect(lacking.count == 2 && !partial.report.isComplete)
    for entry in lacking {
      #expect(entry.code == .outOfMemory && entry.source == "r" && entry.tile != nil && entry.isFailure)
      #expect(entry.message.contains("PNG image of 256x256 pixels needs"))
    }
  }

  @Test func tilesThatNoViewUsesMakeRoom() throws {
    let tile = Self.png(256)
    let map = try map(
      Self.raster, #"{"id": "r", "type": "raster", "source": "r"}"#, limit: Self.readBytes + Self.keptBytes)
    for x in [-135.0, -45, 45, 135] {
      let report = try map.draw(
        camera: Camera(center: LonLat(x, 60), zoom: 3), size: ViewSize(width: 32, height: 32),
        client: ResourceClient { $0.map { _ in .data(tile) } }, executor: .inline
      ).report
      #expect(report.isComplete, "\(x): \(report.entries)")
    }
  }

  // MARK: Elevations

  @Test func elevationsAndTheirReliefsAtTheLimitAndPastIt() throws {
    let tile = Self.png(256)
    let source = #""d": {"type": "raster-dem", "tiles": ["http://host/{z}/{x}/{y}"], "maxzoom": 0}"#
    let layer = #"{"id": "h", "type": "hillshade", "source": "d"}"#
    let texels = 4 * 256 * 256
    let enough = try map(source, layer, limit: 3 * texels)
    #expect(try draw(enough) { _ in .data(tile) }.report.isComplete)
    // The elevations and their bordered copy; no relief.
    let tight = try map(source, layer, limit: 3 * texels - 1)
    let report = try draw(tight) { _ in .data(tile) }.report
    let entry = try #require(report.entries.first)
    #expect(entry.code == .outOfMemory && entry.layer == "h" && entry.message.contains("relief"))
    let none = try map(source, layer, limit: 2 * texels - 1)
    #expect(try draw(none) { _ in .data(tile) }.report.entries.first?.kind == .tile)
  }

  // MARK: Sprites

  private func symbols(_ limit: Int, icons: String) throws -> MapCore {
    let point = #"{"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}"#
    let layers = icons.split(separator: ",").map {
      #"{"id": "\#($0)", "type": "symbol", "source": "p", "layout": {"icon-image": "\#($0)", "icon-allow-overlap": true, "icon-size": 0.1}}"#
    }
    return try map(
      "\"p\": \(point)", layers.joined(separator: ","), root: #""sprite": "http://host/sprite","#,
      limit: limit)
  }

  private static func sprite(_ count: Int, side: Int) -> @Sendable (String) -> ResourceResult {
    let entries = (0..<count).map {
      #""i\#($0)": {"x": 0, "y": 0, "width": \#(side), "height": \#(side), "pixelRatio": 1}"#
    }
    let (index, sheet) = (Array("{\(entries.joined(separator: ","))}".utf8), png(side))
    return { $0.hasSuffix(".json") ? .data(index) : .data(sheet) }
  }

  @Test func iconsShareTheirSheetUntilTheyAreDrawn() throws {
    let sheet = 4 * 512 * 512
    // Four icons as large as the sheet, of which one is drawn.
    let map = try symbols(2 * sheet + (64 << 10), icons: "i3")
    let report = try draw(map, Self.sprite(4, side: 512)).report
    #expect(report.isComplete && report.count == 0 && map.problems.isEmpty)
    #expect(map.options.memory.held >= 2 * sheet)
  }

  @Test func iconsThatDoNotFitAreLeftOutAndNamed() throws {
    let sheet = 4 * 512 * 512
    let map = try symbols(2 * sheet + (64 << 10), icons: "i0,i1")
    let report = try draw(map, Self.sprite(2, side: 512)).report
    let entries = report.entries.filter { $0.kind == .image }
    #expect(entries.count == 1 && entries.first?.resource == "i1" && entries.first?.code == .outOfMemory)
    #expect(entries.first?.layer == "i1" && entries.first?.isFailure == true)
  }

  @Test func imagesOfASpriteHaveFourTimesItsPixelsAtMost() throws {
    for (count, isWhole) in [(4, true), (5, false), (60, false)] {
      let map = try symbols(256 << 20, icons: "i0")
      _ = try draw(map, Self.sprite(count, side: 1024))
      if isWhole {
        #expect(map.problems.isEmpty)
      } else {
        let problem = try #require(map.problems.first)
        #expect(problem.code == .limitExceeded && problem.part == .sprite)
        #expect(problem.message.contains("1024x1024: \(count - 4) are left out"))
      }
      #expect(map.images.count == min(count, 4))
    }
  }

  @Test func imagesOfASmallSheetMayShareIt() throws {
    let map = try symbols(64 << 20, icons: "i0")
    _ = try draw(map, Self.sprite(1000, side: 64))
    #expect(map.problems.isEmpty && map.images.count == 1000)
  }

  @Test func aSheetThatDoesNotFitIsAProblemOfTheSprite() throws {
    let map = try symbols(4 * 512 * 512 - 1, icons: "i0")
    let report = try draw(map, Self.sprite(1, side: 512)).report
    let entry = try #require(report.entries.first { $0.kind == .sprite })
    #expect(entry.code == .outOfMemory && entry.message.contains("512x512"))
  }

  // MARK: Image sources

  @Test func imageSourcesAtTheLimitAndPastIt() throws {
    let picture = Self.png(256)
    let source =
      #""i": {"type": "image", "url": "http://host/i", "coordinates": [[-90, 60], [90, 60], [90, -60], [-90, -60]]}"#
    let layer = #"{"id": "r", "type": "raster", "source": "i"}"#
    let enough = try map(source, layer, limit: 8 * 256 * 256)
    #expect(try draw(enough) { _ in .data(picture) }.report.isComplete)
    let tight = try map(source, layer, limit: 8 * 256 * 256 - 1)
    let entry = try #require(try draw(tight) { _ in .data(picture) }.report.entries.first)
    #expect(entry.kind == .source && entry.code == .outOfMemory && entry.source == "i")
    // Given by the application: the old one stays until the new one is there.
    let other = PixelImage(
      width: 256, height: 256, pixels: [UInt8](repeating: 255, count: 4 * 256 * 256), isPremultiplied: true)
    try enough.updateImageSource("i", other)
    let large = PixelImage(
      width: 512, height: 512, pixels: [UInt8](repeating: 255, count: 4 * 512 * 512), isPremultiplied: true)
    #expect(throws: NeatError.self) { try enough.updateImageSource("i", large) }
  }

  // MARK: Data, layouts

  @Test func geoJSONAndItsLayoutsAtTheLimitAndPastIt() throws {
    let points = (0..<20_000).map { "[\(Double($0 % 200) / 2 - 50),\(Double($0 / 200) / 2 - 25)]" }
    let data = #"{"type": "MultiPoint", "coordinates": [\#(points.joined(separator: ","))]}"#
    let source = "\"g\": {\"type\": \"geojson\", \"data\": \(data)}"
    let layer = #"{"id": "c", "type": "circle", "source": "g"}"#
    let enough = try map(source, layer, limit: 256 << 20)
    #expect(try draw(enough) { _ in .missing }.report.isComplete)
    let held = enough.options.memory.held
    #expect(held > 20_000 * 40)
    // The data are there, and the tile or its layout is not.
    var found: Set<Missing.Kind> = []
    for limit in stride(from: held / 4, to: held + (64 << 10), by: held / 8) {
      let tight = try map(source, layer, limit: limit)
      do throws(NeatError) {
        let picture = try tight.draw(
          camera: Camera(center: LonLat(0, 0), zoom: 0), size: ViewSize(width: 64, height: 64),
          client: ResourceClient { $0.map { _ in .missing } }, executor: .inline)
        for entry in picture.report.entries {
          #expect(entry.code == .outOfMemory && entry.isFailure)
          found.insert(entry.kind)
        }
      } catch {
        #expect(error.code == .outOfMemory)
      }
      #expect(tight.options.memory.held <= limit)
    }
    #expect(found.contains(.source) && found.contains(.tile) || found.contains(.style), "\(found)")
  }
}
