/// Whether a user lets a host know where they are.
public enum LocationAuthorizationStatus: Hashable, Sendable {
  case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// Where a map's locations come from, with the functions of version 10 of the mobile SDKs. The map says what it
/// needs, by starting and stopping; what is found goes to the delegate, on the map's thread.
public protocol LocationProvider: AnyObject {
  /// How exactly locations are wanted.
  var locationProviderOptions: LocationOptions { get set }
  /// Whether the user lets the host know where they are.
  var authorizationStatus: LocationAuthorizationStatus { get }
  /// How exactly they do.
  var accuracyAuthorization: AccuracyAuthorization { get }
  /// The last heading.
  var heading: Heading? { get }
  /// Takes who hears of locations, and is not to be kept alive.
  func setDelegate(_ delegate: any LocationProviderDelegate)
  /// Asks the user, at any time.
  func requestAlwaysAuthorization()
  /// Asks the user, while the host is in use.
  func requestWhenInUseAuthorization()
  /// Asks the user for full accuracy for a while. The key says what for.
  func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String)
  /// Locations are wanted.
  func startUpdatingLocation()
  /// Locations are not wanted any more.
  func stopUpdatingLocation()
  /// Headings are wanted.
  func startUpdatingHeading()
  /// Headings are not wanted any more.
  func stopUpdatingHeading()
}

extension LocationProvider {
  /// For providers that need no permission.
  public var authorizationStatus: LocationAuthorizationStatus { .authorizedAlways }
  /// For providers that know only one accuracy.
  public var accuracyAuthorization: AccuracyAuthorization { .fullAccuracy }
  /// For providers without a compass.
  public var heading: Heading? { nil }
  /// For providers that need no permission.
  public func requestAlwaysAuthorization() {}
  /// For providers that need no permission.
  public func requestWhenInUseAuthorization() {}
  /// For providers that know only one accuracy.
  public func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {}
  /// For providers without a compass.
  public func startUpdatingHeading() {}
  /// For providers without a compass.
  public func stopUpdatingHeading() {}
}

/// Hears what a provider finds. A map's own; hosts listen to the map.
public protocol LocationProviderDelegate: AnyObject {
  /// Locations in the order of their times; the last is the newest.
  func locationProvider(_ provider: any LocationProvider, didUpdateLocations locations: [Location])
  /// Where the device points.
  func locationProvider(_ provider: any LocationProvider, didUpdateHeading newHeading: Heading)
  /// The provider cannot say where the user is.
  func locationProvider(_ provider: any LocationProvider, didFailWithError error: any Error)
  /// The user has changed what the host may know: see `accuracyAuthorization`.
  func locationProviderDidChangeAuthorization(_ provider: any LocationProvider)
}

/// Hears of what the user lets the host know.
public protocol LocationPermissionsDelegate: AnyObject {
  /// The provider could not say where the user is.
  func locationManager(_ locationManager: LocationManager, didFailToLocateUserWithError error: any Error)
  /// How exactly the user lets the host know where they are has changed.
  func locationManager(
    _ locationManager: LocationManager,
    didChangeAccuracyAuthorization accuracyAuthorization: AccuracyAuthorization
  )
}

extension LocationPermissionsDelegate {
  /// Nothing.
  public func locationManager(
    _ locationManager: LocationManager, didFailToLocateUserWithError error: any Error
  ) {}
  /// Nothing.
  public func locationManager(
    _ locationManager: LocationManager,
    didChangeAccuracyAuthorization accuracyAuthorization: AccuracyAuthorization
  ) {}
}

/// Hears of locations as they are given.
public protocol LocationConsumer: AnyObject {
  /// A location was given.
  func locationUpdate(newLocation: Location)
}

/// Hears of what the puck shows, on its way from one location to the next.
public protocol PuckLocationConsumer: AnyObject {
  /// The puck has moved.
  func puckLocationUpdate(newLocation: Location)
}

/// A provider whose locations the host gives by hand: for tests, and for positions that come over a wire.
public final class SimulatedLocationProvider: LocationProvider {
  /// How exactly locations are wanted.
  public var locationProviderOptions = LocationOptions()
  /// Whether the host may know where the user is.
  public var authorizationStatus = LocationAuthorizationStatus.authorizedAlways
  /// How exactly; the map is told where it changes.
  public var accuracyAuthorization = AccuracyAuthorization.fullAccuracy {
    didSet { delegate?.locationProviderDidChangeAuthorization(self) }
  }
  /// The last heading.
  public private(set) var heading: Heading?
  /// Whether locations are wanted.
  public private(set) var isUpdatingLocation = false
  /// Whether headings are wanted.
  public private(set) var isUpdatingHeading = false
  /// Called when full accuracy is asked for, with the key.
  public var onFullAccuracyRequest: ((String) -> Void)?
  private weak var delegate: (any LocationProviderDelegate)?

  /// A provider that knows nothing yet.
  public init() {}

  /// Gives locations, whether they are wanted or not.
  public func send(_ locations: Location...) {
    delegate?.locationProvider(self, didUpdateLocations: locations)
  }

  /// Gives a heading.
  public func send(_ heading: Heading) {
    self.heading = heading
    delegate?.locationProvider(self, didUpdateHeading: heading)
  }

  /// Says that nobody could tell where the user is.
  public func fail(_ error: any Error) { delegate?.locationProvider(self, didFailWithError: error) }

  /// Takes who hears of locations.
  public func setDelegate(_ delegate: any LocationProviderDelegate) { self.delegate = delegate }
  /// Tells `onFullAccuracyRequest`.
  public func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    onFullAccuracyRequest?(purposeKey)
  }
  /// Locations are wanted.
  public func startUpdatingLocation() { isUpdatingLocation = true }
  /// Locations are not wanted any more.
  public func stopUpdatingLocation() { isUpdatingLocation = false }
  /// Headings are wanted.
  public func startUpdatingHeading() { isUpdatingHeading = true }
  /// Headings are not wanted any more.
  public func stopUpdatingHeading() { isUpdatingHeading = false }
}
