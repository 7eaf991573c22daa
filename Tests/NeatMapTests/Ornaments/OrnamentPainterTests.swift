import NeatBase
import NeatCamera
import NeatRaster
import NeatStyle
import NeatText
import Testing

@testable import NeatMap

/// What ornaments look like and where they stand: on grey, with letters that are filled boxes.
@Suite struct OrnamentPainterTests {
  private let core: MapCore
  private let painter: OrnamentPainter

  init() throws {
    let style = try Style(
      parsing: Array(
        #"{"version":8,"sources":{"a":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"somebody 12"}},"layers":[{"id":"c","type":"circle","source":"a"}]}"#
          .utf8))
    core = MapCore(style: style, base: "")
    let stack = core.glyphs.fontStack("Open Sans Regular,Arial Unicode MS Regular")
    for scalar in "0123456789.kmftinsobdey".unicodeScalars {
      try core.glyphs.insert(
        codepoint: scalar.value, fontStack: stack,
        metrics: GlyphMetrics(width: 10, height: 14, left: 1, top: -4, advance: 12),
        bitmap: OrnamentPainterTests.box(16, 20))
    }
    painter = OrnamentPainter(core.glyphs)
  }

  /// The distance field of a box, with its border of 3.
  private static func box(_ width: Int, _ height: Int) -> [UInt8] {
    (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      let outside = max(3 - x, x - (width - 4), 3 - y, y - (height - 4), 0)
      return outside == 0 ? 255 : UInt8(192 - 32 * outside)
    }
  }

  private func shown(_ change: (inout Ornaments) -> Void) -> Ornaments {
    var ornaments = Ornaments()
    change(&ornaments)
    return ornaments
  }

  private static func all(_ ornaments: inout Ornaments) {
    ornaments.scaleBar.place.visibility = .visible
    ornaments.compass.place.visibility = .visible
    ornaments.attribution.place.visibility = .visible
    ornaments.logo.place.visibility = .visible
    ornaments.logo.image = try? OrnamentImage(
      PixelImage(
        width: 20, height: 10, pixels: (0..<200).flatMap { _ in [0, 0, 255, 255] as [UInt8] },
        isPremultiplied: true),
      pixelRatio: 1)
  }

  private func pictures(
    _ ornaments: Ornaments, bearing: Double = 0, zoom: Double = 3, lat: Double = 0, width: Int = 400,
    height: Int = 300, ratio: Double = 1, opacity: Double = 1
  ) -> [OrnamentPicture] {
    var camera = Camera(center: LonLat(0, lat), zoom: zoom)
    camera.bearing = bearing
    return painter.pictures(
      ornaments, core.ornamentWords(ornaments), camera,
      ViewSize(width: width, height: height, pixelRatio: ratio), compassOpacity: opacity)
  }

  private func drawn(_ pictures: [OrnamentPicture], width: Int = 400, height: Int = 300) throws -> Bitmap {
    let bitmap = try Bitmap(width: width, height: height)
    bitmap.clear(Premultiplied(bits: 0xFF80_8080))
    Picture(bitmap: bitmap, report: Report()).draw(pictures)
    return bitmap
  }

  private func box(_ pictures: [OrnamentPicture], _ kind: OrnamentKind, ratio: Double = 1) throws -> SIMD4<
    Double
  > {
    try #require(pictures.first { $0.kind == kind }).rectangle(pixelRatio: ratio)
  }

  // MARK: Places

  @Test func theyStandInTheirCornersAtTheirMargins() throws {
    for ratio in [1.0, 2, 1.5] {
      let all = pictures(shown(OrnamentPainterTests.all), ratio: ratio)
      #expect(Set(all.map(\.kind)) == Set(OrnamentKind.allCases))
      let bar = try box(all, .scaleBar, ratio: ratio)
      #expect(bar.x == 8 && bar.y == 8)
      let compass = try box(all, .compass, ratio: ratio)
      #expect(compass == SIMD4(352, 8, 392, 48))
      let attribution = try box(all, .attribution, ratio: ratio)
      #expect(abs(attribution.z - 392) < 1 && abs(attribution.w - 292) < 1)
      let logo = try box(all, .logo, ratio: ratio)
      #expect(abs(logo.x - 8) < 1 && abs(logo.w - 292) < 1 && abs(logo.z - 28) < 1)
    }
  }

  @Test func namesOfVersionTenMeanCorners() throws {
    for (position, corner) in [
      (OrnamentPlace.Position.topLeading, SIMD2(8.0, 8.0)), (.topTrailing, SIMD2(352, 8)),
      (.bottomLeading, SIMD2(8, 252)), (.bottomTrailing, SIMD2(352, 252)),
    ] {
      let one = shown {
        $0.compass.place.visibility = .visible
        $0.compass.place.position = position
      }
      let place = try box(pictures(one), .compass)
      #expect(SIMD2(place.x, place.y) == corner)
    }
  }

  @Test func thoseOfOneCornerStackAndNoneLiesOverAnother() throws {
    for position in OrnamentPlace.Position.allCases {
      let all = shown { ornaments in
        OrnamentPainterTests.all(&ornaments)
        ornaments.scaleBar.place.position = position
        ornaments.compass.place.position = position
        ornaments.attribution.place.position = position
        ornaments.logo.place.position = position
      }
      let made = pictures(all)
      #expect(made.map(\.kind) == [.attribution, .logo, .scaleBar, .compass])
      for (index, one) in made.enumerated() {
        let a = one.rectangle(pixelRatio: 1)
        #expect(a.x >= 0 && a.y >= 0 && a.z <= 400 && a.w <= 300)
        for other in made[(index + 1)...] {
          let b = other.rectangle(pixelRatio: 1)
          #expect(a.z <= b.x || b.z <= a.x || a.w <= b.y || b.w <= a.y, "\(one.kind) and \(other.kind)")
        }
      }
    }
  }

  @Test func aWideAttributionMovesTheLogoAndWhatHasNoRoomIsNotThere() throws {
    var all = shown(OrnamentPainterTests.all)
    all.attribution.text = String(repeating: "0123456789 ", count: 12)
    all.logo.image = try OrnamentImage(
      PixelImage(width: 80, height: 20, pixels: [UInt8](repeating: 255, count: 6400), isPremultiplied: true),
      pixelRatio: 1)
    let made = pictures(all)
    let (logo, attribution) = (try box(made, .logo), try box(made, .attribution))
    #expect(attribution.x < 88 && logo.w == attribution.y - 8)
    let small = pictures(all, width: 90, height: 24)
    #expect(small.map(\.kind) == [.attribution], "the attribution always is")
    #expect(try box(small, .attribution).w - box(small, .attribution).y <= 24)
  }

  @Test func aCompassThatIsNotSeenKeepsItsPlaceAndIsNotDrawn() throws {
    let adaptive = shown {
      $0.compass.place.visibility = .adaptive
      $0.scaleBar.place.visibility = .visible
      $0.scaleBar.place.position = .topRight
    }
    let (there, gone) = (pictures(adaptive, bearing: 20, opacity: 0.5), pictures(adaptive, opacity: 0))
    #expect(there.map(\.kind) == [.scaleBar, .compass] && gone.map(\.kind) == [.scaleBar])
    #expect(try box(there, .scaleBar) == box(gone, .scaleBar))
    #expect(there.last?.opacity == 0.5)
  }

  @Test func hiddenOnesAreNotThere() {
    #expect(pictures(Ornaments()).isEmpty && Ornaments().isEmpty)
    var all = shown(OrnamentPainterTests.all)
    all.logo.image = nil
    #expect(!pictures(all).contains { $0.kind == .logo })
    all.attribution.text = ""
    #expect(!pictures(all).contains { $0.kind == .attribution })
  }

  // MARK: Looks

  @Test func barsAreInTurnDarkAndLightWithinAnOutline() throws {
    let one = shown { $0.scaleBar.place.visibility = .visible }
    for ratio in [1.0, 2] {
      let made = pictures(one, zoom: 3.5, ratio: ratio)
      let width = Int(saturating: 400 * ratio)
      let bitmap = try drawn(made, width: width, height: Int(saturating: 300 * ratio))
      let bar = try #require(ScaleBar(.metric, latitude: 0, zoom: 3.5, mapWidth: 400, isAdaptive: true))
      let place = try box(made, .scaleBar, ratio: ratio)
      // The lowest rows: outline, frame, and the bars' middle.
      let bottom = Int(saturating: place.w * ratio)
      let t = Int(saturating: ratio)
      func light(_ x: Int, _ y: Int) -> Bool { bitmap.pixels[y * width + x] & 255 > 200 }
      func dark(_ x: Int, _ y: Int) -> Bool { bitmap.pixels[y * width + x] & 255 < 60 }
      let row = bottom - t - Int(saturating: 2.5 * ratio)
      let first = try #require((0..<width).first { dark($0, row) })
      let last = try #require((0..<width).last { dark($0, row) })
      #expect(abs(Double(last + 1 - first) - bar.width * ratio) <= 1, "to the pixel")
      #expect(light(first - 1, row) && light(last + 1, row), "the outline")
      let section = bar.width * ratio / Double(bar.bars)
      for index in 0..<bar.bars {
        let middle = first + Int(saturating: (Double(index) + 0.5) * section)
        #expect(index % 2 == 0 ? dark(middle, row) : light(middle, row), "bar \(index) of \(bar)")
        #expect(dark(middle, bottom - t - 1), "the frame")
        #expect(light(middle, bottom - 1), "the outline below")
      }
      // Letters stand above, dark on a light halo.
      let top = Int(saturating: place.y * ratio)
      let inked = (top..<bottom - 8 * t).contains { y in (0..<width).contains { dark($0, y) } }
      let haloed = (top..<bottom - 8 * t).contains { y in (0..<width).contains { light($0, y) } }
      #expect(inked && haloed)
    }
  }

  @Test func theNeedleOfTheCompassPointsNorth() throws {
    let one = shown { $0.compass.place.visibility = .visible }
    // Red right of, below and left of the middle: the map is turned the other way.
    for (bearing, way) in [(0.0, SIMD2(0, -6)), (90, SIMD2(-6, 0)), (180, SIMD2(0, 6)), (270, SIMD2(6, 0))] {
      let bitmap = try drawn(pictures(one, bearing: bearing))
      func pixel(_ offset: SIMD2<Int>) -> UInt32 { bitmap.pixels[(28 + offset.y) * 400 + 372 + offset.x] }
      let red = pixel(way), back = pixel(0 &- way)
      #expect(red & 255 > 200 && red >> 8 & 255 < 100, "\(bearing)")
      #expect(!(back & 255 > 200 && back >> 8 & 255 < 100))
      // The disc is dark, its corner not there.
      #expect(bitmap.pixels[(8 + 3) * 400 + 353] == 0xFF80_8080)
      #expect(pixel(SIMD2(17, 0)) & 255 < 120 || pixel(SIMD2(0, 17)) & 255 < 120)
    }
  }

  @Test func aFadingCompassLetsTheMapThrough() throws {
    let one = shown { $0.compass.place.visibility = .adaptive }
    func middle(_ opacity: Double) throws -> UInt32 {
      try drawn(pictures(one, bearing: 45, opacity: opacity)).pixels[(28 + 2) * 400 + 372 - 9] & 255
    }
    let (full, half, none) = (try middle(1), try middle(0.5), try middle(0))
    #expect(full < half && half < none && none == 0x80)
  }

  @Test func aLogoKeepsItsPixelsAndFollowsItsRatio() throws {
    let pixels = (0..<64).flatMap { index -> [UInt8] in
      (index % 8 + index / 8) % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 0, 0]
    }
    let image = PixelImage(width: 8, height: 8, pixels: pixels, isPremultiplied: true)
    var one = shown { $0.logo.place.visibility = .visible }
    one.logo.image = try OrnamentImage(image, pixelRatio: 1)
    let bitmap = try drawn(pictures(one))
    for y in 0..<8 {
      for x in 0..<8 {
        #expect(bitmap.pixels[(284 + y) * 400 + 8 + x] == ((x + y) % 2 == 0 ? 0xFF00_00FF : 0xFF80_8080))
      }
    }
    one.logo.image = try OrnamentImage(image, pixelRatio: 2)
    let half = pictures(one)
    #expect(try box(half, .logo) == SIMD4(8, 288, 12, 292))
    // The mean of four: half of it red.
    let small = try drawn(half).pixels[289 * 400 + 9]
    #expect(abs(Int(small & 255) - 191) <= 2 && abs(Int(small >> 8 & 255) - 64) <= 2)
    one.logo.image = try OrnamentImage(image, pixelRatio: 0.5)
    #expect(try box(pictures(one), .logo) == SIMD4(8, 276, 24, 292))
  }

  @Test func aCompassOfTheHostsIsDrawnInItsPlace() throws {
    var one = shown { $0.compass.place.visibility = .visible }
    let green = PixelImage(
      width: 60, height: 60, pixels: (0..<3600).flatMap { _ in [0, 255, 0, 255] as [UInt8] },
      isPremultiplied: true)
    one.compass.image = try OrnamentImage(green, pixelRatio: 2)
    let made = pictures(one)
    #expect(try box(made, .compass) == SIMD4(362, 8, 392, 38))
    #expect(try drawn(made).pixels[23 * 400 + 377] == 0xFF00_FF00)
  }

  @Test func aCompactAttributionIsAButtonThatNeedsNoFont() throws {
    var one = shown { $0.attribution.place.visibility = .visible }
    one.attribution.isCompact = true
    one.attribution.text = "ⴰ"
    let made = pictures(one)
    #expect(try box(made, .attribution) == SIMD4(368, 268, 392, 292))
    let bitmap = try drawn(made)
    func shade(_ x: Int, _ y: Int) -> UInt32 { bitmap.pixels[y * 400 + x] & 255 }
    #expect(shade(380, 281) < 120 && shade(380, 276) < 120, "the i")
    #expect(shade(375, 280) > 200 && shade(371, 280) < 120, "paper and ring")
    #expect(shade(368, 268) == 0x80)
    var report = Report()
    core.reportOrnaments(one, core.ornamentWords(one), in: &report)
    #expect(report.entries.isEmpty)
    one.attribution.text = ""
    #expect(pictures(one).isEmpty, "there is nobody to name")
  }

  // MARK: Work

  @Test func aTextIsSetOnceAndWhatStandsIsNotDrawnAgain() throws {
    let all = shown(OrnamentPainterTests.all)
    let words = core.ornamentWords(all)
    let size = ViewSize(width: 400, height: 300, pixelRatio: 1)
    func made(_ lon: Double, _ zoom: Double) -> [OrnamentPicture] {
      painter.pictures(all, words, Camera(center: LonLat(lon, 0), zoom: zoom), size, compassOpacity: 1)
    }
    let first = made(0, 3)
    let count = painter.shapedCount
    for step in 1..<50 {
      let next = made(Double(step), 3)
      #expect(zip(first, next).allSatisfy { $0.texture === $1.texture })
    }
    #expect(painter.shapedCount == count && count > 1)
    // A zoom draws the bar alone anew, and sets each of its texts once.
    for step in 0..<400 { _ = made(0, 2 + Double(step) / 100) }
    let after = painter.shapedCount
    for step in 0..<400 { _ = made(0, 2 + Double(step) / 100) }
    #expect(painter.shapedCount == after && after < count + 40)
    let last = made(0, 3.01)
    #expect(first.first?.texture === last.first?.texture)
  }

  @Test func whatTheWordsLackIsReported() throws {
    var one = shown { $0.attribution.place.visibility = .visible }
    one.attribution.text = "so ⴰ"
    let words = core.ornamentWords(one)
    #expect(core.ornamentNeeds(one, words).isEmpty, "nobody serves glyphs")
    var report = Report()
    core.reportOrnaments(one, words, in: &report)
    #expect(report.entries.map(\.kind) == [.characters] && report.entries[0].sample == "ⴰ")
    one.attribution.text = "so"
    report = Report()
    core.reportOrnaments(one, core.ornamentWords(one), in: &report)
    #expect(report.entries.isEmpty)
  }

  @Test func glyphsAreAskedForInTheFontOfTheStylesLabels() throws {
    let style = try Style(
      parsing: Array(
        #"{"version":8,"glyphs":"https://g.example/{fontstack}/{range}.pbf","sources":{"a":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"Δ"}},"layers":[{"id":"c","type":"symbol","source":"a","layout":{"text-field":"x","text-font":["Own Font"]}}]}"#
          .utf8))
    let core = MapCore(style: style, base: "")
    var one = shown { $0.scaleBar.place.visibility = .adaptive }
    let needs = core.ornamentNeeds(one, core.ornamentWords(one))
    #expect(needs.map(\.request.url) == ["https://g.example/Own Font/0-255.pbf"])
    one.attribution.place.visibility = .visible
    #expect(core.ornamentNeeds(one, core.ornamentWords(one)).count == 2)
    core.deliver(needs[0], .missing)
    #expect(core.ornamentNeeds(one, core.ornamentWords(one)).count == 1)
    var report = Report()
    core.reportOrnaments(one, core.ornamentWords(one), in: &report)
    #expect(report.entries.contains { $0.kind == .glyphs && $0.code == .notFound })
    #expect(report.entries.contains { $0.kind == .glyphs && $0.code == .timeout })
  }

  @Test func framesForAGPUHaveThemLastAsQuads() throws {
    let all = shown(OrnamentPainterTests.all)
    let size = ViewSize(width: 400, height: 300, pixelRatio: 1)
    let plain = core.meshFrame(
      try Transform(camera: Camera(center: LonLat(0, 0), zoom: 3), size: size), .inline)
    let words = core.ornamentWords(all)
    func pictures(bearing: Double) -> [OrnamentPicture] {
      var camera = Camera(center: LonLat(0, 0), zoom: 3)
      camera.bearing = bearing
      return painter.pictures(all, words, camera, size, compassOpacity: 1)
    }
    let made = pictures(bearing: 30)
    let frame = plain.adding(made, size)
    #expect(
      frame.commands.count == plain.commands.count + 4 && frame.layers == ["c", MeshFrame.ornamentLayer])
    #expect(plain.adding([], size).commands.count == plain.commands.count)
    for (command, picture) in zip(frame.commands.suffix(4), made) {
      #expect(
        command.kind == .raster && command.layer == 1 && command.clip == nil && command.textureUse == .picture
      )
      #expect(frame.textures[Int(command.texture)].id == picture.texture.id)
      // The middle of the quad is the middle of the ornament.
      let box = picture.rectangle(pixelRatio: 1)
      let half = TileUnits.extent / 2
      let middle = command.matrix * SIMD4(half, half, 0, 1)
      let seen = SIMD2((middle.x / middle.w + 1) * 200, (1 - middle.y / middle.w) * 150)
      #expect(abs(seen.x - (box.x + box.z) / 2) < 1e-6 && abs(seen.y - (box.y + box.w) / 2) < 1e-6)
    }
    // Buffers and textures are the same in the next frame.
    let next = plain.adding(pictures(bearing: 31), size)
    #expect(
      next.textures.map(\.id) == frame.textures.map(\.id) && next.buffers.map(\.id) == frame.buffers.map(\.id)
    )
  }

  // MARK: Bad input

  @Test func imagesThatAreNoneAreRefused() {
    func image(_ width: Int, _ height: Int, _ ratio: Double = 1) throws(NeatError) -> OrnamentImage {
      try OrnamentImage(
        PixelImage(
          width: width, height: height, pixels: [UInt8](repeating: 255, count: 4 * width * height),
          isPremultiplied: true), pixelRatio: ratio)
    }
    for (width, height, ratio, code) in [
      (0, 0, 1.0, ErrorCode.invalidArgument), (4, 0, 1, .invalidArgument), (2049, 1, 1, .limitExceeded),
      (1, 2049, 1, .limitExceeded), (4, 4, -1, .invalidArgument), (4, 4, 16.5, .invalidArgument),
      (4, 4, .nan, .invalidArgument), (4, 4, .infinity, .invalidArgument),
    ] {
      #expect { _ = try image(width, height, ratio) } throws: { ($0 as? NeatError)?.code == code }
    }
    #expect(throws: Never.self) { _ = try image(2048, 1, 16) }
  }

  @Test func marginsOutOfTheirRangeAreRefusedByName() {
    for margins in [SIMD2(-1.0, 8), SIMD2(8, 4097), SIMD2(.nan, 8), SIMD2(8, .infinity)] {
      let one = shown { $0.logo.place.margins = margins }
      #expect { _ = try one.checked() } throws: {
        guard let error = $0 as? NeatError else { return false }
        return error.code == .invalidArgument && error.message.contains("\"logo\"")
      }
    }
  }
}
