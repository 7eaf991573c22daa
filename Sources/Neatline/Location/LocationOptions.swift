/// What turns the puck.
public enum PuckBearing: String, Hashable, Sendable, CaseIterable {
  /// Where the device points.
  case heading
  /// Where it is going.
  case course
}

/// What a map does with the user's location, with the names of version 10 of the mobile SDKs.
public struct LocationOptions: Hashable, Sendable {
  /// Metres that a device is to move before a provider says so; nil: every move. For the provider.
  public var distanceFilter: Double?
  /// Metres; nil: as exactly as the device can. For the provider.
  public var desiredAccuracy: Double?
  /// What stands where the user is; nil: nothing.
  public var puckType: PuckType?
  /// What turns the puck.
  public var puckBearing = PuckBearing.heading
  /// Whether it is turned.
  public var puckBearingEnabled = true

  /// `puckBearing`, by the name that it had first.
  public var puckBearingSource: PuckBearing {
    get { puckBearing }
    set { puckBearing = newValue }
  }

  /// No puck.
  public init() {}

  /// - Parameter always: whether locations are wanted even where nothing shows them.
  func json(always: Bool) throws(NeatlineError) -> JSONValue {
    var puck = JSONValue.null
    switch puckType {
    case .puck2D(let configuration)?: puck = try configuration.json
    case .puck3D(let configuration)?: puck = try configuration.json
    case nil: break
    }
    return .object([
      JSONValue.Member("puck", puck), JSONValue.Member("puckBearing", .string(puckBearing.rawValue)),
      JSONValue.Member("puckBearingEnabled", .bool(puckBearingEnabled)),
      JSONValue.Member("updates", .string(always ? "always" : "needed")),
    ])
  }
}
