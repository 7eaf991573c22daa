/// What went wrong, in the classes that callers tell apart. Raw values are those of `neat_status` in the C
/// header and are never renumbered.
package enum ErrorCode: Int32, Sendable {
  case invalidArgument = 1
  case outOfMemory = 2
  case limitExceeded = 3
  case notFound = 4
  case unsupported = 5
  case json = 6
  case style = 7
  case expression = 8
  case tile = 9
  case archive = 10
  case font = 11
  case image = 12
  case geojson = 13
  case io = 14
  case network = 15
  case timeout = 16
  case cancelled = 17
  case state = 18
}

/// The one error type of the core: a class, words that name what is at fault, and where in the input it is.
package struct NeatError: Error, Sendable, Equatable, CustomStringConvertible {
  package var code: ErrorCode
  package var message: String
  /// Byte offset of the fault in the input, where there is one.
  package var offset: Int?
  /// The resource at fault (an address, a file, a layer, a property), where one is known.
  package var resource: String?

  package init(_ code: ErrorCode, _ message: String, offset: Int? = nil, resource: String? = nil) {
    self.code = code
    self.message = message
    self.offset = offset
    self.resource = resource
  }

  /// The same error, naming the resource it came from unless it already names one.
  package func naming(_ name: String) -> NeatError {
    var copy = self
    if copy.resource == nil { copy.resource = name }
    return copy
  }

  package var description: String {
    var text = ""
    if let resource { text += resource + ": " }
    text += message
    if let offset { text += " (byte \(offset))" }
    return text
  }
}
