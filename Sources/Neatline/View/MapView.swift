/// A map with all that belongs to it, by the names of version 10 of the mobile SDKs, and without a view: nothing
/// shows it but what takes its pictures (`mapboxMap.draw()`) or frames. Belongs to the thread of its loop.
///
///     let mapView = try MapView(width: 800, height: 600)
///     mapView.mapboxMap.loadStyleURI(.streets) { result in … }
///     mapView.loop.run()
///
/// With NeatlineFoundation it takes a `CGRect`, as there. `docs/from-v10.md` has each snippet of the guide to
/// version 10 as it reads here.
public final class MapView {
  /// The map itself: style, camera, events, pictures.
  public let mapboxMap: MapboxMap

  /// A map of `width` x `height` logical pixels, with the options' pixel ratio, camera and style, which starts to
  /// load. `loop`: where it lives; nil: the calling thread's own (`EventLoop.current`). Throws `invalidArgument` for
  /// sizes that no picture has and options out of their range, `json` and `style` for a style text that is none, and
  /// what `ResourceOptions.resources` throws.
  public init(
    width: Int, height: Int, mapInitOptions: MapInitOptions = MapInitOptions(), loop: EventLoop? = nil
  ) throws(NeatlineError) {
    let options = mapInitOptions
    let map = try Map(
      loop: try .given(loop), width: width, height: height,
      pixelRatio: options.mapOptions.pixelRatio, options: try options.options)
    try map.set(options.mapOptions)
    if let camera = options.cameraOptions { try map.setCamera(camera) }
    if let json = options.styleJSON {
      try map.setStyle(json: json)
    } else if let uri = options.styleURI {
      try map.loadStyle(uri.rawValue)
    }
    mapboxMap = map
  }

  /// The loop that the map lives on, which somebody must run.
  public var loop: EventLoop { mapboxMap.loop }
  /// What moves the camera: easings, flights, animators.
  public var camera: CameraAnimationsManager { mapboxMap.cameraAnimations }
  /// What the application shows on the map.
  public var annotations: AnnotationOrchestrator { mapboxMap.annotations }
  /// Rectangles that the host draws, placed in every frame.
  public var viewAnnotations: ViewAnnotationManager { mapboxMap.viewAnnotations }
  /// Where the user is, and what stands there.
  public var location: LocationManager { mapboxMap.location }
  /// What moves the camera from pointers, wheel and keys, which the host hands over.
  public var gestures: GestureManager { mapboxMap.gestures }
  /// What stands in the map's corners.
  public var ornaments: OrnamentsManager { mapboxMap.ornaments }
  /// What keeps the camera: a state that follows the puck, an overview, one of the host's.
  public var viewport: ViewportManager { mapboxMap.viewport }
  /// The camera as it is now, within an animation too.
  public var cameraState: CameraState { mapboxMap.cameraState }
  /// Width and height in logical pixels, and the pixel ratio.
  public var size: PictureSize { mapboxMap.size }

  /// Changes the size, in logical pixels: a change of the camera. Throws `invalidArgument` for sizes that no picture
  /// has.
  public func setSize(width: Int, height: Int) throws(NeatlineError) {
    try mapboxMap.setSize(width: width, height: height, pixelRatio: size.pixelRatio)
  }
}

/// A map, as version 10 of the mobile SDKs calls it.
public typealias MapboxMap = Map
