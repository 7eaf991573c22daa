import NeatTestSupport
import Neatline
import Testing

@Suite struct OfflineTileRegionTests {
  private func load(_ store: TileStore, _ id: String, _ options: TileRegionLoadOptions) async
    -> Result<TileRegion, any Error>
  {
    await withCheckedContinuation { continuation in
      store.loadTileRegion(forId: id, loadOptions: options) { continuation.resume(returning: $0) }
    }
  }

  private static let place = Geometry.point(Point(Coordinate(longitude: 10, latitude: 10)))

  @Test func tilesOfAnAreaAreKeptAndFound() async throws {
    let world = OfflineServer()
    let resources = try world.resources()
    let (manager, store) = (OfflineManager(resources: resources), TileStore(resources: resources))
    let descriptor = manager.createTilesetDescriptor(
      for: TilesetDescriptorOptions(styleURI: StyleURI(rawValue: world.style), zoomRange: 0...3))
    let options = TileRegionLoadOptions(
      geometry: Self.place, descriptors: [descriptor], metadata: ["trip": 7])
    let region = try await load(store, "here", options).get()
    // The style, and a tile for each zoom.
    #expect(region.requiredResourceCount == 5 && region.completedResourceCount == 5)
    #expect(try store.allTileRegions() == [region] && store.tileRegion(forId: "here") == region)
    #expect(try store.tileRegionMetadata(forId: "here") == ["trip": 7])
    #expect(try store.tileRegionContainsDescriptors(forId: "here", descriptors: [descriptor]))
    #expect(world.server.count("/fonts/A/0-255.pbf") == 0)
    let deeper = manager.createTilesetDescriptor(
      for: TilesetDescriptorOptions(
        styleURI: StyleURI(rawValue: world.style), zoomRange: 0...4, stylePackOptions: .init()))
    #expect(try !store.tileRegionContainsDescriptors(forId: "here", descriptors: [deeper]))
    // The same again asks nobody.
    let before = world.server.count("/style.json")
    _ = try await load(store, "here", options).get()
    #expect(world.server.count("/style.json") == before && world.server.count("/t/3/4/3") == 1)
    // Other descriptors take its place.
    let more = try await load(store, "here", .init(descriptors: [deeper])).get()
    #expect(more.requiredResourceCount > 100 && world.server.count("/t/3/4/3") == 1)
    #expect(world.server.count("/t/4/8/7") == 1 && world.server.count("/fonts/A/0-255.pbf") == 1)
    #expect(try resources.storedRegions.count == 1 && store.tileRegionMetadata(forId: "here") == ["trip": 7])
    // A map finds them without a network.
    try resources.setOnline(false)
    #expect(try OfflineServer.draw(world.style, resources) == OfflineServer.red)
    #expect(world.server.count("/t/2/2/1") == 1)
    try store.removeTileRegion(forId: "here")
    #expect { try store.tileRegion(forId: "here") } throws: {
      guard case TileRegionError.doesNotExist = $0 else { return false }
      return true
    }
  }

  @Test func loadsThatCannotBeSaySo() async throws {
    let world = OfflineServer()
    let resources = try world.resources()
    let store = TileStore(resources: resources)
    let descriptor = OfflineManager(resources: resources).createTilesetDescriptor(
      for: TilesetDescriptorOptions(styleURI: StyleURI(rawValue: world.style), zoomRange: 0...3))
    func isOther(_ result: Result<TileRegion, any Error>) -> Bool {
      if case .failure(TileRegionError.other) = result { true } else { false }
    }
    #expect(isOther(await load(store, "a", .init())))
    #expect(isOther(await load(store, "a", .init(descriptors: [descriptor]))))
    #expect(isOther(await load(store, "a", .init(geometry: Self.place))))
    let whole = TileRegionLoadOptions(geometry: Self.place, descriptors: [descriptor])
    var restricted = whole
    restricted.networkRestriction = .disallowAll
    #expect(isOther(await load(store, "a", restricted)) && world.server.count("/style.json") == 0)
    store.diskQuota = 1
    guard case .failure(TileRegionError.diskFull) = await load(store, "a", whole) else {
      Issue.record("a quota of a byte was enough")
      return
    }
    store.diskQuota = nil
    try resources.setTileLimit(2, templates: [world.server.url("/t")])
    guard case .failure(TileRegionError.tileCountExceeded) = await load(store, "a", whole) else {
      Issue.record("a limit of two tiles was enough")
      return
    }
    try resources.setTileLimit(0, templates: [])
    #expect(try await load(store, "a", whole).get().completedResourceCount == 5)
  }

  @Test func theOlderRegionsKeepTheirBytes() async throws {
    let world = OfflineServer()
    let resources = try world.resources()
    let manager = OfflineRegionManager(resources: resources)
    let bytes: [UInt8] = [0, 255, 123, 10]
    let region = try manager.createOfflineRegion(
      for: OfflineRegionTilePyramidDefinition(
        styleURL: world.style, bounds: GeographicBounds(west: 5, south: 5, east: 15, north: 15), maxZoom: 2,
        glyphsRasterizationMode: .allGlyphsRasterizedLocally), metadata: bytes)
    #expect(try !region.status.isComplete && region.metadata == bytes)
    let observer = Observer()
    region.setOfflineRegionObserver(observer)
    try region.setOfflineRegionDownloadState(.active)
    try region.setOfflineRegionDownloadState(.active)
    for await status in observer.statuses where status.isComplete { break }
    #expect(try region.status.isComplete && region.status.completedTileCount == 3)
    #expect(try manager.offlineRegions().map(\.identifier) == [region.identifier])
    try region.setMetadata([1])
    #expect(try manager.offlineRegions()[0].metadata == [1])
    // Another database takes it over.
    let other = try world.resources(world.folder.file("other.db"))
    let merged = try OfflineRegionManager(resources: other).mergeOfflineDatabase(for: world.database)
    #expect(try merged.count == 1 && merged[0].status.isComplete && merged[0].metadata == [1])
    try other.setOnline(false)
    #expect(try OfflineServer.draw(world.style, other) == OfflineServer.red)
    try region.invalidate()
    #expect(try region.status.isComplete)
    try region.purge()
    #expect(try manager.offlineRegions().isEmpty)
    #expect { try region.status } throws: { ($0 as? NeatlineError)?.status == .notFound }
    #expect {
      try manager.createOfflineRegion(
        for: OfflineRegionGeometryDefinition(styleURL: "", geometry: Self.place))
    } throws: { ($0 as? NeatlineError)?.status == .invalidArgument }
  }

  private final class Observer: OfflineRegionObserver {
    let (statuses, told) = AsyncStream.makeStream(of: OfflineRegionStatus.self)
    func statusChanged(for status: OfflineRegionStatus) { told.yield(status) }
    func responseError(for error: NeatlineError) { Issue.record("\(error)") }
    func mapboxTileCountLimitExceeded(forLimit limit: UInt64) { Issue.record("\(limit)") }
  }
}
