import Glibc
import Neatline
import Testing

/// Frames of a whole style with labels, where the data pack stands beside the package.
@Suite struct RealFrameTests {
  private static let camera = Camera(longitude: 11.3945, latitude: 47.2675, zoom: 14)

  private static func renderer(_ name: String) throws -> Renderer? {
    guard let data = RendererThreadsTests.data else {
      print("no data pack beside the package: skipped")
      return nil
    }
    return try Renderer(styleURL: data + "/styles/\(name).json")
  }

  @Test(arguments: ["osm-bright", "osm-bright-terrain"]) func aWholeStyleFits(_ name: String) throws {
    guard let renderer = try Self.renderer(name) else { return }
    for (zoom, pitch) in [(14.0, 0.0), (11.5, 0), (15.5, 55)] {
      var camera = Self.camera
      (camera.zoom, camera.pitch, camera.bearing) = (zoom, pitch, pitch)
      let frame = try renderer.frame(camera: camera, width: 512, height: 512, pixelRatio: 1)
      frame.check()
      #expect(frame.isComplete)
      let kinds = Set(frame.commands.map(\.kind))
      #expect(kinds.isSuperset(of: [.background, .fill, .fillOutline, .line, .text]), "\(kinds)")
      #expect(!kinds.contains(.unsupported))
      #expect(
        frame.commands.filter { $0.kind == .text }.allSatisfy {
          $0.texture?.format == .r8 || $0.textureUse == .picture
        })
    }
  }

  /// Halos come before letters, in one command; places in the atlas lie in it.
  @Test func labelsAreQuadsOverAnAtlas() throws {
    guard let renderer = try Self.renderer("osm-bright") else { return }
    let frame = try renderer.frame(camera: Self.camera, width: 512, height: 512)
    let texts = frame.commands.filter { $0.kind == .text && $0.textureUse == .field }
    #expect(!texts.isEmpty)
    var haloCount = 0
    for command in texts {
      let vertices = command.elements(Frame.SymbolVertex.self)
      #expect(vertices.count % 4 == 0 && vertices.count / 4 * 6 == command.indexRange.count)
      #expect(vertices.allSatisfy { 0...1 ~= $0.u && 0...1 ~= $0.v && $0.gamma > 0 })
      #expect(vertices.contains { $0.color.3 > 0 })
      haloCount += vertices.filter { $0.halo == 1 }.count
    }
    #expect(haloCount > 0)
    // Some letter's middle is inside its field.
    let text = try #require(texts.first)
    let texture = try #require(text.texture)
    let peak = texture.withUnsafeBytes { $0.max() ?? 0 }
    #expect(peak > 191)
  }

  /// A page of the atlas that a frame has does not change when later frames put more glyphs on it.
  @Test func anAtlasThatGrowsLeavesOldFramesAsTheyAre() throws {
    guard let renderer = try Self.renderer("osm-bright") else { return }
    func atlas(_ frame: Frame) -> Frame.Texture? { frame.commands.first { $0.textureUse == .field }?.texture }
    let first = try renderer.frame(camera: Self.camera, width: 256, height: 256)
    let old = try #require(atlas(first))
    let before = old.withUnsafeBytes { Array($0) }
    let second = try renderer.frame(
      camera: Camera(longitude: 11.39, latitude: 47.26, zoom: 11), width: 1024, height: 1024)
    let new = try #require(atlas(second))
    #expect(new.id != old.id)
    #expect(old.withUnsafeBytes { Array($0) } == before)
    #expect(new.withUnsafeBytes { Array($0) } != before)
    // Nothing new: the same page again.
    let third = try renderer.frame(
      camera: Camera(longitude: 11.39, latitude: 47.26, zoom: 11), width: 1024, height: 1024)
    #expect(atlas(third)?.id == new.id)
  }

  /// What a frame draws, wherever its glyphs stand in the atlas: commands, places, and the texel in the
  /// middle of each glyph.
  private static func trace(_ frame: Frame) -> [String] {
    frame.commands.map { command in
      var text =
        "\(command.layer) \(command.kind) \(command.vertexRange.count) \(command.indexRange.count) \(command.matrix)"
      guard let texture = command.texture, command.kind == .text || command.kind == .icon else { return text }
      let vertices = command.elements(Frame.SymbolVertex.self)
      let bytesPerTexel = texture.format == .rgba8 ? 4 : 1
      texture.withUnsafeBytes { texels in
        for quad in stride(from: 0, to: vertices.count, by: 4) {
          let (low, high) = (vertices[quad], vertices[quad + 3])
          let x = Int((low.u + high.u) / 2 * Float(texture.width)),
            y = Int((low.v + high.v) / 2 * Float(texture.height))
          text += " \(low.x),\(low.y):\(texels[(y * texture.width + x) * bytesPerTexel])"
        }
      }
      return text
    }
  }

  @Test func threadsMakeTheSameFrames() async throws {
    guard let first = try Self.renderer("osm-bright"), let second = try Self.renderer("osm-bright") else {
      return
    }
    let cameras = (0..<4).map {
      Camera(longitude: 11.39 + 0.004 * Double($0), latitude: 47.2675, zoom: 13 + 0.5 * Double($0 % 2))
    }
    let expected = try cameras.map { Self.trace(try first.frame(camera: $0, width: 256, height: 256)) }
    let wrong = await withTaskGroup(of: Int?.self) { group in
      for task in 0..<16 {
        let number = task % cameras.count
        group.addTask {
          let frame = try? second.frame(camera: cameras[number], width: 256, height: 256)
          return frame.map(Self.trace) == expected[number] ? nil : number
        }
      }
      return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
    }
    #expect(wrong == [])
  }
}
