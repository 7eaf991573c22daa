import NeatBase

/// One batch on its way to columns.
struct ArrowImport: ~Copyable {
  enum Place: BitwiseCopyable { case geometry, id, property(Int) }

  /// Where the import is, for messages.
  private(set) var row = 0
  private(set) var place = Place.geometry

  private let nodes: ArrowNodes
  private let root: ArrowNode
  private let geometry: Int
  private let encoding: ArrowGeometry
  private let id: Int?
  private let properties: [Int]
  private let limits: GeoJSONLimits
  private var columns = GeoJSONColumns()
  private var values: ArrowValues
  private var states: [ColumnState]

  /// What is kept of a column from row to row.
  private struct ColumnState {
    /// Its latest text: runs of equal ones share their bytes.
    var last = TileValue.null
    var repaired = 0
    var impossible = 0
    /// Where the values of its dictionary begin in `known`, or -1.
    var firstKnown = -1
  }
  /// Values of dictionaries that were made; null where not yet.
  private var known = GrowingBuffer<TileValue>()

  init(
    nodes: consuming ArrowNodes, root: ArrowNode, geometry: Int, encoding: ArrowGeometry, id: Int?,
    properties: [Int], keys: [String], limits: GeoJSONLimits
  ) {
    values = ArrowValues(pool: columns.pool, maxText: limits.maxBytes)
    columns.keys = keys
    states = properties.map { _ in ColumnState() }
    for (number, property) in properties.enumerated() where nodes[property].dictionary >= 0 {
      // No more room than the rows would take.
      let count = nodes[nodes[property].dictionary].length
      guard count <= max(root.length, 256) else { continue }
      states[number].firstKnown = known.count
      for _ in 0..<count { known.append(.null) }
    }
    self.nodes = nodes
    self.root = root
    self.geometry = geometry
    self.encoding = encoding
    self.id = id
    self.properties = properties
    self.limits = limits
  }

  mutating func run() throws(ArrowFault) {
    while row < root.length {
      let hasRow = root.isValid(row)
      // Columns lie where the batch does.
      let index = root.offset + row
      if hasRow {
        try readGeometry(index)
        try readProperties(index)
      }
      columns.ids.append(hasRow ? try readID(index) : .null)
      columns.hasProperties.append(hasRow ? 1 : 0)
      columns.geometryStarts.append(UInt32(truncatingIfNeeded: columns.geometryTypes.count))
      columns.tagStarts.append(UInt32(truncatingIfNeeded: columns.tagKeys.count))
      guard max(columns.geometryTypes.count, columns.tagKeys.count) <= limits.maxCount else {
        throw ArrowFault(.tooMany, detail: limits.maxCount)
      }
      row += 1
    }
  }

  private mutating func readGeometry(_ index: Int) throws(ArrowFault) {
    place = .geometry
    let node = nodes[geometry]
    guard node.isValid(index) else { return }
    switch encoding {
    case .wkb(let run):
      var reader = WKBReader(try node.bytes(index, run), limits: limits)
      do throws(WKBFault) { try reader.read(into: &columns) } catch { throw ArrowFault(error) }
    case .native(let type):
      try GeoArrowReader(type: type, maxCount: limits.maxCount).read(nodes, node, index, into: &columns)
    }
  }

  private mutating func readProperties(_ index: Int) throws(ArrowFault) {
    for number in properties.indices {
      place = .property(number)
      let node = nodes[properties[number]]
      guard let value = try readValue(number, node, index) else { continue }
      columns.tagKeys.append(UInt32(truncatingIfNeeded: number))
      columns.tagValues.append(value)
    }
  }

  private mutating func readValue(_ number: Int, _ node: ArrowNode, _ index: Int) throws(ArrowFault)
    -> TileValue?
  {
    var slot = -1
    if states[number].firstKnown >= 0, node.isValid(index) {
      slot = states[number].firstKnown + (try values.entry(node, index, of: nodes[node.dictionary]))
      if known[slot].rawKind != TileValueKind.null.rawValue { return known[slot] }
    }
    let value = try values.value(nodes, node, index, last: &states[number].last)
    if values.repaired | values.impossible != 0 {
      states[number].repaired += values.repaired
      states[number].impossible += values.impossible
      values.repaired = 0
      values.impossible = 0
    }
    if slot >= 0, let value { known[slot] = value }
    return value
  }

  private mutating func readID(_ index: Int) throws(ArrowFault) -> TileValue {
    guard let id else { return .null }
    place = .id
    var last = TileValue.null
    let value = try values.value(nodes, nodes[id], index, last: &last)
    values.repaired = 0
    return value ?? .null
  }

  consuming func finish() -> ArrowBatch {
    var notes: [ArrowNote] = []
    for (number, state) in states.enumerated() {
      let name = columns.keys[number]
      if state.repaired > 0 {
        notes.append(
          ArrowNote(
            column: name, reason: "text that is not UTF-8: U+FFFD stands for the wrong bytes",
            count: state.repaired))
      }
      if state.impossible > 0 {
        notes.append(
          ArrowNote(
            column: name, reason: "times before or past the day were left out", count: state.impossible))
      }
    }
    return ArrowBatch(data: GeoJSONData(columns), notes: notes)
  }
}

extension GeoJSONData {
  /// The features of one batch; several of one schema: `ArrowReader`, which also says what was left out.
  package static func reading(
    schema: UnsafePointer<ArrowSchemaC>?, array: UnsafePointer<ArrowArrayC>?, geometry: String? = nil,
    id: String? = nil, firstRow: Int = 0
  ) throws(NeatError) -> GeoJSONData {
    try ArrowReader(schema: schema, geometry: geometry, id: id).read(array, firstRow: firstRow).data
  }
}
