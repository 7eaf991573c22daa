import Foundation
import NeatTestSupport
import Neatline
import NeatlineFoundation
import Testing

// User location, offline.
extension FromV10 {
  @Test func theLocationIsShown() throws {
    let mapView = try loadedView()
    let customLocationProvider = SimulatedLocationProvider()

    mapView.location.options.puckType = .puck2D()

    mapView.location.overrideLocationProvider(with: customLocationProvider)

    #expect(customLocationProvider.isUpdatingLocation)
    customLocationProvider.send(Location(coordinate: CLLocationCoordinate2DMake(48, 2)))
    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView) != [0, 255, 0] && pixel(mapView, 2, 2) == [0, 255, 0])
    #expect(mapView.location.latestLocation?.coordinate == CLLocationCoordinate2DMake(48, 2))
  }

  fileprivate class ViewController {
    var mapView: MapView!
    var isButtonShown = false

    func viewDidLoad() {
      mapView.location.delegate = self
    }

    // Selector that will be called as a result of the delegate below
    func requestPermissionsButtonTapped() {
      mapView.location.requestTemporaryFullAccuracyPermissions(withPurposeKey: "CustomKey")
    }
  }

  @Test func changesOfPrivacyAreHandled() throws {
    let controller = ViewController()
    controller.mapView = try loadedView()
    controller.viewDidLoad()
    let provider = SimulatedLocationProvider()
    var asked: [String] = []
    provider.onFullAccuracyRequest = { asked.append($0) }
    controller.mapView.location.overrideLocationProvider(with: provider)
    provider.accuracyAuthorization = .fullAccuracy
    #expect(!controller.isButtonShown)
    provider.accuracyAuthorization = .reducedAccuracy
    #expect(controller.isButtonShown)
    controller.requestPermissionsButtonTapped()
    #expect(asked == ["CustomKey"])
  }

  /// What the older SDKs left is found where the data path says.
  @Test func theOfflineCacheIsMigrated() throws {
    let server = TestServer { request in
      request.path == "/style.json"
        ? .status(200, ["Cache-Control": "max-age=9999"], Array(Self.style.utf8)) : .status(404)
    }
    defer { server.stop() }
    let home = WorkFolder()
    let old = home.path + "/Library/Application Support/com.mapbox.examples/.mapbox"
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    do {
      var options = Resources.Options()
      options.cachePath = old + "/cache.db"
      _ = try Resources(options).load(.style, server.url("/style.json"))
    }

    func migrateOfflineCache() {

      // Old and new cache file paths
      let srcURL = URL(fileURLWithPath: home.path).appendingPathComponent(
        "/Library/Application Support/com.mapbox.examples/.mapbox/cache.db")

      let destURL = URL(fileURLWithPath: home.path).appendingPathComponent(
        "/Library/Application Support/.mapbox/map_data/map_data.db")

      let fileManager = FileManager.default

      do {
        try fileManager.createDirectory(
          at: destURL.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: nil)
        try fileManager.moveItem(at: srcURL, to: destURL)
        print("Move successful")
      } catch {
        Issue.record("Error: \(error.localizedDescription)")
      }
    }

    migrateOfflineCache()
    let folder = URL(filePath: home.path + "/Library/Application Support/.mapbox/map_data")
    let options = ResourceOptions(accessToken: "", baseURL: nil, dataPathURL: folder)
    try options.resources.setOnline(false)
    let mapView = try MapView(
      frame: Self.bounds,
      mapInitOptions: MapInitOptions(
        resourceOptions: options, styleURI: StyleURI(rawValue: server.url("/style.json"))))
    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView, 2, 2) == [0, 255, 0] && server.count("/style.json") == 1)
  }
}

extension FromV10.ViewController: LocationPermissionsDelegate {
  func locationManager(
    _ locationManager: LocationManager,
    didChangeAccuracyAuthorization accuracyAuthorization: CLAccuracyAuthorization
  ) {
    if accuracyAuthorization == .reducedAccuracy {
      // Present a button on screen that asks for full accuracy
      // This button can have a selector as defined above
      isButtonShown = true
    }
  }
}
