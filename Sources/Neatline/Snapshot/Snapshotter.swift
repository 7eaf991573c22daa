/// Makes pictures of a map that nobody sees, by the names of version 10 of the mobile SDKs. Belongs to the thread of
/// its loop, which somebody must run.
///
///     let snapshotter = try Snapshotter(options: MapSnapshotOptions(width: 512, height: 256, pixelRatio: 2))
///     snapshotter.style.uri = "style.json"
///     try snapshotter.setCamera(to: CameraOptions(center: place, zoom: 12))
///     snapshotter.start { result in … }
///     snapshotter.loop.run()
///
/// Without an overlay they have the pixels of `Renderer.draw`.
public final class Snapshotter {
  /// What pictures are like.
  public let options: MapSnapshotOptions
  /// The map that they are of: its style, images and events.
  public let mapboxMap: MapboxMap
  private var job: Job?
  /// Why the map has no style, and the map's `styleNumber` of the one that failed.
  private var styleFailure: (error: NeatlineError, number: Int)?

  private final class Job {
    let under: SnapshotOverlayHandler?
    let over: SnapshotOverlayHandler?
    let completion: (Result<MapSnapshot, NeatlineError>) -> Void

    init(
      _ under: SnapshotOverlayHandler?, _ over: SnapshotOverlayHandler?,
      _ completion: @escaping (Result<MapSnapshot, NeatlineError>) -> Void
    ) {
      (self.under, self.over, self.completion) = (under, over, completion)
    }
  }

  /// A snapshotter without a style. `loop`: where it lives; nil: the calling thread's own (`EventLoop.current`).
  /// Throws `invalidArgument` for sizes that no picture has and options out of their range, and what
  /// `ResourceOptions.resources` throws.
  public init(options: MapSnapshotOptions, loop: EventLoop? = nil) throws(NeatlineError) {
    self.options = options
    let size = options.size
    let map = try Map(
      loop: try .given(loop), width: size.width, height: size.height,
      pixelRatio: size.pixelRatio, options: try options.options)
    mapboxMap = map
    // What a picture shows does not depend on when it is taken.
    try map.setFadeDuration(0)
    try map.setTransitions(enabled: false)
    if options.ornaments != .hidden { try map.ornaments.setOptions(options.ornaments) }
    map.onEvery(.mapIdle) { [weak self] _ in self?.take() }
    map.onEvery(event: .mapLoadingError) { [weak self] event in
      // A style with something wrong in it is one, and its pictures' reports tell.
      guard let self, event.payload.type == .style, (try? self.mapboxMap.info) == nil else { return }
      self.fail(event.payload)
    }
  }

  deinit { job?.completion(.failure(NeatlineError(.cancelled, "the snapshotter went away"))) }

  /// The loop that it lives on.
  public var loop: EventLoop { mapboxMap.loop }
  /// The style, to be loaded, read and changed.
  public var style: MapStyle { mapboxMap.style }
  /// The camera as it is.
  public var cameraState: CameraState { mapboxMap.cameraState }
  /// Width and height in logical pixels, and the pixel ratio.
  public var snapshotSize: PictureSize { mapboxMap.size }

  /// Changes some of the camera's values; until then it is the style's. Throws `invalidArgument` for values past
  /// their range, and changes nothing.
  public func setCamera(to cameraOptions: CameraOptions) throws(NeatlineError) {
    try mapboxMap.setCamera(to: cameraOptions)
  }

  /// Begins a picture, in the place of the one under way, which is cancelled. It is taken when all is there that it
  /// needs, or cannot be had, which `MapSnapshot.report` tells. The completion hears of it once: of the picture;
  /// where there is no style, or it cannot be had or read, of why (within this call where that is known); of
  /// `cancelled`.
  ///
  /// `underlayHandler` draws first, and is seen where the map lets something through; `overlayHandler` draws over
  /// the map and its ornaments.
  public func start(
    underlayHandler: SnapshotOverlayHandler? = nil, overlayHandler: SnapshotOverlayHandler? = nil,
    completion: @escaping (Result<MapSnapshot, NeatlineError>) -> Void
  ) {
    guard mapboxMap.styleNumber > 0 else {
      return completion(.failure(NeatlineError(.state, "the snapshotter has no style yet")))
    }
    if let styleFailure, styleFailure.number == mapboxMap.styleNumber {
      return completion(.failure(styleFailure.error))
    }
    let (job, earlier) = (Job(underlayHandler, overlayHandler, completion), self.job)
    self.job = job
    earlier?.completion(.failure(NeatlineError(.cancelled, "another snapshot was started")))
    // That may have begun another one, or ended this one.
    guard self.job === job else { return }
    do throws(NeatlineError) {
      // A picture stands still: no tiles that stand in for others. An idle map looks again, and is idle again.
      try mapboxMap.setPrefetchZoomDelta(0)
    } catch {
      if self.job === job { end(.failure(error)) }
    }
  }

  /// Begins a picture and waits for it; else as `start`. Something must run the loop meanwhile.
  public nonisolated(nonsending) func start(
    underlayHandler: SnapshotOverlayHandler? = nil, overlayHandler: SnapshotOverlayHandler? = nil
  ) async throws -> MapSnapshot {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<MapSnapshot, any Error>) in
      start(underlayHandler: underlayHandler, overlayHandler: overlayHandler) {
        continuation.resume(with: $0.mapError { $0 as any Error })
      }
    }
  }

  /// Ends the picture under way: its completion hears `cancelled`. Nothing where there is none.
  public func cancel() { end(.failure(NeatlineError(.cancelled, "the snapshot was cancelled"))) }

  private func end(_ result: Result<MapSnapshot, NeatlineError>) {
    guard let job else { return }
    // First: the completion may begin another one.
    self.job = nil
    job.completion(result)
  }

  private func fail(_ error: MapLoadingError) {
    let error = NeatlineError(error.error.status, error.description)
    styleFailure = (error, mapboxMap.styleNumber)
    end(.failure(error))
  }

  private func take() {
    // Another listener may have changed something: then the map is idle again later.
    guard let job, mapboxMap.isLoaded else { return }
    do throws(NeatlineError) {
      let snapshot = try snapshot(job)
      // A handler may have ended it.
      if self.job === job { end(.success(snapshot)) }
    } catch {
      if self.job === job { end(.failure(error)) }
    }
  }

  private func snapshot(_ job: Job) throws(NeatlineError) -> MapSnapshot {
    let (camera, size) = (try mapboxMap.camera, mapboxMap.size)
    let projection = try mapboxMap.projection(atZoom: camera.zoom)
    let picture = try mapboxMap.draw()
    var image = picture
    if job.under != nil || job.over != nil {
      let context = SnapshotContext(
        width: picture.width, height: picture.height, pixelRatio: size.pixelRatio)
      let overlay = SnapshotOverlay(context, camera, size, projection)
      job.under?(overlay)
      context.lay(picture, 0, 0)
      job.over?(overlay)
      image = try context.image()
    }
    return MapSnapshot(
      image: image, cameraState: camera, size: size, projection: projection,
      attributions: try mapboxMap.attribution, report: picture.report)
  }
}
