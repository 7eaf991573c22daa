import NeatBase

/// Where the pieces of a feature are in the tile.
struct MVTFeatureRecord: BitwiseCopyable {
  var id: UInt64 = 0
  var geometry: UnsafePointer<UInt8>
  var tags: UnsafePointer<UInt8>
  var geometryLength = 0
  var tagLength = 0
  var type: UInt8 = 0
  var hasID: UInt8 = 0
}

/// What can be wrong with a feature; a number, so that the hot path makes no error value.
enum MVTFeatureFault: UInt8 {
  case none = 0
  case framing, field, type, noType, noGeometry, twoGeometries, oddTags, key, value, varint
  case command, count, short, closeFirst, closeCount, noMove, noLine, noClose, ring, repeatedPoint

  var message: String {
    switch self {
    case .none: ""
    case .framing: "a feature is cut short or not protobuf"
    case .field: "a field of a feature has the wrong wire type"
    case .type: "a feature has an unknown geometry type"
    case .noType: "a feature has no geometry type"
    case .noGeometry: "a feature has no geometry"
    case .twoGeometries: "a feature has a field twice"
    case .oddTags: "a feature has an odd number of tags"
    case .key: "a tag names a key that the layer does not have"
    case .value: "a tag names a value that the layer does not have"
    case .varint: "a packed field ends within a number"
    case .command: "a geometry has an unknown command"
    case .count: "a geometry command has a count that its kind does not allow"
    case .short: "a geometry command asks for more points than there are"
    case .closeFirst: "a geometry has a ClosePath where none may be"
    case .closeCount: "a ClosePath has a count other than 1"
    case .noMove: "a geometry part does not begin with MoveTo"
    case .noLine: "a geometry part has no LineTo"
    case .noClose: "a ring has no ClosePath"
    case .ring: "a ring has fewer than three points"
    case .repeatedPoint: "a line or ring repeats a point"
    }
  }
}

extension MVTFeatureRecord {
  /// Reads the framing of one feature, and makes sure that each packed field ends with a whole number.
  @inline(__always)
  static func scan(_ start: UnsafePointer<UInt8>, _ count: Int, isStrict: Bool, fault: inout MVTFeatureFault) -> MVTFeatureRecord {
    var record = MVTFeatureRecord(geometry: start, tags: start)
    var reader = ProtobufReader(start, count)
    var hasType = false
    while !reader.isAtEnd {
      guard let tag = reader.varint() else { return record.failed(.framing, &fault) }
      switch tag {
      case 0x08:
        guard let id = reader.varint() else { return record.failed(.framing, &fault) }
        record.id = id
        record.hasID = 1
      case 0x12:
        guard let field = reader.bytes() else { return record.failed(.framing, &fault) }
        if isStrict && record.tagLength > 0 { return record.failed(.twoGeometries, &fault) }
        record.tags = field.baseAddress!
        record.tagLength = field.count
      case 0x18:
        guard let type = reader.varint() else { return record.failed(.framing, &fault) }
        hasType = true
        if type > 3 && isStrict { return record.failed(.type, &fault) }
        record.type = type > 3 ? 0 : UInt8(truncatingIfNeeded: type)
      case 0x22:
        guard let field = reader.bytes() else { return record.failed(.framing, &fault) }
        if isStrict && record.geometryLength > 0 { return record.failed(.twoGeometries, &fault) }
        record.geometry = field.baseAddress!
        record.geometryLength = field.count
      default:
        guard tag >= 8, reader.skip(wire: tag & 7) else { return record.failed(.framing, &fault) }
        if isStrict && tag >> 3 <= 4 { return record.failed(.field, &fault) }
      }
    }
    if isStrict && !hasType { return record.failed(.noType, &fault) }
    if record.geometryLength == 0 { return record.failed(.noGeometry, &fault) }
    if record.geometry[record.geometryLength &- 1] >= 0x80 { return record.failed(.varint, &fault) }
    if record.tagLength > 0 && record.tags[record.tagLength &- 1] >= 0x80 { return record.failed(.varint, &fault) }
    return record
  }

  private func failed(_ what: MVTFeatureFault, _ fault: inout MVTFeatureFault) -> MVTFeatureRecord {
    fault = what
    return self
  }
}
