/// Text that is not GeoJSON: what is wrong, and where.
public struct GeoJSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, without the place.
  public var message: String
  /// The members and elements around the place: `features[3].geometry.coordinates[1]`; empty for the document
  /// itself.
  public var keyPath: String
  /// From 1.
  public var line: Int
  /// Byte in the line, from 1.
  public var column: Int

  init(_ error: JSONError, in bytes: [UInt8]) {
    let place = JSONPlace(error.offset, in: bytes)
    message = error.message
    keyPath = place.keyPath
    line = place.line
    column = place.column
  }

  /// Key path, message, line and column.
  public var description: String { "\(withoutPlace) (line \(line), column \(column))" }

  var withoutPlace: String { keyPath.isEmpty ? message : "\(keyPath): \(message)" }
}
