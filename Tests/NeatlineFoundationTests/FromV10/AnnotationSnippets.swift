import Foundation
import Neatline
import NeatlineFoundation
import Testing

// Annotations.
extension FromV10 {
  @Test func aPointIsMarked() throws {
    let mapView = try loadedView()
    let customCoordinate = CLLocationCoordinate2D(latitude: 48, longitude: 2)

    // Make a `PointAnnotationManager` which will be responsible for managing a collection of `PointAnnotion`s.
    let pointAnnotationManager = try mapView.annotations.makePointAnnotationManager()

    // Initialize a point annotation with a geometry ("coordinate" in this case)
    // and configure it with a custom image (sourced from the asset catalogue)
    var customPointAnnotation = PointAnnotation(coordinate: customCoordinate)

    // Make the annotation show a red pin. See /ios/maps/examples/point-annotation/ for a complete example.
    customPointAnnotation.image = .init(image: try redPin(), name: "red_pin")

    // Add the annotation to the manager in order to render it on the mao.
    pointAnnotationManager.annotations = [customPointAnnotation]

    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView) == [255, 0, 0] && pixel(mapView, 10, 10) == [0, 255, 0])
    #expect(pointAnnotationManager.sourceId == pointAnnotationManager.layerId)
    #expect(mapView.mapboxMap.style.layerExists(withId: pointAnnotationManager.layerId))
    // Managers live until they are removed, or another one of their id is made.
    try mapView.annotations.removeAnnotationManager(withId: pointAnnotationManager.id)
    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView) == [0, 255, 0])
    let clusters = try mapView.annotations.makePointAnnotationManager(
      id: "clustered", layerPosition: .default,
      clusterOptions: ClusterOptions(
        circleRadius: .constant(12), clusterRadius: 40,
        colorLevels: [.init(pointCount: 0, clusterColor: StyleColor(.red))], clusterMaxZoom: 10))
    clusters.annotations = [0.0, 0.001].map {
      PointAnnotation(coordinate: CLLocationCoordinate2DMake(48 + $0, 2))
    }
    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView, 32, 42) == [255, 0, 0], "the circle of a cluster")
  }

  @Test func aLineConnectsPlaces() throws {
    let mapView = try loadedView()

    // Line from New York City, NY to Washington, D.C.
    let lineCoordinates = [
      CLLocationCoordinate2DMake(40.7128, -74.0060),
      CLLocationCoordinate2DMake(38.9072, -77.0369),
    ]

    // Create the line annotation.
    var lineAnnotation = PolylineAnnotation(lineCoordinates: lineCoordinates)

    // Customize the style of the line annotation
    lineAnnotation.lineColor = StyleColor(.red)
    lineAnnotation.lineOpacity = 0.8
    lineAnnotation.lineWidth = 10.0

    // Create the PolylineAnnotationManager responsible for managing
    // this line annotations (and others if you so choose)
    let lineAnnnotationManager = try mapView.annotations.makePolylineAnnotationManager()

    // Add the annotation to the manager.
    lineAnnnotationManager.annotations = [lineAnnotation]

    try mapView.mapboxMap.setCamera(
      to: CameraOptions(center: CLLocationCoordinate2DMake(39.81, -75.52), zoom: 8))
    mapView.loop.run(timeout: 10_000)
    let middle = try pixel(mapView)
    #expect((200...206).contains(middle[0]) && (49...53).contains(middle[1]) && middle[2] == 0, "\(middle)")
  }

  @Test func aPolygonHasAHole() throws {
    let mapView = try loadedView()

    // Describe the polygon's geometry
    let outerRingCoords = [
      CLLocationCoordinate2DMake(24.51713945052515, -89.857177734375),
      CLLocationCoordinate2DMake(24.51713945052515, -87.967529296875),
      CLLocationCoordinate2DMake(26.244156283890756, -87.967529296875),
      CLLocationCoordinate2DMake(26.244156283890756, -89.857177734375),
      CLLocationCoordinate2DMake(24.51713945052515, -89.857177734375),
    ]

    // This polygon has an intererior polygon which represents a hole in the shape.
    let innerRingCoords = [
      CLLocationCoordinate2DMake(25.085598897064752, -89.20898437499999),
      CLLocationCoordinate2DMake(25.085598897064752, -88.61572265625),
      CLLocationCoordinate2DMake(25.720735134412106, -88.61572265625),
      CLLocationCoordinate2DMake(25.720735134412106, -89.20898437499999),
      CLLocationCoordinate2DMake(25.085598897064752, -89.20898437499999),
    ]

    /// Create the Polygon with the outer ring and inner ring
    let outerRing = Turf.Ring(coordinates: outerRingCoords)
    let innerRing = Turf.Ring(coordinates: innerRingCoords)

    let polygon = Turf.Polygon(outerRing: outerRing, innerRings: [innerRing])

    // Create the PolygonAnnotationManager
    let polygonAnnotationManager = try mapView.annotations.makePolygonAnnotationManager()

    // Create the polygon annotation
    var polygonAnnotation = PolygonAnnotation(polygon: polygon)

    // Style the polygon annotation
    polygonAnnotation.fillColor = StyleColor(.red)
    polygonAnnotation.fillOpacity = 0.8

    // Add the polygon annotation to the manager
    polygonAnnotationManager.annotations = [polygonAnnotation]

    try mapView.mapboxMap.setCamera(
      to: CameraOptions(center: CLLocationCoordinate2DMake(25.4, -88.9), zoom: 5))
    mapView.loop.run(timeout: 10_000)
    #expect(try pixel(mapView) == [0, 255, 0], "the hole")
    let beside = try mapView.mapboxMap.point(for: CLLocationCoordinate2DMake(25.4, -88.3))
    let ring = try pixel(mapView, Int(beside.x), Int(beside.y))
    #expect((200...206).contains(ring[0]) && ring[2] == 0, "\(ring)")
  }

  private final class MyViewController: AnnotationInteractionDelegate {
    var mapView: MapView!
    var printed: [String] = []
    var manager: String?

    func viewDidLoad() throws {
      // Create the point annotation, which will be rendered with a red pin.
      let coordinate = mapView.cameraState.center
      var pointAnnotation = PointAnnotation(coordinate: coordinate)
      pointAnnotation.image = .init(image: try redPin(), name: "red_pin")

      // Create the point annotation manager
      let pointAnnotationManager = try mapView.annotations.makePointAnnotationManager()

      // Allow the view controller to accept annotation selection events.
      pointAnnotationManager.delegate = self

      // Add the annotation to the map.
      pointAnnotationManager.annotations = [pointAnnotation]
    }

    // MARK: - AnnotationInteractionDelegate
    public func annotationManager(
      _ manager: AnnotationManager,
      didDetectTappedAnnotations annotations: [Annotation]
    ) {
      printed.append("Annotations tapped: \(annotations)")
      self.manager = manager.id
    }
  }

  @Test func annotationsAreTapped() throws {
    let controller = MyViewController()
    controller.mapView = try loadedView()
    try controller.viewDidLoad()
    controller.mapView.loop.run(timeout: 10_000)
    for (x, time) in [(4.0, 0.0), (32.0, 5000.0)] {
      let at = ScreenPoint(x, 32)
      try controller.mapView.gestures.handle(PointerEvent(.down, at: at, milliseconds: time))
      try controller.mapView.gestures.handle(PointerEvent(.up, at: at, milliseconds: time + 30))
      controller.mapView.loop.run(timeout: 2000)
    }
    #expect(
      controller.printed.count == 1 && controller.printed[0].hasPrefix("Annotations tapped: [Neatline.Point"))
    #expect(controller.mapView.annotations.annotationManagersById.keys.contains(controller.manager ?? ""))
  }
}
