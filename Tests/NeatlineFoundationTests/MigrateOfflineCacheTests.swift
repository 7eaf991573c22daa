import Foundation
import NeatTestSupport
import Neatline
import Testing

/// A database that an older application left is moved to where the new one looks for it.
@Suite struct MigrateOfflineCacheTests {
  /// As documents of the version that changed the place have it.
  private func migrateOfflineCache(_ home: String) {
    let srcURL = URL(fileURLWithPath: home).appendingPathComponent(
      "/Library/Application Support/com.mapbox.examples/.mapbox/cache.db")
    let destURL = URL(fileURLWithPath: home).appendingPathComponent(
      "/Library/Application Support/.mapbox/map_data/map_data.db")
    let fileManager = FileManager.default
    do {
      try fileManager.createDirectory(
        at: destURL.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: nil)
      try fileManager.moveItem(at: srcURL, to: destURL)
    } catch {
      Issue.record("\(error.localizedDescription)")
    }
  }

  @Test func aMovedDatabaseIsFoundAndUsed() throws {
    let server = TestServer { request in
      let text =
        #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background","paint":{"background-color":"lime"}}]}"#
      return request.path == "/style.json" ? .status(200, [:], Array(text.utf8)) : .status(404)
    }
    defer { server.stop() }
    let folder = WorkFolder()
    let old = folder.path + "/Library/Application Support/com.mapbox.examples/.mapbox"
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    do {
      var options = Resources.Options()
      options.cachePath = old + "/cache.db"
      let resources = try Resources(options)
      let region = try resources.createRegion(
        [
          "style_url": .string(server.url("/style.json")), "min_zoom": 0, "max_zoom": 1, "pixel_ratio": 1,
          "bounds": [0, 0, 1, 1],
        ], metadata: Array("trip".utf8))
      let download = try resources.downloadRegion(region)
      #expect(download.wait(milliseconds: 20_000) && download.progress.state == .complete)
    }
    migrateOfflineCache(folder.path)
    var options = Resources.Options()
    options.cachePath = folder.path + "/Library/Application Support/.mapbox/map_data/map_data.db"
    let resources = try Resources(options)
    try resources.setOnline(false)
    let regions = try OfflineRegionManager(resources: resources).offlineRegions()
    #expect(
      try regions.count == 1 && regions[0].status.isComplete && regions[0].metadata == Array("trip".utf8))
    var drawing = Neatline.Options()
    drawing.resources = resources
    let image = try Renderer(styleURL: server.url("/style.json"), options: drawing).draw(width: 4, height: 4)
    #expect(Array(image.pixels[0..<4]) == [0, 255, 0, 255])
    #expect(server.count("/style.json") == 1)
  }
}
