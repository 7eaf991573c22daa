import CNeatline

/// The user's location on a map: where it comes from, and what stands there. `Map.location`. Belongs to the map's
/// thread.
public final class LocationManager {
  /// Hears of what the user lets the host know. Not kept alive.
  public weak var delegate: (any LocationPermissionsDelegate)?
  private weak var map: Map?
  private var given = LocationOptions()
  private var provider: (any LocationProvider)?
  /// Whether the map has the model of `given`.
  private var isModelSet = false
  private let bridge = ProviderBridge()
  private var consumers: [WeakConsumer] = []

  private struct WeakConsumer {
    weak var location: (any LocationConsumer)?
    weak var puck: (any PuckLocationConsumer)?
    var isAlive: Bool { location != nil || puck != nil }
  }

  init(_ map: Map) {
    self.map = map
    bridge.manager = self
    map.listeners.add(
      [.locationChanged, .puckMoved, .accuracyAuthorizationChanged, .locationFailed], for: self
    ) { $0.tell($1) }
  }

  private func tell(_ event: MapEvent) {
    switch event {
    case .locationChanged(let location):
      for consumer in consumers { consumer.location?.locationUpdate(newLocation: location) }
    case .puckMoved(let location):
      for consumer in consumers { consumer.puck?.puckLocationUpdate(newLocation: location) }
    case .accuracyAuthorizationChanged(let authorization):
      delegate?.locationManager(self, didChangeAccuracyAuthorization: authorization)
    case .locationFailed(let error):
      delegate?.locationManager(self, didFailToLocateUserWithError: error)
    default: break
    }
  }

  // Options

  /// What the map does with the user's location. Options that are out of their range are not taken: `setOptions` says
  /// which.
  public var options: LocationOptions {
    get { given }
    set { try? setOptions(newValue) }
  }

  /// Sets what the map does with the user's location. Throws `invalidArgument` for an option out of its range and
  /// `limitExceeded` for a picture past 1024 pixels an edge, and changes nothing.
  public func setOptions(_ options: LocationOptions) throws(NeatlineError) {
    let map = try living
    let old = given
    try apply(options, map)
    do throws(NeatlineError) {
      try setPictures(options, map)
    } catch {
      try? apply(old, map)
      try? setPictures(old, map)
      throw error
    }
    given = options
    provider?.locationProviderOptions = options
  }

  private func apply(_ options: LocationOptions, _ map: Map) throws(NeatlineError) {
    let json = try options.json(always: consumers.contains(where: \.isAlive)).text
    try check(json.withText { neat_map_set_location_options(map.pointer, $0, $1) })
  }

  private func setPictures(_ options: LocationOptions, _ map: Map) throws(NeatlineError) {
    switch options.puckType {
    case .puck2D(let puck)?:
      for (kind, picture) in puck.pictures {
        try check(
          neat_map_set_puck_image(map.pointer, kind, picture?.image.pointer, picture?.pixelRatio ?? 1))
      }
      try check(neat_map_set_puck_model(map.pointer, nil, 0))
    case .puck3D(let puck)?:
      // One that is there already is not read again.
      if case .puck3D(let old)? = given.puckType, old.model == puck.model, isModelSet { return }
      guard !puck.model.data.isEmpty else {
        throw NeatlineError(.invalidArgument, "the puck's model is empty")
      }
      isModelSet = false
      try check(
        puck.model.data.withUnsafeBufferPointer {
          neat_map_set_puck_model(map.pointer, $0.baseAddress, $0.count)
        })
      isModelSet = true
    case nil: break
    }
  }

  // What is known

  /// The last location that was given.
  public var latestLocation: Location? {
    guard let map else { return nil }
    return Location { neat_map_latest_location(map.pointer, $0) }
  }

  /// What the puck shows at the moment, on its way from one location to the next.
  public var shownLocation: Location? {
    guard let map else { return nil }
    return Location { neat_map_shown_location(map.pointer, $0) }
  }

  /// The last heading that was given.
  public var latestHeading: Heading? {
    guard let map else { return nil }
    var heading = neat_heading()
    heading.struct_size = UInt32(MemoryLayout<neat_heading>.size)
    guard neat_map_latest_heading(map.pointer, &heading) == NEAT_STATUS_OK else { return nil }
    return Heading(heading)
  }

  /// How exactly the user lets the host know where they are.
  public var accuracyAuthorization: AccuracyAuthorization {
    var value = NEAT_ACCURACY_AUTHORIZATION_FULL
    if let map { _ = neat_map_accuracy_authorization(map.pointer, &value) }
    return AccuracyAuthorization(rawValue: value.rawValue) ?? .fullAccuracy
  }

  /// Says how exactly the user lets the host know where they are. Throws `state` where the map is gone.
  public func setAccuracyAuthorization(_ authorization: AccuracyAuthorization) throws(NeatlineError) {
    try check(
      neat_map_set_accuracy_authorization(
        try living.pointer, neat_accuracy_authorization(rawValue: authorization.rawValue)))
  }

  /// Says where the user is, without a provider. Throws `invalidArgument` for what is no location.
  public func push(_ location: Location) throws(NeatlineError) {
    var place = location.c
    try check(neat_map_push_location(try living.pointer, &place))
  }

  /// Says where the device points, without a provider. Throws `invalidArgument` for what is no heading.
  public func push(_ heading: Heading) throws(NeatlineError) {
    var direction = heading.c
    try check(neat_map_push_heading(try living.pointer, &direction))
  }

  /// Forgets location and heading: the puck goes.
  public func forgetLocation() {
    if let map { _ = neat_map_forget_location(map.pointer) }
  }

  // Providers

  /// Where locations come from; nil: the host pushes them.
  public var locationProvider: (any LocationProvider)? { provider }

  /// Has locations come from a provider, which is kept alive; the one before is stopped.
  public func overrideLocationProvider(with customLocationProvider: any LocationProvider) {
    guard let map else { return }
    // The one before hears that nothing is wanted any more.
    neat_map_set_location_provider(map.pointer, nil).ignore()
    neat_map_stop_replay(map.pointer).ignore()
    provider = customLocationProvider
    customLocationProvider.locationProviderOptions = given
    bridge.provider = customLocationProvider
    customLocationProvider.setDelegate(bridge)
    if let replay = customLocationProvider as? ReplayLocationProvider {
      do throws(NeatlineError) {
        try self.replay(replay.track, speed: replay.speed, completion: replay.completion)
      } catch {
        replay.completion?(error)
      }
      return
    }
    try? setAccuracyAuthorization(customLocationProvider.accuracyAuthorization)
    var callbacks = neat_location_provider()
    callbacks.struct_size = UInt32(MemoryLayout<neat_location_provider>.size)
    callbacks.context = Unmanaged.passUnretained(bridge).toOpaque()
    callbacks.update = { context, locations, headings in
      guard let context else { return }
      Unmanaged<ProviderBridge>.fromOpaque(context).takeUnretainedValue()
        .update(locations: locations != 0, headings: headings != 0)
    }
    callbacks.request_full_accuracy = { context, key in
      guard let context, let key else { return }
      Unmanaged<ProviderBridge>.fromOpaque(context).takeUnretainedValue().provider?
        .requestTemporaryFullAccuracyAuthorization(withPurposeKey: String(cString: key))
    }
    // The bridge ends after the map, which tells it last that nothing is wanted.
    map.keepUntilEnd(bridge)
    neat_map_set_location_provider(map.pointer, &callbacks).ignore()
  }

  /// Has the provider ask the user for full accuracy for a while. The key says what for. Nothing where there is no
  /// provider.
  public func requestTemporaryFullAccuracyPermissions(withPurposeKey purposeKey: String) {
    guard let map else { return }
    purposeKey.withText { neat_map_request_full_accuracy(map.pointer, $0, $1) }.ignore()
  }

  /// Gives the map the locations of a recording at their times, `speed` times as fast as they were recorded.
  /// `completion` hears once of the end, or `cancelled`. Throws `invalidArgument` for a speed that is not within 0.001
  /// to 10,000.
  public func replay(_ track: Track, speed: Double = 1, completion: ((NeatlineError?) -> Void)? = nil)
    throws(NeatlineError)
  {
    let map = try living
    let waiter = completion.map { Unmanaged.passRetained(ReplayWaiter($0)) }
    let status = neat_map_replay(
      map.pointer, track.pointer, speed,
      waiter == nil
        ? nil
        : { context, status in
          guard let context else { return }
          let waiter = Unmanaged<ReplayWaiter>.fromOpaque(context).takeRetainedValue()
          waiter.body(
            status == NEAT_STATUS_OK ? nil : NeatlineError(status, "the replay was ended before its time"))
        }, waiter?.toOpaque())
    if status != NEAT_STATUS_OK { waiter?.release() }
    try check(status)
  }

  /// Ends a replay where it is.
  public func stopReplay() {
    if let map { neat_map_stop_replay(map.pointer).ignore() }
  }

  // Consumers

  /// Has an object hear of locations, whether they are shown or not. It is not kept alive.
  public func addLocationConsumer(newConsumer consumer: any LocationConsumer) {
    add(WeakConsumer(location: consumer))
  }

  /// Ends it.
  public func removeLocationConsumer(consumer: any LocationConsumer) {
    remove { $0.location === consumer }
  }

  /// Has an object hear of what the puck shows. It is not kept alive.
  public func addPuckLocationConsumer(_ consumer: any PuckLocationConsumer) {
    add(WeakConsumer(puck: consumer))
  }

  /// Ends it.
  public func removePuckLocationConsumer(_ consumer: any PuckLocationConsumer) {
    remove { $0.puck === consumer }
  }

  private func add(_ consumer: WeakConsumer) {
    consumers.append(consumer)
    if let map { try? apply(given, map) }
  }

  private func remove(_ isMeant: (WeakConsumer) -> Bool) {
    consumers.removeAll { !$0.isAlive || isMeant($0) }
    if let map { try? apply(given, map) }
  }

  fileprivate var living: Map {
    get throws(NeatlineError) {
      guard let map else { throw NeatlineError(.state, "the map is gone") }
      return map
    }
  }
}

/// Stands between a provider and the library.
private final class ProviderBridge: LocationProviderDelegate {
  weak var manager: LocationManager?
  var provider: (any LocationProvider)?
  private var isUpdating = (locations: false, headings: false)

  func update(locations: Bool, headings: Bool) {
    let before = isUpdating
    isUpdating = (locations, headings)
    guard let provider else { return }
    if locations != before.locations {
      if locations {
        if provider.authorizationStatus == .notDetermined { provider.requestWhenInUseAuthorization() }
        provider.startUpdatingLocation()
      } else {
        provider.stopUpdatingLocation()
      }
    }
    guard headings != before.headings else { return }
    if headings { provider.startUpdatingHeading() } else { provider.stopUpdatingHeading() }
  }

  private func current(_ provider: any LocationProvider) -> LocationManager? {
    provider === self.provider ? manager : nil
  }

  func locationProvider(_ provider: any LocationProvider, didUpdateLocations locations: [Location]) {
    for location in locations {
      guard let manager = current(provider) else { return }
      do throws(NeatlineError) { try manager.push(location) } catch {
        locationProvider(provider, didFailWithError: error)
      }
    }
  }

  func locationProvider(_ provider: any LocationProvider, didUpdateHeading newHeading: Heading) {
    guard let manager = current(provider) else { return }
    do throws(NeatlineError) { try manager.push(newHeading) } catch {
      locationProvider(provider, didFailWithError: error)
    }
  }

  func locationProvider(_ provider: any LocationProvider, didFailWithError error: any Error) {
    guard let map = try? current(provider)?.living else { return }
    let known = error as? NeatlineError
    let status = neat_status(rawValue: known.map(\.status.rawValue) ?? NEAT_STATUS_IO.rawValue)
    let message = known?.message ?? "\(error)"
    message.withText { neat_map_fail_location(map.pointer, status, $0, $1) }.ignore()
  }

  func locationProviderDidChangeAuthorization(_ provider: any LocationProvider) {
    try? current(provider)?.setAccuracyAuthorization(provider.accuracyAuthorization)
  }
}

/// Who waits for a replay's end, behind a C context.
private final class ReplayWaiter {
  let body: (NeatlineError?) -> Void
  init(_ body: @escaping (NeatlineError?) -> Void) { self.body = body }
}

extension neat_status {
  /// A failure that can only be that the map is gone.
  func ignore() {}
}
