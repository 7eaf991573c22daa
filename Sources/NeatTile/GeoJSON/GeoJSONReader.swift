import NeatBase

// GeoJSON (RFC 7946) in one pass over the bytes, without a tree: features, geometries, positions and
// properties are appended to columns as they come. Members may stand in any order: a geometry's coordinates
// are read as nested arrays of whatever depth, and checked against its type when the geometry ends; only the
// type of the document itself is looked up beforehand.

/// Reads one document into `GeoJSONColumns`.
struct GeoJSONReader: ~Copyable {
  var scanner: GeoJSONScanner
  var columns: GeoJSONColumns
  var keys = GeoJSONKeyTable()
  let maxCount: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: GeoJSONLimits) {
    scanner = GeoJSONScanner(bytes, maxDepth: limits.depthOnThisThread)
    // A position of a polygon takes some 25 bytes of text.
    columns = GeoJSONColumns(pointRoom: min(max(64, bytes.count / 24), 1 << 24))
    maxCount = limits.maxCount
  }

  consuming func finish() -> GeoJSONColumns {
    columns.keys = keys.names
    assert(columns.ids.count == columns.hasProperties.count, "a feature was not ended")
    return columns
  }

  private enum RootType { case collection, feature, geometry }

  /// A document; or several, each on lines of its own (newline-delimited GeoJSON) or behind a record
  /// separator (RFC 8142), which come to one list of features.
  mutating func readDocument() throws(GeoJSONFault) {
    _ = scanner.nextRecord()
    repeat { try readRecord() } while try nextRecord()
  }

  /// Whether another record follows what was read: behind a line's end or a record separator.
  private mutating func nextRecord() throws(GeoJSONFault) -> Bool {
    let hasNewLine = scanner.nextRecord()
    if scanner.cursor == scanner.end { return false }
    guard hasNewLine, scanner.cursor.pointee == 0x7b else { throw scanner.fault(.trailingBytes) }
    return true
  }

  /// One document of a sequence; the cursor stands on its brace.
  mutating func readRecord() throws(GeoJSONFault) {
    guard scanner.peek() == 0x7b else {
      throw scanner.cursor < scanner.end ? scanner.fault(.rootNotObject) : scanner.fault(.unexpectedEnd)
    }
    switch try rootType() {
    case .collection: try readCollection()
    case .feature: try readFeature()
    case .geometry:
      try readGeometry(depth: 1)
      columns.ids.append(.null)
      try endFeature(hasProperties: false)
    }
  }

  /// Looks the document's type up without reading anything else; the cursor is back on the opening brace
  /// afterwards.
  private mutating func rootType() throws(GeoJSONFault) -> RootType {
    let first = scanner.cursor
    scanner.cursor += 1
    guard !scanner.closes(0x7d) else { throw scanner.fault(.rootTypeMissing) }
    repeat {
      let key = try scanner.rawString().bytes
      try scanner.expect(0x3a)
      guard matches(key, "type"), scanner.peek() == 0x22 else {
        try scanner.skipValue(depth: 1)
        continue
      }
      let name = try scanner.rawString().bytes
      let kind: RootType
      if matches(name, "FeatureCollection") {
        kind = .collection
      } else if matches(name, "Feature") {
        kind = .feature
      } else if matches(name, "GeometryCollection") || geometryType(name) != nil {
        kind = .geometry
      } else {
        throw GeoJSONFault(kind: .rootTypeUnknown, offset: name.baseAddress! - scanner.start)
      }
      scanner.cursor = first
      return kind
    } while try scanner.more(until: 0x7d)
    throw scanner.fault(.rootTypeMissing)
  }

  private mutating func readCollection() throws(GeoJSONFault) {
    scanner.cursor += 1
    var found = false
    if !scanner.closes(0x7d) {
      repeat {
        let key = try scanner.rawString().bytes
        try scanner.expect(0x3a)
        if matches(key, "features") && !found {
          found = true
          try readFeatures()
        } else {
          try scanner.skipValue(depth: 1)
        }
      } while try scanner.more(until: 0x7d)
    }
    if !found { throw scanner.fault(.featuresMissing) }
  }

  private mutating func readFeatures() throws(GeoJSONFault) {
    try scanner.expect(0x5b)
    if scanner.closes(0x5d) { return }
    repeat { try readElement() } while try scanner.more(until: 0x5d)
  }

  /// One element of `features`: a feature, or null.
  mutating func readElement() throws(GeoJSONFault) {
    guard scanner.peek() == 0x6e else { return try readFeature() }
    try scanner.literal("null")
    columns.ids.append(.null)
    try endFeature(hasProperties: false)
  }

  private mutating func readFeature() throws(GeoJSONFault) {
    guard scanner.peek() == 0x7b else {
      throw scanner.cursor < scanner.end ? scanner.fault(.featureNotObject) : scanner.fault(.unexpectedEnd)
    }
    scanner.cursor += 1
    let geometryMark = GeometryMark(columns)
    let tagMark = columns.tagKeys.count
    var hasProperties = false
    var id = TileValue.null
    var hint: ClosedRange<UInt8>?
    if !scanner.closes(0x7d) {
      repeat {
        let key = try scanner.rawString().bytes
        try scanner.expect(0x3a)
        if matches(key, "geometry") {
          columns.truncate(to: geometryMark)
          if scanner.peek() == 0x6e { try scanner.literal("null") } else { try readGeometry(depth: 1) }
        } else if matches(key, "properties") {
          columns.tagKeys.truncate(tagMark)
          columns.tagValues.truncate(tagMark)
          hasProperties = try readProperties()
        } else if matches(key, "id") {
          id = try readID()
        } else if matches(key, "tippecanoe") {
          hint = try readZooms()
        } else {
          try scanner.skipValue(depth: 2)
        }
      } while try scanner.more(until: 0x7d)
    }
    if let hint {
      columns.zoomHints.append(GeoJSONZoomHint(feature: columns.ids.count, zooms: hint))
    }
    columns.ids.append(id)
    try endFeature(hasProperties: hasProperties)
  }

  /// The zooms of `{"minzoom", "maxzoom"}`; nil where they say nothing. Other members, and values that are no
  /// numbers, are left alone: the member is nobody's but tilers'.
  private mutating func readZooms() throws(GeoJSONFault) -> ClosedRange<UInt8>? {
    guard scanner.peek() == 0x7b else {
      try scanner.skipValue(depth: 2)
      return nil
    }
    scanner.cursor += 1
    if scanner.closes(0x7d) { return nil }
    var zooms: (low: UInt8, high: UInt8) = (0, UInt8.max)
    repeat {
      let key = try scanner.rawString().bytes
      try scanner.expect(0x3a)
      let isLow = matches(key, "minzoom")
      guard isLow || matches(key, "maxzoom"), scanner.peek() == 0x2d || 0x30...0x39 ~= scanner.peek()
      else {
        try scanner.skipValue(depth: 3)
        continue
      }
      let zoom = UInt8(saturating: try readNumber().number ?? 0)
      if isLow { zooms.low = zoom } else { zooms.high = zoom }
    } while try scanner.more(until: 0x7d)
    // A feature that ends before it begins is on no zoom.
    return zooms.low <= zooms.high ? zooms.low...zooms.high : UInt8.max...UInt8.max
  }

  private mutating func endFeature(hasProperties: Bool) throws(GeoJSONFault) {
    let most = max(
      columns.ids.count, columns.points.count, columns.tagKeys.count, columns.geometryTypes.count)
    guard most <= maxCount else { throw scanner.fault(.tooMany, detail: maxCount) }
    assert(columns.ids.count == columns.hasProperties.count + 1, "a feature has its id before it ends")
    columns.hasProperties.append(hasProperties ? 1 : 0)
    columns.geometryStarts.append(UInt32(truncatingIfNeeded: columns.geometryTypes.count))
    columns.tagStarts.append(UInt32(truncatingIfNeeded: columns.tagKeys.count))
  }

  /// A number or a string; anything else is no id.
  private mutating func readID() throws(GeoJSONFault) -> TileValue {
    switch scanner.peek() {
    case 0x22: return try readString(sharing: nil)
    case 0x2d, 0x30...0x39: return try readNumber()
    default:
      try scanner.skipValue(depth: 2)
      return .null
    }
  }
}

/// How far the geometry columns reach, to take back what a repeated member replaces.
struct GeometryMark {
  let geometries, parts, points: Int

  init(_ columns: borrowing GeoJSONColumns) {
    geometries = columns.geometryTypes.count
    parts = columns.partIsOuter.count
    points = columns.points.count
  }
}

extension GeoJSONColumns {
  mutating func truncate(to mark: GeometryMark) {
    assert(mark.geometries <= geometryTypes.count, "a mark behind the end")
    assert(mark.parts <= partIsOuter.count && mark.points <= points.count, "a mark behind the end")
    geometryTypes.truncate(mark.geometries)
    partStarts.truncate(mark.geometries + 1)
    partIsOuter.truncate(mark.parts)
    pointStarts.truncate(mark.parts + 1)
    points.truncate(mark.points)
  }
}

func geometryType(_ name: UnsafeBufferPointer<UInt8>) -> GeoJSONGeometryType? {
  switch name.count {
  case 5: matches(name, "Point") ? .point : nil
  case 7: matches(name, "Polygon") ? .polygon : nil
  case 10: matches(name, "LineString") ? .lineString : matches(name, "MultiPoint") ? .multiPoint : nil
  case 12: matches(name, "MultiPolygon") ? .multiPolygon : nil
  case 15: matches(name, "MultiLineString") ? .multiLineString : nil
  default: nil
  }
}
