import NeatBase

// Record batches of Arrow's C data interface as features: one row is one feature. The structures and their
// buffers are borrowed for the call, and nothing points into them afterwards; who made them releases them.

/// What of a column did not become properties.
package struct ArrowNote: Equatable, Sendable {
  package var column: String
  package var reason: String
  /// Values that it is about; 0: the whole column.
  package var count = 0
}

/// The features of a batch.
package struct ArrowBatch: Sendable {
  package let data: GeoJSONData
  /// Values that were changed or left out; whole columns are in `ArrowReader.leftOut`.
  package let notes: [ArrowNote]
}

/// Reads batches of one schema.
///
/// The geometry is a column of WKB, or of GeoArrow's native encodings with doubles, in degrees of longitude
/// and latitude. Every other column becomes a property of its name:
///
/// - booleans, integers, floating-point numbers and decimals as numbers; a 32-bit one as the double of its
///   shortest decimal; a decimal without fraction digits as an integer where 64 bits hold it, others as the
///   nearest double;
/// - text; where it is not UTF-8, U+FFFD stands for the wrong bytes, with a note;
/// - dates, times and timestamps as ISO 8601 text: with `Z` or the offset where the type has a zone (one that
///   goes by a name is told in UTC);
/// - lists, structs and maps as JSON text, with null for what JSON cannot write;
/// - dictionary-encoded columns as their values.
///
/// Null and NaN are no value: the feature lacks the property. Columns of binary, durations, intervals,
/// unions, list views and run-end encoded ones are left out, and listed.
package struct ArrowReader: Sendable {
  /// Columns that do not become properties.
  package let leftOut: [ArrowNote]
  /// The name of the geometry column.
  package var geometryName: String { fields[geometry].name }

  private let fields: [ArrowField]
  private let geometry: Int
  private let encoding: ArrowGeometry
  private let id: Int?
  /// Columns that become properties, in order.
  private let properties: [Int]
  private let limits: GeoJSONLimits

  /// `schema`: a struct type, of which each child is a column. `geometry`: the column's name, or nil to find
  /// it. `id`: the column whose values become the ids of features, and no property.
  ///
  /// Throws `invalidArgument` for a schema that is none, and where a column is not there or cannot be what it
  /// is to be; `unsupported` for geometry that is not read and for other coordinate systems.
  package init(
    schema: UnsafePointer<ArrowSchemaC>?, geometry: String? = nil, id: String? = nil,
    limits: GeoJSONLimits = .init()
  ) throws(NeatError) {
    let batch = try ArrowField(schema, path: "the batch")
    guard batch.format == .structure else {
      throw ArrowField.wrong("the batch", "a \(batch.format.words), not a struct of columns")
    }
    let fields = batch.children
    let geometryIndex = try ArrowGeometry.find(geometry, in: fields)
    encoding = try ArrowGeometry(fields[geometryIndex])
    let idIndex = try ArrowReader.idColumn(id, in: fields)
    var properties: [Int] = []
    var leftOut: [ArrowNote] = []
    var names: Set<String> = []
    for (index, field) in fields.enumerated().reversed() where index != geometryIndex && index != idIndex {
      if !names.insert(field.name).inserted {
        leftOut.append(ArrowNote(column: field.name, reason: "a later column has the same name"))
      } else if let reason = field.reasonLeftOut {
        leftOut.append(ArrowNote(column: field.name, reason: reason))
      } else {
        properties.append(index)
      }
    }
    self.fields = fields
    self.geometry = geometryIndex
    self.id = idIndex
    self.properties = properties.reversed()
    self.leftOut = leftOut.reversed()
    self.limits = limits
  }

  private static func idColumn(_ name: String?, in fields: [ArrowField]) throws(NeatError) -> Int? {
    guard let name else { return nil }
    guard let found = fields.lastIndex(where: { $0.name == name }) else {
      throw NeatError(.invalidArgument, "Arrow schema: there is no column \"\(name)\" for ids")
    }
    let field = fields[found]
    switch (field.dictionary.first ?? field).format {
    case .integer, .real, .text: return found
    default:
      throw NeatError(
        .invalidArgument,
        "Arrow schema, column \"\(name)\": an id is a number or a text, not \(field.format.words)")
    }
  }

  // MARK: Batches

  /// Reads a batch: a struct array of the reader's schema. `firstRow` is what its first row is called in
  /// messages, which count from there.
  ///
  /// Throws `invalidArgument` for an array that does not fit the schema, `geojson` for WKB that is damaged
  /// and coordinates that are not finite, `unsupported` for curves and surfaces, `limitExceeded` for more than
  /// 2^28 rows, points or properties, or 2 GiB of text. Values name their row and column.
  package func read(_ array: UnsafePointer<ArrowArrayC>?, firstRow: Int = 0) throws(NeatError) -> ArrowBatch {
    guard let batch = array?.pointee else { throw ArrowNodes.wrong("the batch", "the array is NULL") }
    let children = try check(batch)
    let rows = Int(batch.length)
    guard rows <= limits.maxCount else {
      throw NeatError(.limitExceeded, "Arrow batch: more than \(limits.maxCount) rows")
    }
    var nodes = ArrowNodes()
    var numbers: [Int] = []
    for index in [geometry] + properties + (id.map { [$0] } ?? []) {
      let path = "column \"\(fields[index].name)\""
      let number = try nodes.add(children[index], fields[index], path: path)
      guard nodes[number].length >= Int(batch.offset) + rows else {
        throw ArrowNodes.wrong(
          path, "\(nodes[number].length) values of \(Int(batch.offset) + rows) rows")
      }
      numbers.append(number)
    }
    // The batch itself, for rows that are null as a whole.
    var root = ArrowNode()
    root.length = rows
    root.offset = Int(batch.offset)
    if batch.nullCount != 0 { root.validity = batch.buffers?[0] }
    var features = ArrowImport(
      nodes: nodes, root: root, geometry: numbers[0], encoding: encoding,
      id: id == nil ? nil : numbers.last, properties: Array(numbers[1...].prefix(properties.count)),
      keys: properties.map { fields[$0].name }, limits: limits)
    do throws(ArrowFault) {
      try features.run()
    } catch {
      let column =
        switch features.place {
        case .geometry: geometry
        case .id: id ?? geometry
        case .property(let number): properties[number]
        }
      throw NeatError(
        error.code,
        "Arrow batch, row \(firstRow + features.row), column \"\(fields[column].name)\": \(error.words)")
    }
    return features.finish()
  }

  /// The list of a batch's columns, if the batch fits the schema.
  private func check(_ batch: ArrowArrayC) throws(NeatError) -> UnsafeMutablePointer<
    UnsafeMutablePointer<ArrowArrayC>?
  > {
    func wrong(_ words: String) -> NeatError { ArrowNodes.wrong("the batch", words) }
    guard batch.release != nil else { throw wrong("the array was released") }
    guard 0...ArrowLimits.maxLength ~= batch.length, 0...ArrowLimits.maxLength ~= batch.offset,
      batch.nullCount >= -1, batch.nullCount <= batch.length
    else { throw wrong("length \(batch.length), offset \(batch.offset), \(batch.nullCount) nulls") }
    guard batch.bufferCount == 1, batch.buffers != nil || batch.nullCount == 0 else {
      throw wrong("\(batch.bufferCount) buffers of a struct")
    }
    guard batch.childCount == fields.count else {
      throw wrong("\(batch.childCount) columns, where the schema has \(fields.count)")
    }
    guard let children = batch.children else { throw wrong("the list of columns is NULL") }
    return children
  }
}
