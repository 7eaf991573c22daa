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
  static func scan(_ start: UnsafePointer<UInt8>, _ count: Int, isStrict: Bool, fault: inout MVTFeatureFault)
    -> MVTFeatureRecord
  {
    var record = MVTFeatureRecord(geometry: start, tags: start)
    var reader = ProtobufReader(start, count)
    var hasType = false
    while !reader.isAtEnd {
      // One question after the other, each about the byte that is next then: fields come in the same order in
      // all features of a layer, so that the answers are foreseen, where a switch becomes a jump through a
      // table.
      let before = reader.at
      if reader.at[0] == 0x08 {
        reader.at += 1
        if !record.readID(&reader) { return record.failed(.framing, &fault) }
      }
      if !reader.isAtEnd && reader.at[0] == 0x12 {
        reader.at += 1
        if !record.readTags(&reader, isStrict, &fault) { return record }
      }
      if !reader.isAtEnd && reader.at[0] == 0x18 {
        reader.at += 1
        hasType = true
        if !record.readType(&reader, isStrict, &fault) { return record }
      }
      if !reader.isAtEnd && reader.at[0] == 0x22 {
        reader.at += 1
        if !record.readGeometry(&reader, isStrict, &fault) { return record }
      }
      if reader.at > before { continue }
      // Another field, or a tag of more bytes than it needs.
      guard let tag = reader.varint() else { return record.failed(.framing, &fault) }
      switch tag {
      case 0x08: if !record.readID(&reader) { return record.failed(.framing, &fault) }
      case 0x12: if !record.readTags(&reader, isStrict, &fault) { return record }
      case 0x18:
        hasType = true
        if !record.readType(&reader, isStrict, &fault) { return record }
      case 0x22: if !record.readGeometry(&reader, isStrict, &fault) { return record }
      default:
        guard tag >= 8, reader.skip(wire: tag & 7) else { return record.failed(.framing, &fault) }
        if isStrict && tag >> 3 <= 4 { return record.failed(.field, &fault) }
      }
    }
    if isStrict && !hasType { return record.failed(.noType, &fault) }
    if record.geometryLength == 0 { return record.failed(.noGeometry, &fault) }
    if record.geometry[record.geometryLength &- 1] >= 0x80 { return record.failed(.varint, &fault) }
    if record.tagLength > 0 && record.tags[record.tagLength &- 1] >= 0x80 {
      return record.failed(.varint, &fault)
    }
    return record
  }

  // The fields behind their tags; false, with a fault, where one cannot be read.

  @inline(__always)
  private mutating func readID(_ reader: inout ProtobufReader) -> Bool {
    guard let id = reader.varint() else { return false }
    self.id = id
    hasID = 1
    return true
  }

  @inline(__always)
  private mutating func readTags(
    _ reader: inout ProtobufReader, _ isStrict: Bool, _ fault: inout MVTFeatureFault
  ) -> Bool {
    guard let field = MVTFeatureRecord.readPacked(&reader, mayCome: !isStrict || tagLength == 0, &fault)
    else { return false }
    tags = field.baseAddress!
    tagLength = field.count
    return true
  }

  @inline(__always)
  private mutating func readType(
    _ reader: inout ProtobufReader, _ isStrict: Bool, _ fault: inout MVTFeatureFault
  ) -> Bool {
    guard let type = reader.varint() else {
      fault = .framing
      return false
    }
    if isStrict && type > 3 {
      fault = .type
      return false
    }
    self.type = type > 3 ? 0 : UInt8(truncatingIfNeeded: type)
    return true
  }

  @inline(__always)
  private mutating func readGeometry(
    _ reader: inout ProtobufReader, _ isStrict: Bool, _ fault: inout MVTFeatureFault
  ) -> Bool {
    guard let field = MVTFeatureRecord.readPacked(&reader, mayCome: !isStrict || geometryLength == 0, &fault)
    else { return false }
    geometry = field.baseAddress!
    geometryLength = field.count
    return true
  }

  /// Tags or geometry; a strict reader takes each but once.
  @inline(__always)
  private static func readPacked(
    _ reader: inout ProtobufReader, mayCome: Bool, _ fault: inout MVTFeatureFault
  ) -> UnsafeBufferPointer<UInt8>? {
    guard let field = reader.bytes() else {
      fault = .framing
      return nil
    }
    guard mayCome else {
      fault = .twoGeometries
      return nil
    }
    return field
  }

  private func failed(_ what: MVTFeatureFault, _ fault: inout MVTFeatureFault) -> MVTFeatureRecord {
    fault = what
    return self
  }
}
