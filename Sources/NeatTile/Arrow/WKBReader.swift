import NeatBase

// Well-known binary: ISO 19125 and SQL/MM (the type's thousands say Z, M or ZM), and the extended form of
// PostGIS (bits of the type say Z, M, and that an SRID follows). Each geometry, also one within another,
// begins with its byte order and type. Bytes are not trusted: every count is held against the bytes left
// before anything is made of it.

/// What stopped the reader.
struct WKBFault: Error, BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case truncated, byteOrder, type, unsupported, member, notFinite, tooDeep, tooMany, trailing
  }
  var kind: Kind
  var offset: Int
  /// A type's number, or a limit.
  var detail = 0

  init(_ kind: Kind, _ offset: Int, detail: Int = 0) {
    self.kind = kind
    self.offset = offset
    self.detail = detail
  }

  var code: ErrorCode {
    switch kind {
    case .unsupported: .unsupported
    case .tooDeep, .tooMany: .limitExceeded
    default: .geojson
    }
  }

  var words: String {
    let what =
      switch kind {
      case .truncated: "the bytes end before the geometry does"
      case .byteOrder: "the byte order is \(detail), neither 0 nor 1"
      case .type: "\(detail) is no type of a geometry"
      case .unsupported: "a \(WKBFault.names[detail] ?? "geometry") has no counterpart in tiles"
      case .member: "a part of the wrong type"
      case .notFinite: "a coordinate is not finite"
      case .tooDeep: "collections nested more than \(detail) deep"
      case .tooMany: "more than \(detail) points"
      case .trailing: "\(detail) bytes after the geometry"
      }
    return "WKB: \(what) (byte \(offset))"
  }

  /// Geometries that are known and not read.
  static let names: [Int: String] = [
    8: "CircularString", 9: "CompoundCurve", 10: "CurvePolygon", 11: "MultiCurve", 12: "MultiSurface",
    13: "Curve", 14: "Surface", 15: "PolyhedralSurface", 16: "TIN", 17: "Triangle",
  ]
}

/// Reads one geometry into columns, as `GeoJSONReader` does the same geometry in GeoJSON: empty ones and
/// empty parts leave nothing, collections become several geometries, rings stay as they are.
struct WKBReader {
  private let start: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private var cursor: UnsafeRawPointer
  private let limits: GeoJSONLimits
  private let maxDepth: Int
  private static let collection: UInt32 = 7

  /// What a geometry begins with.
  private struct Header {
    var type: UInt32
    var isSwapped: Bool
    /// Numbers of a position.
    var dimensions: Int
  }

  init(_ bytes: UnsafeRawBufferPointer, limits: GeoJSONLimits = .init()) {
    start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16)!
    end = start + bytes.count
    cursor = start
    self.limits = limits
    maxDepth = limits.depthOnThisThread
  }

  /// Appends the geometries; on a fault what was appended so far stays, and the caller takes it back.
  mutating func read(into columns: inout GeoJSONColumns) throws(WKBFault) {
    try readGeometry(&columns, depth: 1)
    guard cursor == end else { throw fault(.trailing, detail: end - cursor) }
  }

  private func fault(_ kind: WKBFault.Kind, detail: Int = 0) -> WKBFault {
    WKBFault(kind, cursor - start, detail: detail)
  }

  // MARK: Numbers

  @inline(__always) private mutating func number(_ isSwapped: Bool) throws(WKBFault) -> UInt32 {
    guard end - cursor >= 4 else { throw fault(.truncated) }
    let value = cursor.loadUnaligned(as: UInt32.self)
    cursor += 4
    return isSwapped ? value.byteSwapped : value
  }

  /// A count of things that take at least so many bytes each.
  @inline(__always) private mutating func count(_ isSwapped: Bool, least: Int) throws(WKBFault) -> Int {
    let value = Int(try number(isSwapped))
    guard value <= (end - cursor) / least else { throw fault(.truncated) }
    return value
  }

  private mutating func header() throws(WKBFault) -> Header {
    guard end - cursor >= 5 else { throw fault(.truncated) }
    let order = cursor.load(as: UInt8.self)
    guard order <= 1 else { throw fault(.byteOrder, detail: Int(order)) }
    cursor += 1
    let isSwapped = (order == 1) != (UInt32(1).littleEndian == 1)
    let place = cursor - start
    let code = try number(isSwapped)
    let plain = code & 0x1fff_ffff
    let type = plain % 1000
    let thousands = plain / 1000
    guard thousands <= 3, type >= 1, type <= WKBReader.collection else {
      let isKnown = thousands <= 3 && WKBFault.names[Int(type)] != nil
      throw WKBFault(isKnown ? .unsupported : .type, place, detail: Int(isKnown ? type : code))
    }
    let hasZ = code & 0x8000_0000 != 0 || thousands & 1 != 0
    let hasM = code & 0x4000_0000 != 0 || thousands & 2 != 0
    if code & 0x2000_0000 != 0 { _ = try number(isSwapped) }
    return Header(type: type, isSwapped: isSwapped, dimensions: 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0))
  }

  // MARK: Geometries

  private mutating func readGeometry(_ columns: inout GeoJSONColumns, depth: Int) throws(WKBFault) {
    let header = try header()
    let firstPoint = columns.points.count
    let type: GeoJSONGeometryType
    switch header.type {
    case 1:
      type = .point
      if try readPoint(header, &columns) { endPart(&columns) }
    case 2:
      type = .lineString
      try readRun(header, &columns)
    case 3:
      type = .polygon
      try readRuns(header, &columns)
    case 4:
      type = .multiPoint
      try readMembers(header, of: 1, &columns)
    case 5:
      type = .multiLineString
      try readMembers(header, of: 2, &columns)
    case 6:
      type = .multiPolygon
      try readMembers(header, of: 3, &columns)
    default:
      guard depth < maxDepth else { throw fault(.tooDeep, detail: maxDepth) }
      for _ in 0..<(try count(header.isSwapped, least: 9)) { try readGeometry(&columns, depth: depth + 1) }
      return
    }
    guard columns.points.count > firstPoint else { return }
    columns.geometryTypes.append(type.rawValue)
    columns.partStarts.append(UInt32(truncatingIfNeeded: columns.partIsOuter.count))
  }

  /// The members of a multi-geometry, each with a header of its own.
  private mutating func readMembers(_ header: Header, of type: UInt32, _ columns: inout GeoJSONColumns)
    throws(WKBFault)
  {
    let firstPart = columns.partIsOuter.count
    let firstPoint = columns.points.count
    for _ in 0..<(try count(header.isSwapped, least: 9)) {
      let place = cursor - start
      let member = try self.header()
      guard member.type == type else { throw WKBFault(.member, place) }
      switch type {
      case 1: _ = try readPoint(member, &columns)
      case 2: try readRun(member, &columns)
      default: try readRuns(member, &columns)
      }
    }
    if type == 1 {
      if columns.points.count > firstPoint { endPart(&columns) }
    } else if type == 2 && columns.partIsOuter.count > firstPart {
      // As of the first of several lines in GeoJSON.
      columns.partIsOuter[firstPart] = 1
    }
  }

  /// Several runs of points: the rings of a polygon.
  private mutating func readRuns(_ header: Header, _ columns: inout GeoJSONColumns) throws(WKBFault) {
    let firstPart = columns.partIsOuter.count
    for _ in 0..<(try count(header.isSwapped, least: 4)) { try readRun(header, &columns) }
    if columns.partIsOuter.count > firstPart { columns.partIsOuter[firstPart] = 1 }
  }

  /// A point, unless it is empty: its coordinates are then NaN.
  private mutating func readPoint(_ header: Header, _ columns: inout GeoJSONColumns) throws(WKBFault) -> Bool
  {
    guard end - cursor >= header.dimensions * 8 else { throw fault(.truncated) }
    let point = position(header)
    if point.x.isNaN && point.y.isNaN {
      cursor += header.dimensions * 8
      return false
    }
    guard point.x.isFinite && point.y.isFinite else { throw fault(.notFinite) }
    cursor += header.dimensions * 8
    guard columns.points.count < limits.maxCount else { throw fault(.tooMany, detail: limits.maxCount) }
    columns.points.append(point)
    return true
  }

  @inline(__always) private func position(_ header: Header) -> SIMD2<Double> {
    assert(end - cursor >= 16, "a position past the end")
    var bits = SIMD2(
      cursor.loadUnaligned(as: UInt64.self), cursor.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    if header.isSwapped { bits = SIMD2(bits.x.byteSwapped, bits.y.byteSwapped) }
    return SIMD2(Double(bitPattern: bits.x), Double(bitPattern: bits.y))
  }

  /// A count and that many points; a part, unless there are none.
  private mutating func readRun(_ header: Header, _ columns: inout GeoJSONColumns) throws(WKBFault) {
    let stride = header.dimensions * 8
    let count = try count(header.isSwapped, least: stride)
    guard count > 0 else { return }
    guard count <= limits.maxCount - columns.points.count else {
      throw fault(.tooMany, detail: limits.maxCount)
    }
    let target = columns.points.reserve(count)
    for index in 0..<count {
      let point = position(header)
      // A difference of infinities or NaN is not 0.
      guard point - point == .zero else { throw fault(.notFinite) }
      target[index] = point
      cursor += stride
    }
    columns.points.advance(count)
    endPart(&columns)
  }

  @inline(__always) private func endPart(_ columns: inout GeoJSONColumns) {
    assert(columns.pointStarts.count == columns.partIsOuter.count + 1, "a part has a start and an end")
    columns.partIsOuter.append(0)
    columns.pointStarts.append(UInt32(truncatingIfNeeded: columns.points.count))
  }
}
