import CNeatline

/// The style of a map, as version 10 of the mobile SDKs calls it.
public typealias Style = MapStyle

/// Where a style is: a file path, or a `file://`, `http(s)://` or `mapbox://` address.
public struct StyleURI: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The address.
  public var rawValue: String

  /// The style at an address.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The style at an address.
  public init(stringLiteral value: String) { rawValue = value }

  private static func mapbox(_ name: String) -> StyleURI {
    StyleURI(rawValue: "mapbox://styles/mapbox/\(name)")
  }

  /// Mapbox Streets.
  public static var streets: StyleURI { mapbox("streets-v11") }
  /// Mapbox Outdoors.
  public static var outdoors: StyleURI { mapbox("outdoors-v11") }
  /// Mapbox Light.
  public static var light: StyleURI { mapbox("light-v10") }
  /// Mapbox Dark.
  public static var dark: StyleURI { mapbox("dark-v10") }
  /// Mapbox Satellite.
  public static var satellite: StyleURI { mapbox("satellite-v9") }
  /// Mapbox Satellite Streets.
  public static var satelliteStreets: StyleURI { mapbox("satellite-streets-v11") }
}

// A completion is called once: with the style just before `styleLoaded`, with the error where the style cannot
// be had or read, or with `cancelled` where another style takes its place or the map ends. A sprite, source or
// tile that fails is an event, and does not make the style fail.
extension Map {
  /// Starts to load a style in place of the one there is, and says what became of it.
  public func loadStyleURI(_ styleURI: StyleURI, completion: ((Result<Style, any Error>) -> Void)? = nil) {
    load(completion) { callback, context in
      styleURI.rawValue.withText { neat_map_load_style_then(pointer, $0, $1, callback, context) }
    }
  }

  /// Sets a style from JSON in place of the one there is, and says what became of it. Relative addresses in it
  /// start at `baseURL`. Where it is no style, the completion is called at once, and the map keeps the one that
  /// it has.
  public func loadStyleJSON(
    _ styleJSON: String, baseURL: String = "", completion: ((Result<Style, any Error>) -> Void)? = nil
  ) {
    load(completion) { callback, context in
      styleJSON.withText { json, size in
        baseURL.withText { neat_map_set_style_then(pointer, json, size, $0, $1, callback, context) }
      }
    }
  }

  /// Loads a style in place of the one there is; returns it when it is there. Something must run the map's loop
  /// meanwhile. Throws why it cannot be had, `cancelled` where another one takes its place.
  @discardableResult
  public nonisolated(nonsending) func loadStyleURI(_ styleURI: StyleURI) async throws -> Style {
    try await loaded { loadStyleURI(styleURI, completion: $0) }
  }

  /// Sets a style from JSON in place of the one there is; returns it when its sprite and the metadata of its
  /// sources are there. Something must run the map's loop meanwhile. Throws where it is no style, `cancelled`
  /// where another one takes its place.
  @discardableResult
  public nonisolated(nonsending) func loadStyleJSON(_ styleJSON: String, baseURL: String = "") async throws
    -> Style
  {
    try await loaded { loadStyleJSON(styleJSON, baseURL: baseURL, completion: $0) }
  }

  private nonisolated(nonsending) func loaded(
    _ load: (@escaping (Result<Style, any Error>) -> Void) -> Void
  ) async throws -> Style {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      load { continuation.resume(with: $0.map { _ in () }) }
    }
    return style
  }

  private func load(
    _ completion: ((Result<Style, any Error>) -> Void)?,
    _ begin: (neat_style_callback?, UnsafeMutableRawPointer?) -> neat_status
  ) {
    // The map may be gone when it is told that it is cancelled.
    let waiter = StyleWaiter { [weak self] error in
      if let error { return completion?(.failure(error)) ?? () }
      if let self { completion?(.success(self.style)) }
    }
    let context = Unmanaged.passRetained(waiter)
    styleNumber += 1
    let status = begin(
      { context, status, message in
        guard let context else { return }
        let waiter = Unmanaged<StyleWaiter>.fromOpaque(context).takeRetainedValue()
        let words = message.map { String(cString: $0) } ?? ""
        waiter.body(status == NEAT_STATUS_OK ? nil : NeatlineError(status, words))
      }, context.toOpaque())
    guard status != NEAT_STATUS_OK else { return }
    styleNumber -= 1
    context.release()
    waiter.body(NeatlineError(status, String(cString: neat_last_error())))
  }
}

/// Who waits for a style, behind a C context.
private final class StyleWaiter {
  let body: (NeatlineError?) -> Void
  init(_ body: @escaping (NeatlineError?) -> Void) { self.body = body }
}
