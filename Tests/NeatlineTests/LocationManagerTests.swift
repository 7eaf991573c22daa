import Testing

@testable import Neatline

/// `map.location` and `map.viewport`, with the names of version 10 of the mobile SDKs.
@Suite struct LocationManagerTests {
  private static let style =
    #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background","paint":{"background-color":"white"}}]}"#

  private func map() throws -> Map {
    let map = try Map(loop: EventLoop(), width: 64, height: 64)
    try map.setFramePacing(.host)
    try map.setStyle(json: LocationManagerTests.style)
    try map.setCamera(Camera(longitude: 11, latitude: 47, zoom: 14))
    map.loop.run()
    try map.beginFrame(milliseconds: 0)
    return map
  }

  private func pixel(_ map: Map, _ x: Int = 32, _ y: Int = 32) throws -> [UInt8] {
    Array(try map.draw().pixels[(y * 64 + x) * 4..<(y * 64 + x) * 4 + 3])
  }

  private func place(_ longitude: Double, _ latitude: Double) -> Location {
    Location(coordinate: Coordinate(latitude: latitude, longitude: longitude))
  }

  private let blue: [UInt8] = [74, 144, 226]
  private let white: [UInt8] = [255, 255, 255]

  @Test func aPuckFollowsItsProvider() throws {
    let map = try map()
    let provider = SimulatedLocationProvider()
    map.location.overrideLocationProvider(with: provider)
    #expect(map.location.locationProvider === provider && !provider.isUpdatingLocation)
    map.location.options.puckType = .puck2D()
    #expect(provider.isUpdatingLocation && provider.isUpdatingHeading)
    #expect(provider.locationProviderOptions.puckType == .puck2D())
    provider.send(place(11, 47))
    #expect(map.location.latestLocation == place(11, 47))
    #expect(try pixel(map) == blue)
    provider.send(Heading(direction: -90, accuracy: 5))
    #expect(map.location.latestHeading == Heading(direction: 270, accuracy: 5))
    #expect(map.location.shownLocation?.headingDirection == 270)
    let other = SimulatedLocationProvider()
    map.location.overrideLocationProvider(with: other)
    #expect(!provider.isUpdatingLocation && !provider.isUpdatingHeading && other.isUpdatingLocation)
    provider.send(place(1, 2))
    #expect(map.location.latestLocation == place(11, 47), "it is nobody's provider any more")
    map.location.options.puckType = nil
    #expect(!other.isUpdatingLocation && other.locationProviderOptions.puckType == nil)
    #expect(try pixel(map) == white)
  }

  private final class Permissions: LocationPermissionsDelegate {
    var told: [AccuracyAuthorization] = []
    var errors: [String] = []
    func locationManager(
      _ locationManager: LocationManager,
      didChangeAccuracyAuthorization accuracyAuthorization: AccuracyAuthorization
    ) {
      told.append(accuracyAuthorization)
      if accuracyAuthorization == .reducedAccuracy {
        locationManager.requestTemporaryFullAccuracyPermissions(withPurposeKey: "CustomKey")
      }
    }
    func locationManager(
      _ locationManager: LocationManager, didFailToLocateUserWithError error: any Error
    ) { errors.append("\(error)") }
  }

  @Test func permissionsAreToldAndAskedFor() throws {
    let map = try map()
    let (provider, permissions) = (SimulatedLocationProvider(), Permissions())
    map.location.delegate = permissions
    map.location.overrideLocationProvider(with: provider)
    var keys: [String] = []
    provider.onFullAccuracyRequest = { keys.append($0) }
    provider.accuracyAuthorization = .reducedAccuracy
    #expect(permissions.told == [.reducedAccuracy] && keys == ["CustomKey"])
    #expect(map.location.accuracyAuthorization == .reducedAccuracy)
    provider.accuracyAuthorization = .fullAccuracy
    provider.fail(NeatlineError(.timeout, "no satellites"))
    #expect(permissions.told == [.reducedAccuracy, .fullAccuracy])
    #expect(permissions.errors.count == 1 && permissions.errors[0].contains("no satellites"))
    // What is no location is a provider's failure.
    provider.send(place(0, .nan))
    #expect(permissions.errors.count == 2)
  }

  private final class Consumer: LocationConsumer, PuckLocationConsumer {
    var (given, shown): ([Location], [Location]) = ([], [])
    func locationUpdate(newLocation: Location) { given.append(newLocation) }
    func puckLocationUpdate(newLocation: Location) { shown.append(newLocation) }
  }

  @Test func consumersHearWhileTheyLive() throws {
    let map = try map()
    let provider = SimulatedLocationProvider()
    map.location.overrideLocationProvider(with: provider)
    var consumer: Consumer? = Consumer()
    map.location.addLocationConsumer(newConsumer: consumer!)
    map.location.addPuckLocationConsumer(consumer!)
    #expect(provider.isUpdatingLocation, "also without a puck")
    provider.send(place(11, 47), place(12, 47))
    #expect(consumer?.given.map(\.coordinate.longitude) == [11, 12] && consumer?.shown.isEmpty == true)
    map.location.options.puckType = .puck2D(.makeDefault(showBearing: true))
    provider.send(place(13, 47))
    try map.beginFrame(milliseconds: 100)
    try map.beginFrame(milliseconds: 1200)
    #expect(consumer?.shown.last?.coordinate.longitude == 13)
    map.location.removeLocationConsumer(consumer: consumer!)
    provider.send(place(14, 47))
    #expect(consumer?.given.count == 3)
    consumer = nil
    provider.send(place(15, 47))
  }

  @Test func optionsThatAreWrongChangeNothing() throws {
    let map = try map()
    try map.location.push(place(11, 47))
    map.location.options.puckType = .puck2D()
    let before = map.location.options
    var wrong = before
    wrong.puckType = .puck2D(Puck2DConfiguration(scale: .constant(.nan)))
    #expect(throws: NeatlineError.self) { try map.location.setOptions(wrong) }
    wrong.puckType = .puck2D(Puck2DConfiguration(accuracyRingColor: "no colour"))
    #expect(throws: NeatlineError.self) { try map.location.setOptions(wrong) }
    let large = try Image(width: 1025, height: 1, pixels: [UInt8](repeating: 0, count: 4100))
    wrong.puckType = .puck2D(Puck2DConfiguration(topImage: .init(large)))
    do throws(NeatlineError) {
      try map.location.setOptions(wrong)
      Issue.record("an image past its limit was taken")
    } catch { #expect(error.status == .limitExceeded) }
    #expect(try map.location.options == before && pixel(map) == blue)
    map.location.options.puckType = .puck2D(
      Puck2DConfiguration(
        scale: .expression(
          Exp(.interpolate) {
            Exp(.linear); Exp(.zoom); 10; 1; 20; 3
          }), pulsing: .default))
    #expect(map.location.options != before)
  }

  @Test func aModelTakesThePlaceOfThePictures() throws {
    let map = try map()
    try map.location.push(place(11, 47))
    // A flat square of 20 pixels: two triangles without normals.
    var data: [UInt8] = []
    for (x, z) in [(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)] as [(Float, Float)] {
      for value in [x * 10, 0, z * 10] {
        for shift in 0..<4 { data.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * shift))) }
      }
    }
    let text = """
      {"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":72}],
      "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":6}],
      "bufferViews":[{"buffer":0,"byteLength":72}]}
      """
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let json = Array(text.utf8)
    let model =
      Array("glTF".utf8) + word(2) + word(28 + json.count + 72) + word(json.count) + word(0x4E4F_534A) + json
      + word(72) + word(0x004E_4942) + data
    map.location.options.puckType = .puck3D(
      Puck3DConfiguration(model: Model(data: model), modelRotation: [0, 0, 45]))
    #expect(try pixel(map) != white && pixel(map, 44, 32) != white && pixel(map, 41, 41) == white)
    let before = map.location.options
    for wrong in [[], [1, 2, 3]] as [[UInt8]] {
      var options = before
      options.puckType = .puck3D(Puck3DConfiguration(model: Model(data: wrong)))
      #expect(throws: NeatlineError.self) { try map.location.setOptions(options) }
    }
    #expect(try map.location.options == before && pixel(map) != white)
    map.location.options.puckType = .puck2D()
    #expect(try pixel(map) == blue)
  }

  @Test func aRecordingIsAProvider() throws {
    let map = try map()
    let gpx = """
      <gpx><trk><trkseg><trkpt lat="47" lon="11"><time>2024-05-01T12:00:00Z</time></trkpt>
      <trkpt lat="47" lon="12"><time>2024-05-01T12:00:10Z</time></trkpt></trkseg></trk></gpx>
      """
    let track = try Track(Array(gpx.utf8))
    #expect(track.count == 2 && track.duration == 10_000 && track.format == .gpx && track.problems.isEmpty)
    #expect(track[1].milliseconds == 10_000 && track[1].location.coordinate.longitude == 12)
    var ends: [NeatlineError?] = []
    map.location.overrideLocationProvider(with: ReplayLocationProvider(track, speed: 20) { ends.append($0) })
    #expect(map.location.latestLocation?.coordinate.longitude == 11)
    try map.beginFrame(milliseconds: 100)
    try map.beginFrame(milliseconds: 600)
    #expect(map.location.latestLocation?.coordinate.longitude == 12 && ends == [nil])
    map.location.overrideLocationProvider(with: ReplayLocationProvider(track, speed: 20) { ends.append($0) })
    map.location.overrideLocationProvider(with: SimulatedLocationProvider())
    #expect(ends.last??.status == .cancelled)
    for text in ["", "<gpx>", "$GPGGA"] {
      #expect(throws: NeatlineError.self) { try Track(Array(text.utf8)) }
    }
  }

  // MARK: The viewport

  private final class Observer: ViewportStatusObserver {
    var told: [(ViewportStatus, ViewportStatus, ViewportStatusChangeReason)] = []
    func viewportStatusDidChange(
      from fromStatus: ViewportStatus, to toStatus: ViewportStatus, reason: ViewportStatusChangeReason
    ) { told.append((fromStatus, toStatus, reason)) }
  }

  @Test func aViewFollowsThePuck() throws {
    let map = try map()
    let observer = Observer()
    map.viewport.addStatusObserver(observer)
    try map.location.push(place(11.01, 47))
    let state = try map.viewport.makeFollowPuckViewportState()
    var ends: [Bool] = []
    map.viewport.transition(to: state) { ends.append($0) }
    map.viewport.transition(to: state) { ends.append($0) }
    #expect(ends == [false])
    #expect(map.viewport.status == .transition(map.viewport.defaultTransition, toState: state))
    for time in stride(from: 0.0, through: 4000, by: 50) { try map.beginFrame(milliseconds: time) }
    #expect(ends == [false, true] && map.viewport.status == .state(state))
    #expect(try map.camera.zoom == 16.35 && map.camera.pitch == 45)
    state.options.zoom = 12
    #expect(try map.camera.zoom == 12)
    state.options.zoom = 99
    #expect(state.options.zoom == 12, "it is not taken")
    map.viewport.idle()
    #expect(observer.told.map(\.2) == [.transitionStarted, .transitionSucceeded, .idleRequested])
    #expect(observer.told.last?.0 == .state(state) && observer.told.last?.1 == .idle)
    map.viewport.removeStatusObserver(observer)
    map.viewport.transition(to: state, transition: try map.viewport.makeImmediateViewportTransition())
    #expect(observer.told.count == 3 && map.viewport.status == .state(state))
    try map.gestures.handle(WheelEvent(at: ScreenPoint(3, 3), delta: -100, milliseconds: 9000))
    #expect(map.viewport.status == .idle)
  }

  @Test func anOverviewShowsAShape() throws {
    let map = try map()
    let line = LineString([Coordinate(latitude: 46, longitude: 10), Coordinate(latitude: 48, longitude: 12)])
    let state = try map.viewport.makeOverviewViewportState(
      options: OverviewViewportStateOptions(
        geometry: line, geometryPadding: Camera.Padding(top: 4, bottom: 4), animationDuration: 0))
    map.viewport.transition(to: state, transition: try map.viewport.makeImmediateViewportTransition())
    for coordinate in line.coordinates {
      let point = try map.point(for: coordinate)
      #expect((0...64).contains(point.x) && (0...64).contains(point.y))
    }
    #expect(throws: NeatlineError.self) {
      try map.viewport.makeOverviewViewportState(
        options: OverviewViewportStateOptions(geometry: LineString([])))
    }
  }

  private final class OwnState: ViewportState {
    var (started, stopped, isOver) = (0, 0, false)
    var handler: ((CameraOptions) -> Bool)?
    final class Ending: Cancelable {
      let end: () -> Void
      init(_ end: @escaping () -> Void) { self.end = end }
      func cancel() { end() }
    }
    func observeDataSource(with handler: @escaping (CameraOptions) -> Bool) -> any Cancelable {
      self.handler = handler
      _ = handler(CameraOptions(center: Coordinate(latitude: 5, longitude: 6), zoom: 7))
      return Ending { self.isOver = true }
    }
    func startUpdatingCamera() { started += 1 }
    func stopUpdatingCamera() { stopped += 1 }
  }

  private final class OwnTransition: ViewportTransition, Cancelable {
    var completion: ((Bool) -> Void)?
    var isCancelled = false
    func run(to toState: any ViewportState, completion: @escaping (Bool) -> Void) -> any Cancelable {
      self.completion = completion
      return self
    }
    func cancel() { isCancelled = true }
  }

  @Test func ownStatesAndTransitionsAreRun() throws {
    let map = try map()
    let (state, transition) = (OwnState(), OwnTransition())
    var ends: [Bool] = []
    map.viewport.transition(to: state, transition: try map.viewport.makeImmediateViewportTransition()) {
      ends.append($0)
    }
    #expect(ends == [true] && state.started == 1 && map.viewport.status == .state(state))
    #expect(try map.camera.zoom == 7, "the aim of the transition")
    _ = state.handler?(CameraOptions(zoom: 9))
    #expect(try map.camera.zoom == 7, "the state moves the camera by itself")
    map.viewport.idle()
    #expect(state.stopped == 1 && state.isOver)
    map.viewport.transition(to: state, transition: transition) { ends.append($0) }
    #expect(map.viewport.status == .transition(transition, toState: state))
    transition.completion?(true)
    #expect(ends == [true, true] && state.started == 2)
    let follow = try map.viewport.makeFollowPuckViewportState()
    map.viewport.transition(to: follow, transition: transition) { ends.append($0) }
    map.viewport.idle()
    #expect(transition.isCancelled && ends == [true, true, false])
    transition.completion?(true)
    #expect(map.viewport.status == .idle)
  }

  @Test func managersOutliveTheirMap() throws {
    var map: Map? = try map()
    let (location, viewport) = (map!.location, map!.viewport)
    let state = try viewport.makeFollowPuckViewportState()
    var ends: [Bool] = []
    viewport.transition(to: state) { ends.append($0) }
    let provider = SimulatedLocationProvider()
    location.overrideLocationProvider(with: provider)
    #expect(provider.isUpdatingLocation)
    map = nil
    #expect(ends == [false] && !provider.isUpdatingLocation)
    provider.send(place(1, 2))
    viewport.idle()
    viewport.transition(to: state) { ends.append($0) }
    #expect(ends == [false, false] && viewport.status == .idle && location.latestLocation == nil)
    #expect(throws: NeatlineError.self) { try location.push(place(1, 2)) }
    #expect(throws: NeatlineError.self) { try state.setOptions(FollowPuckViewportStateOptions()) }
  }
}
