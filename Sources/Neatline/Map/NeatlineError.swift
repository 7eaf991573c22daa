import CNeatline

/// What the engine could not do: the kind of failure, and a message that names the resource, layer, property
/// or byte at fault.
public struct NeatlineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Status: UInt32, Hashable, Sendable {
    case invalidArgument = 1
    case outOfMemory, limitExceeded, notFound, unsupported, json, style, expression, tile, archive, font,
      image, geojson, io, network,
      timeout
    case cancelled, state
    /// A status that this version does not know.
    case unknown = 0xFFFF
  }

  /// What kind of failure it is.
  public var status: Status
  /// What is wrong, and where: a layer, property, resource or byte.
  public var message: String

  /// An error of a kind, with a message.
  public init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }

  init(_ status: neat_status, _ message: String) {
    self.init(Status(rawValue: status.rawValue) ?? .unknown, message)
  }

  /// The message.
  public var description: String { message }
}

// The C header's conventions in Swift: a status becomes an error, an out parameter a result.

typealias OutPointer = UnsafeMutablePointer<OpaquePointer?>

func check(_ status: neat_status) throws(NeatlineError) {
  if status != NEAT_STATUS_OK { throw NeatlineError(status, String(cString: neat_last_error())) }
}

/// The handle that a call makes.
func handle(_ call: (OutPointer) -> neat_status) throws(NeatlineError) -> OpaquePointer {
  var result: OpaquePointer?
  try check(call(&result))
  guard let result else { throw NeatlineError(.unknown, "no result") }
  return result
}

/// The bytes of the buffer that a call makes.
func buffer(_ call: (OutPointer) -> neat_status) throws(NeatlineError) -> [UInt8] {
  let buffer = try handle(call)
  defer { neat_buffer_destroy(buffer) }
  return [UInt8](UnsafeBufferPointer(start: neat_buffer_data(buffer), count: neat_buffer_size(buffer)))
}

/// The values of the buffer that a call makes.
func values<T: BitwiseCopyable>(of buffer: OpaquePointer, as type: T.Type) -> [T] {
  let raw = UnsafeRawBufferPointer(start: neat_buffer_data(buffer), count: neat_buffer_size(buffer))
  return [T](raw.bindMemory(to: T.self))
}

/// The JSON text that a call makes.
func jsonText(_ call: (OutPointer) -> neat_status) throws(NeatlineError) -> String {
  String(decoding: try buffer(call), as: UTF8.self)
}

/// The JSON that a call makes, read.
func jsonValue(_ call: (OutPointer) -> neat_status) throws(NeatlineError) -> JSONValue {
  let bytes = try buffer(call)
  do { return try JSONValue(parsing: bytes) } catch { throw NeatlineError(.json, "\(error)") }
}

/// A count or a time as the C header takes it. Negative ones do not become 0, which means a default to many
/// functions.
func unsigned(_ value: Int, _ name: String) throws(NeatlineError) -> UInt32 {
  guard let result = UInt32(exactly: value) else {
    throw NeatlineError(.invalidArgument, "\(name) \(value) is not within 0...\(UInt32.max)")
  }
  return result
}

extension String {
  /// The text as the C header takes it.
  func withText<R>(_ body: (UnsafePointer<CChar>, Int) -> R) -> R {
    let count = utf8.count
    return withCString { body($0, count) }
  }
}

extension Optional where Wrapped == JSONValue {
  /// The JSON's text as the C header takes it; nil: NULL and 0.
  func withText<R>(_ body: (UnsafePointer<CChar>?, Int) -> R) -> R {
    guard let self else { return body(nil, 0) }
    return self.text.withText { body($0, $1) }
  }
}
