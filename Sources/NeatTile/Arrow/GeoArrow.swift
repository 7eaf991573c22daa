import NeatBase
import NeatJSON

/// How the geometries of a column are written.
enum ArrowGeometry: Equatable, BitwiseCopyable {
  case wkb(ArrowFormat.Run)
  /// Native encodings of GeoArrow: lists of lists … of coordinates.
  case native(GeoJSONGeometryType)

  /// Names of columns that hold geometry where nothing else says so.
  static let names = ["geometry", "geom", "wkb_geometry"]
  private static let wkbExtensions = ["geoarrow.wkb", "ogc.wkb"]
  private static let nativeExtensions: [String: GeoJSONGeometryType] = [
    "geoarrow.point": .point, "geoarrow.linestring": .lineString, "geoarrow.polygon": .polygon,
    "geoarrow.multipoint": .multiPoint, "geoarrow.multilinestring": .multiLineString,
    "geoarrow.multipolygon": .multiPolygon,
  ]

  /// Whether a field's metadata says that it is geometry.
  static func isMarked(_ field: ArrowField) -> Bool {
    wkbExtensions.contains(field.extensionName)
      || field.extensionName.hasPrefix("geoarrow.") && field.extensionName != "geoarrow.box"
  }

  /// The geometry column of a batch: the one of the name, the one that its metadata marks, the only binary
  /// one, or one with a usual name.
  static func find(_ name: String?, in fields: [ArrowField]) throws(NeatError) -> Int {
    if let name {
      guard let found = fields.lastIndex(where: { $0.name == name }) else {
        throw NeatError(.invalidArgument, "Arrow schema: there is no column \"\(name)\"\(listing(fields))")
      }
      return found
    }
    for isWanted in [isMarked, { $0.isBinary }] as [(ArrowField) -> Bool] {
      let found = fields.indices.filter { isWanted(fields[$0]) }
      if found.count == 1 { return found[0] }
      if found.isEmpty { continue }
      if let usual = found.first(where: { names.contains(fields[$0].name) }) { return usual }
      let candidates = found.map { "\"\(fields[$0].name)\"" }.joined(separator: ", ")
      throw NeatError(
        .invalidArgument, "Arrow schema: several columns may be the geometry (\(candidates)): name one")
    }
    // A column of the right name and the wrong type is refused by name.
    if let usual = fields.firstIndex(where: { names.contains($0.name) }) { return usual }
    throw NeatError(.invalidArgument, "Arrow schema: no column is a geometry\(listing(fields))")
  }

  private static func listing(_ fields: [ArrowField]) -> String {
    fields.isEmpty
      ? "; there are no columns" : "; there are " + fields.prefix(40).map(\.name).joined(separator: ", ")
  }

  init(_ field: ArrowField) throws(NeatError) {
    let name = field.extensionName
    try ArrowGeometry.checkSystem(field)
    if let type = ArrowGeometry.nativeExtensions[name] {
      guard ArrowGeometry.fits(field, type) else {
        throw NeatError(
          .invalidArgument, "Arrow schema, column \"\(field.name)\": not the layout of \(name) with doubles")
      }
      self = .native(type)
      return
    }
    if name.isEmpty || ArrowGeometry.wkbExtensions.contains(name) {
      if field.isBinary, case .binary(let run) = field.format {
        self = .wkb(run)
        return
      }
      throw NeatError(
        .invalidArgument,
        "Arrow schema, column \"\(field.name)\": geometry is WKB in a binary column, or GeoArrow; this is "
          + field.format.words)
    }
    throw NeatError(
      .unsupported,
      "Arrow schema, column \"\(field.name)\": geometry as \(name) is not read: convert it to geoarrow.wkb")
  }

  /// How many lists lie around the coordinates.
  static func levels(_ type: GeoJSONGeometryType) -> Int { type.nesting - 1 }

  private static func fits(_ field: ArrowField, _ type: GeoJSONGeometryType) -> Bool {
    var field = field
    guard field.dictionary.isEmpty else { return false }
    for _ in 0..<levels(type) {
      guard case .list = field.format else { return false }
      field = field.children[0]
    }
    let isDouble = { (field: ArrowField) in field.format == .real(bytes: 8) }
    switch field.format {
    case .structure:
      return field.children.count >= 2 && field.children.count <= 4 && field.children.allSatisfy(isDouble)
        && field.children[0].name == "x" && field.children[1].name == "y"
    case .fixedList(let width): return width >= 2 && width <= 4 && isDouble(field.children[0])
    default: return false
    }
  }

  // MARK: Coordinate system

  /// Refuses a column whose metadata names a coordinate system of other than degrees on WGS 84. One that goes
  /// without an identifier is taken at its word.
  private static func checkSystem(_ field: ArrowField) throws(NeatError) {
    guard !field.extensionMetadata.isEmpty,
      let document = try? JSONDocument(parsing: Array(field.extensionMetadata.utf8)),
      let system = document.root["crs"]
    else { return }
    var name: String
    if system.kind == .string {
      name = system.string ?? ""
      // Anything but an identifier, such as WKT, is not looked into.
      if name.utf8.count > 32 || !name.contains(":") { return }
    } else {
      guard let id = system["id"], let authority = id["authority"]?.string, let code = id["code"] else {
        return
      }
      name = "\(authority):\(code.string ?? code.text)"
    }
    name = name.uppercased()
    guard !["EPSG:4326", "OGC:CRS84", "EPSG:4979", "OGC:CRS84H"].contains(name) else { return }
    throw NeatError(
      .unsupported,
      "Arrow schema, column \"\(field.name)\": coordinates are in \(name); convert them to longitude and "
        + "latitude (OGC:CRS84)")
  }
}

/// Reads geometries of GeoArrow's native encodings, as `GeoJSONReader` does the same in GeoJSON.
struct GeoArrowReader {
  let type: GeoJSONGeometryType
  let maxCount: Int

  func read(
    _ nodes: borrowing ArrowNodes, _ node: ArrowNode, _ index: Int, into columns: inout GeoJSONColumns
  )
    throws(ArrowFault)
  {
    let firstPoint = columns.points.count
    switch type {
    case .point: try readRun(nodes, node, index..<index + 1, isPoint: true, &columns)
    case .multiPoint:
      let points = nodes.child(node, 0)
      try readRun(nodes, points, try node.elements(index, of: points), isPoint: true, &columns)
    case .lineString:
      let points = nodes.child(node, 0)
      try readRun(nodes, points, try node.elements(index, of: points), isPoint: false, &columns)
    case .polygon, .multiLineString: try readRuns(nodes, node, index, &columns)
    case .multiPolygon:
      let polygons = nodes.child(node, 0)
      for polygon in try node.elements(index, of: polygons) {
        try readRuns(nodes, polygons, polygon, &columns)
      }
    }
    guard columns.points.count > firstPoint else { return }
    columns.geometryTypes.append(type.rawValue)
    columns.partStarts.append(UInt32(truncatingIfNeeded: columns.partIsOuter.count))
  }

  private func readRuns(
    _ nodes: borrowing ArrowNodes, _ node: ArrowNode, _ index: Int, _ columns: inout GeoJSONColumns
  ) throws(ArrowFault) {
    let firstPart = columns.partIsOuter.count
    let runs = nodes.child(node, 0)
    let points = nodes.child(runs, 0)
    for run in try node.elements(index, of: runs) {
      try readRun(nodes, points, try runs.elements(run, of: points), isPoint: false, &columns)
    }
    if columns.partIsOuter.count > firstPart { columns.partIsOuter[firstPart] = 1 }
  }

  /// Positions as one part, unless there are none. Points of NaN are empty.
  private func readRun(
    _ nodes: borrowing ArrowNodes, _ node: ArrowNode, _ range: Range<Int>, isPoint: Bool,
    _ columns: inout GeoJSONColumns
  ) throws(ArrowFault) {
    guard range.count <= maxCount - columns.points.count else { throw ArrowFault(.tooMany, detail: maxCount) }
    let xs = nodes.child(node, 0)
    let firstPoint = columns.points.count
    for index in range {
      let point: SIMD2<Double>
      if case .fixedList(let width) = node.format {
        let at = (node.offset + index) * width
        point = SIMD2(xs.fixed(at, as: Double.self), xs.fixed(at + 1, as: Double.self))
      } else {
        let at = node.offset + index
        point = SIMD2(xs.fixed(at, as: Double.self), nodes.child(node, 1).fixed(at, as: Double.self))
      }
      if isPoint && point.x.isNaN && point.y.isNaN { continue }
      guard point - point == .zero else { throw ArrowFault(.notFinite) }
      columns.points.append(point)
    }
    guard columns.points.count > firstPoint else { return }
    columns.partIsOuter.append(0)
    columns.pointStarts.append(UInt32(truncatingIfNeeded: columns.points.count))
  }
}
