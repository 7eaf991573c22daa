import NeatBase

/// What stopped the reader, small enough to be thrown out of hot loops; `GeoJSONReader` turns it into a
/// `NeatError` with line and column.
struct GeoJSONFault: Error, BitwiseCopyable {
  enum Kind: UInt8 {
    case unexpectedEnd, unexpectedByte, badNumber, numberOutOfRange, badString, badEscape, controlCharacter
    case tooDeep, tooMany, rootNotObject, rootTypeMissing, rootTypeUnknown, featuresMissing, featureNotObject
    case geometryNotObject, geometryTypeMissing, geometryTypeUnknown, coordinatesAndGeometries, geometryNested
    case mixedNesting, shortPosition, wrongNesting, propertiesNotObject, trailingBytes
    case tooLarge, typeNotBeforeFeatures
  }

  var kind: Kind
  var offset: Int
  /// What the message also tells: an offending byte, a nesting depth.
  var detail: Int = 0

  private var words: String {
    switch kind {
    case .unexpectedEnd: "the text ends before the document does"
    case .unexpectedByte: "unexpected \(GeoJSONFault.name(of: detail))"
    case .badNumber: "a number is malformed"
    case .numberOutOfRange: "a coordinate is not finite"
    case .badString: "a string is expected"
    case .badEscape: "an escape in a string is malformed"
    case .controlCharacter: "a string holds a bare control character"
    case .tooDeep: "nested more than \(detail) deep"
    case .tooMany: "more than \(detail) features, points or properties"
    case .rootNotObject: "the document is not an object"
    case .rootTypeMissing: "the document has no \"type\""
    case .rootTypeUnknown: "\"type\" of the document is not a GeoJSON type"
    case .featuresMissing: "a FeatureCollection without \"features\""
    case .featureNotObject: "a feature is not an object"
    case .geometryNotObject: "a geometry is neither an object nor null"
    case .geometryTypeMissing: "a geometry has no \"type\""
    case .geometryTypeUnknown: "\"type\" of a geometry is not a GeoJSON geometry"
    case .coordinatesAndGeometries: "a geometry has both \"coordinates\" and \"geometries\""
    case .geometryNested: "\"geometries\" is not an array"
    case .mixedNesting: "\"coordinates\" mixes positions and arrays of positions"
    case .shortPosition: "a position has fewer than two numbers"
    case .wrongNesting: "\"coordinates\" are nested \(detail) deep, which does not fit the geometry's type"
    case .propertiesNotObject: "\"properties\" is neither an object nor null"
    case .trailingBytes: "text after the end of the document"
    case .tooLarge: "more than \(detail) bytes"
    case .typeNotBeforeFeatures: "\"features\" of something that is no FeatureCollection"
    }
  }

  private static func name(of byte: Int) -> String {
    guard byte >= 0x20, byte < 0x7f, let scalar = UnicodeScalar(byte) else { return "byte \(byte)" }
    return "'\(Character(scalar))'"
  }

  /// The fault as an error of the core: words, byte offset, line and column (both from 1, columns in bytes).
  func error(in bytes: UnsafeBufferPointer<UInt8>) -> NeatError {
    var place = TextPlace()
    place.advance(over: UnsafeBufferPointer(rebasing: bytes[..<min(offset, bytes.count)]))
    return error(at: place)
  }

  /// The fault as an error at a place that is known.
  func error(at place: TextPlace) -> NeatError {
    let code: ErrorCode =
      kind == .tooDeep || kind == .tooMany || kind == .tooLarge ? .limitExceeded : .geojson
    return NeatError(
      code, "GeoJSON, line \(place.line), column \(place.offset - place.lineStart + 1): \(words)",
      offset: place.offset)
  }
}

/// How far a text was read.
struct TextPlace: BitwiseCopyable {
  var offset = 0
  /// From 1.
  var line = 1
  /// Offset of the line's first byte.
  var lineStart = 0

  mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
    var at = 0
    while at < bytes.count, let found = memchr(bytes.baseAddress! + at, 0x0a, bytes.count - at) {
      at = UnsafeRawPointer(found) - UnsafeRawPointer(bytes.baseAddress!) + 1
      line += 1
      lineStart = offset + at
    }
    offset += bytes.count
  }
}
