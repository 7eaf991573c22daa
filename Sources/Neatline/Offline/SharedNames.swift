/// Something that can be ended before its time.
public protocol Cancelable: AnyObject {
  /// Ends it; nothing is called any more. May be called again, and from within what it ends.
  func cancel()
}

/// Where a style is: a file path, or a `file://`, `http(s)://` or `mapbox://` address.
public struct StyleURI: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The address.
  public var rawValue: String

  /// The style at an address.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The style at an address.
  public init(stringLiteral value: String) { rawValue = value }
}
