import Foundation
import Neatline
import NeatlineFoundation
import Testing

// Map options, camera, camera animations.
extension FromV10 {
  @Test func theMapIsConfigured() throws {
    // Wide enough for a scale bar's words in any font.
    let mapView = try loadedView(CGRect(x: 0, y: 0, width: 256, height: 64))

    let restrictedBounds = CoordinateBounds(
      southwest: CLLocationCoordinate2D(latitude: 10, longitude: 10),
      northeast: CLLocationCoordinate2D(latitude: 11, longitude: 11))
    let cameraBoundsOptions = CameraBoundsOptions(bounds: restrictedBounds)

    // Configure map to show a scale bar
    mapView.ornaments.options.scaleBar.visibility = .visible
    try mapView.mapboxMap.setCameraBounds(with: cameraBoundsOptions)

    #expect(try mapView.ornaments.places.map(\.ornament) == [.scaleBar])
    let center = mapView.cameraState.center
    #expect(abs(center.latitude - 11) < 1e-9 && abs(center.longitude - 10) < 1e-9)
    #expect(mapView.mapboxMap.cameraBounds.bounds == restrictedBounds)
    #expect(mapView.mapboxMap.cameraBounds.maxZoom == 22, "what is not said stays")
  }

  @Test func theCameraIsSetFromTheStart() throws {
    let frame = Self.bounds

    // Set the center coordinate of the map to Honolulu, Hawaii
    let centerCoordinate = CLLocationCoordinate2D(
      latitude: 21.3069,
      longitude: -157.8583)
    // Create a camera
    let camera = CameraOptions(center: centerCoordinate, zoom: 14)

    let options = MapInitOptions(cameraOptions: camera, styleURI: nil)
    let mapView = try MapView(frame: frame, mapInitOptions: options)

    mapView.mapboxMap.loadStyleJSON(Self.style)
    mapView.loop.run(timeout: 20_000)
    let state: CameraState = mapView.cameraState
    #expect(abs(state.center.latitude - 21.3069) < 1e-9 && abs(state.center.longitude + 157.8583) < 1e-9)
    #expect(state.zoom == 14 && state.bearing == 0 && state.pitch == 0 && state.padding == .zero)
    try mapView.mapboxMap.setCamera(to: CameraOptions(zoom: 7, bearing: 10))
    #expect(mapView.cameraState.zoom == 7 && mapView.cameraState.bearing == 10)
    #expect(throws: NeatlineError.self) { try mapView.mapboxMap.setCamera(to: CameraOptions(zoom: .nan)) }
    #expect(CameraOptions(cameraState: state).center == state.center)
  }

  @Test func theCameraIsFittedToAShape() throws {
    let mapView = try loadedView(CGRect(x: 0, y: 0, width: 400, height: 300), hostPaces: true)

    let coordinates = [
      CLLocationCoordinate2DMake(24, -89),
      CLLocationCoordinate2DMake(24, -88),
      CLLocationCoordinate2DMake(26, -88),
      CLLocationCoordinate2DMake(26, -89),
      CLLocationCoordinate2DMake(24, -89),
    ]
    let camera = try mapView.mapboxMap.camera(
      for: coordinates,
      padding: .zero,
      bearing: nil,
      pitch: nil)
    try mapView.camera.ease(to: camera, duration: 10.0)

    let start = mapView.cameraState
    try mapView.mapboxMap.beginFrame(milliseconds: 10)
    try mapView.mapboxMap.beginFrame(milliseconds: 5010)
    let half = mapView.cameraState
    #expect(half != start && abs(half.zoom - camera.zoom) > 0.01, "it takes ten seconds")
    try mapView.mapboxMap.beginFrame(milliseconds: 10_010)
    #expect(abs(mapView.cameraState.zoom - camera.zoom) < 1e-9)
    for coordinate in coordinates {
      let point = try mapView.mapboxMap.point(for: coordinate)
      #expect((-0.01...400.01).contains(point.x) && (-0.01...300.01).contains(point.y))
    }
  }

  @Test func theCameraIsHeldWithinBounds() throws {
    let mapView = try loadedView()

    let sw = CLLocationCoordinate2DMake(-12, -46)
    let ne = CLLocationCoordinate2DMake(2, 43)
    let restrictedBounds = CoordinateBounds(southwest: sw, northeast: ne)
    try mapView.mapboxMap.setCameraBounds(
      with: CameraBoundsOptions(
        bounds: restrictedBounds,
        maxZoom: 15.0,
        minZoom: 8.0))

    #expect(mapView.cameraState.zoom == 8)
    try mapView.mapboxMap.setCamera(
      to: CameraOptions(center: LocationCoordinate2D(latitude: 50, longitude: 0), zoom: 20))
    #expect(mapView.cameraState.zoom == 15 && abs(mapView.cameraState.center.latitude - 2) < 1e-9)
    #expect(restrictedBounds.southwest == sw && restrictedBounds.northeast == ne)
    #expect(throws: NeatlineError.self) {
      try mapView.mapboxMap.setCameraBounds(with: CameraBoundsOptions(maxPitch: 190))
    }
    let limits = CameraBoundsOptions(maxPitch: 60, minPitch: 20)
    try mapView.mapboxMap.setCameraBounds(with: limits)
    #expect(mapView.cameraState.pitch == 20 && mapView.mapboxMap.cameraBounds.minZoom == 8)
  }

  private final class AnimatingController {
    let mapView: MapView
    var printed: [String] = []
    init(_ mapView: MapView) { self.mapView = mapView }

    lazy var myCustomAnimator: BasicCameraAnimator = {
      try! mapView.camera.makeAnimator(duration: 5, curve: .easeInOut) { (transition) in

        // Transition the zoom level of the map's camera to `7`
        transition.zoom.toValue = 7

        // Transition the bearing of the map's camera to `180` degrees
        transition.bearing.toValue = 180
      }
    }()

    lazy var fromValuesAnimator: BasicCameraAnimator = {
      try! mapView.camera.makeAnimator(duration: 5, curve: .easeInOut) { (transition) in

        // Transition the zoom level of the map's camera from `10` to `7`
        transition.zoom.fromValue = 10
        transition.zoom.toValue = 7

        // Transition the bearing of the map's camera from `45` degrees to `180` degrees
        transition.bearing.fromValue = 45
        transition.bearing.toValue = 180
      }
    }()

    // Store the CameraAnimators so they don't fall out of scope
    lazy var zoomAnimator: BasicCameraAnimator = {
      let animator = try! mapView.camera.makeAnimator(duration: 4, curve: .easeInOut) { (transition) in
        transition.zoom.toValue = 14
      }

      animator.addCompletion { [unowned self] (_) in
        printed.append("Animating camera pitch from 0 degrees -> 55 degrees")
        try? self.pitchAnimator.startAnimation()
      }

      return animator
    }()

    lazy var pitchAnimator: BasicCameraAnimator = {
      let animator = try! mapView.camera.makeAnimator(duration: 2, curve: .easeInOut) { (transition) in
        transition.pitch.toValue = 55
      }

      animator.addCompletion { [unowned self] (_) in
        printed.append("Animating camera bearing from 0 degrees -> 45 degrees")
        try? self.bearingAnimator.startAnimation()
      }

      return animator
    }()

    lazy var bearingAnimator: BasicCameraAnimator = {
      let animator = try! mapView.camera.makeAnimator(duration: 4, curve: .easeInOut) { (transition) in
        transition.bearing.toValue = -45
      }

      animator.addCompletion { [unowned self] (_) in
        printed.append("All animations complete!")
      }

      return animator
    }()
  }

  @Test func animatorsMoveTheCamera() throws {
    let mapView = try loadedView(hostPaces: true)
    let controller = AnimatingController(mapView)
    #expect(controller.myCustomAnimator.owner == .unspecified)
    var positions: [String] = []

    controller.myCustomAnimator.addCompletion { position in
      positions.append("Animation complete at position: \(position)")
    }
    try controller.myCustomAnimator.startAnimation()

    try mapView.mapboxMap.beginFrame(milliseconds: 10)
    try mapView.mapboxMap.beginFrame(milliseconds: 2510)
    #expect(abs(mapView.cameraState.zoom - 5) < 1e-6, "half of the way from 3 to 7")
    #expect(abs(mapView.cameraState.bearing - 90) < 1e-6)
    try mapView.mapboxMap.beginFrame(milliseconds: 5010)
    #expect(mapView.cameraState.zoom == 7 && abs(mapView.cameraState.bearing) == 180)
    #expect(positions == ["Animation complete at position: end"])

    try controller.fromValuesAnimator.startAnimation()
    try mapView.mapboxMap.beginFrame(milliseconds: 5020)
    #expect(abs(mapView.cameraState.zoom - 10) < 0.01 && abs(mapView.cameraState.bearing - 45) < 0.1)
    try mapView.mapboxMap.beginFrame(milliseconds: 10_020)
    #expect(mapView.cameraState.zoom == 7)
    let owner = AnimationOwner(rawValue: "host")
    let own = try mapView.camera.makeAnimator(duration: 1, curve: .linear, owner: owner) {
      $0.zoom.toValue = 2
    }
    #expect(own.owner == owner && mapView.camera.cameraAnimators.contains { $0.owner == owner })
  }

  @Test func animationsAreChained() throws {
    let mapView = try loadedView(hostPaces: true)
    let controller = AnimatingController(mapView)

    // Start the zoomAnimator at some point after the `.mapLoaded` event
    try controller.zoomAnimator.startAnimation()

    for time in stride(from: 10.0, through: 12_000, by: 10) {
      try mapView.mapboxMap.beginFrame(milliseconds: time)
    }
    #expect(controller.printed.count == 3 && controller.printed.last == "All animations complete!")
    let state = mapView.cameraState
    #expect(state.zoom == 14 && state.pitch == 55 && abs(state.bearing + 45) < 1e-9)
  }
}
