import NeatTestSupport
import Neatline
import Testing

@Suite struct StylePackTests {
  /// Waits for the completion of a load.
  private func load(
    _ manager: OfflineManager, _ style: String, _ options: StylePackLoadOptions = .init()
  ) async -> (Result<StylePack, any Error>, [StylePackLoadProgress]) {
    let (stream, told) = AsyncStream.makeStream(of: StylePackLoadProgress.self)
    let result = await withCheckedContinuation { continuation in
      manager.loadStylePack(for: StyleURI(rawValue: style), loadOptions: options) {
        told.yield($0)
      } completion: {
        continuation.resume(returning: $0)
      }
    }
    told.finish()
    return (result, await stream.reduce(into: []) { $0.append($1) })
  }

  @Test func aPackHasStyleAndGlyphs() async throws {
    let world = OfflineServer()
    let resources = try world.resources()
    let manager = OfflineManager(resources: resources)
    #expect { try manager.stylePack(for: "nothing") } throws: {
      guard case StylePackError.doesNotExist = $0 else { return false }
      return true
    }
    let (result, progress) = await load(
      manager, world.style,
      .init(glyphsRasterizationMode: .noGlyphsRasterizedLocally, metadata: ["name": "a"]))
    let pack = try result.get()
    #expect(pack.requiredResourceCount == 257 && pack.completedResourceCount == 257)
    #expect(
      pack.styleURI.rawValue == world.style && pack.glyphsRasterizationMode == .noGlyphsRasterizedLocally)
    #expect(progress.last?.completedResourceCount == 257 && progress.last?.erroredResourceCount == 0)
    #expect(try manager.allStylePacks() == [pack])
    #expect(try manager.stylePackMetadata(for: StyleURI(rawValue: world.style)) == ["name": "a"])
    #expect(world.server.count("/t/0/0/0") == 0)
    // Without ideographs, and with the metadata that it had; nothing that is there is asked for again.
    let (second, more) = await load(
      manager, world.style, .init(glyphsRasterizationMode: .ideographsRasterizedLocally))
    #expect(try second.get().requiredResourceCount < 257 && more.last?.loadedResourceSize == 0)
    #expect(try manager.stylePackMetadata(for: StyleURI(rawValue: world.style)) == ["name": "a"])
    #expect(try manager.allStylePacks().count == 1 && resources.storedRegions.count == 1)
    let (third, _) = await load(
      manager, world.style, .init(glyphsRasterizationMode: .allGlyphsRasterizedLocally))
    #expect(try third.get().requiredResourceCount == 1)
    // They are none of the older ones.
    #expect(try OfflineRegionManager(resources: resources).offlineRegions().isEmpty)
    try manager.removeStylePack(for: StyleURI(rawValue: world.style))
    #expect(try manager.allStylePacks().isEmpty)
  }

  @Test func whatIsNotToBeHadIsAnError() async throws {
    let world = OfflineServer { $0.path == "/style.json" ? .status(403) : nil }
    let (result, _) = await load(OfflineManager(resources: try world.resources()), world.style)
    #expect { try result.get() } throws: {
      guard case StylePackError.other(let text) = $0 else { return false }
      return text.contains("403") && text.contains("/style.json")
    }
    let (none, _) = await load(OfflineManager(resources: try Resources()), world.style)
    #expect { try none.get() } throws: {
      guard case StylePackError.other = $0 else { return false }
      return true
    }
  }

  @Test func aCancelledLoadSaysSo_once() async throws {
    let world = OfflineServer { $0.path.hasPrefix("/fonts") ? .silence : nil }
    let manager = OfflineManager(resources: try world.resources())
    let (stream, told) = AsyncStream.makeStream(of: Bool.self)
    let load = manager.loadStylePack(for: StyleURI(rawValue: world.style)) { result in
      if case .failure(StylePackError.canceled) = result { told.yield(true) } else { told.yield(false) }
    }
    load.cancel()
    load.cancel()
    told.finish()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [true])
  }
}
