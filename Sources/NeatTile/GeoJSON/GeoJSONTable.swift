import NeatBase
import NeatJSON

// A document that changes by the ids of its features. A feature keeps its row in the columns as long as it is
// there, so that what was cut of others stays true; rows of features that went are left empty, until they are
// more than the others.

/// A document with its features by id.
package struct GeoJSONTable: Sendable {
  package let data: GeoJSONData
  private let promoted: String?
  private var rows: [GeoJSONID: Int]
  /// Rows of features that went.
  package private(set) var gone: Set<Int> = []

  /// `promoted`: the property that is the id. Throws `invalidArgument` naming a feature without an id, or the
  /// id that two have.
  package init(_ data: GeoJSONData, promoted: String? = nil) throws(NeatError) {
    self.data = data
    self.promoted = promoted
    rows = try GeoJSONTable.ids(data, promoted, "the source")
  }

  private init(_ data: GeoJSONData, _ promoted: String?, _ rows: [GeoJSONID: Int], _ gone: Set<Int>) {
    (self.data, self.promoted, self.rows, self.gone) = (data, promoted, rows, gone)
  }

  package var featureCount: Int { data.featureCount - gone.count }

  private static func ids(_ data: GeoJSONData, _ promoted: String?, _ place: String) throws(NeatError)
    -> [GeoJSONID: Int]
  {
    let key = promoted.flatMap { data.keyIndex($0) }
    var rows: [GeoJSONID: Int] = [:]
    rows.reserveCapacity(data.featureCount)
    for row in 0..<data.featureCount {
      let value = promoted == nil ? data.ids[row] : key.flatMap { data.value(feature: row, key: $0) } ?? .null
      guard let id = GeoJSONID(value) else {
        let missing = promoted.map { "the property \"\($0)\" as its id" } ?? "an id"
        throw NeatError(
          .invalidArgument, "feature \(row) of \(place) has not \(missing), which an update needs")
      }
      guard rows.updateValue(row, forKey: id) == nil else {
        throw NeatError(
          .invalidArgument, "two features of \(place) have the id \(id.text), the second is feature \(row)")
      }
    }
    return rows
  }

  /// The document after a change, and the rows that are not what they were (those that went included). An
  /// update of an id that is not there does nothing.
  package func applying(_ diff: GeoJSONDiff) throws(NeatError) -> (table: GeoJSONTable, changed: [Int]) {
    let added = try GeoJSONTable.ids(diff.added, promoted, "add")
    let plan = GeoJSONRowPlan(rows, gone, rowCount: data.featureCount, diff, added: added)
    let table = GeoJSONTable(try write(plan, diff), promoted, plan.rows, plan.gone)
    try table.checkIDs(of: diff)
    return (table, plan.gone.subtracting(gone).union(plan.origins.keys).sorted())
  }

  /// The rows of the plan one after another, those that stay in runs.
  private func write(_ plan: GeoJSONRowPlan, _ diff: GeoJSONDiff) throws(NeatError) -> GeoJSONData {
    var columns = GeoJSONRowWriter(data, diff)
    var row = 0
    while row < plan.rowCount {
      if let origin = plan.origins[row] {
        try columns.append(origin.isAdded ? diff.added : data, origin.row, origin.updates)
        row += 1
      } else if plan.gone.contains(row) {
        columns.appendNothing()
        row += 1
      } else {
        let first = row
        while row < data.featureCount, plan.origins[row] == nil, !plan.gone.contains(row) { row += 1 }
        assert(first < row, "a row of the plan comes from nowhere")
        columns.copy(data, first..<row)
      }
    }
    return try columns.finish()
  }

  /// Throws where an update gave the property that is the id another value.
  private func checkIDs(of diff: GeoJSONDiff) throws(NeatError) {
    guard let promoted else { return }
    let key = data.keyIndex(promoted)
    for update in diff.updates {
      guard let row = rows[update.id] else { continue }
      guard let value = key.flatMap({ data.value(feature: row, key: $0) }), GeoJSONID(value) == update.id
      else {
        throw NeatError(
          .invalidArgument,
          "the update of \(update.id.text) changes the property \"\(promoted)\", which is its id")
      }
    }
  }

  /// The same document without the rows of what went.
  package func compacted() throws(NeatError) -> GeoJSONTable {
    guard !gone.isEmpty else { return self }
    var columns = GeoJSONRowWriter(data, GeoJSONDiff())
    var first = 0
    for row in gone.sorted() + [data.featureCount] {
      if first < row { columns.copy(data, first..<row) }
      first = row + 1
    }
    return try GeoJSONTable(try columns.finish(), promoted: promoted)
  }
}

/// What each row of a document becomes by a change.
private struct GeoJSONRowPlan {
  /// Where a row of the changed document comes from.
  struct Origin {
    var isAdded: Bool
    var row: Int
    /// Updates that apply to it, in their order.
    var updates: [Int] = []
  }

  private(set) var rows: [GeoJSONID: Int]
  private(set) var gone: Set<Int>
  private(set) var rowCount: Int
  /// Rows that are not what they were; those without an origin stay or are gone.
  private(set) var origins: [Int: Origin] = [:]

  /// `added`: the ids of what the change adds, with their rows there.
  init(
    _ rows: [GeoJSONID: Int], _ gone: Set<Int>, rowCount: Int, _ diff: GeoJSONDiff, added: [GeoJSONID: Int]
  ) {
    (self.rows, self.gone, self.rowCount) = (rows, gone, rowCount)
    if diff.removesAll { removeAll() }
    for id in diff.removed { remove(id) }
    for (id, row) in added.sorted(by: { $0.value < $1.value }) { add(id, row) }
    for (number, update) in diff.updates.enumerated() {
      guard let row = self.rows[update.id] else { continue }
      origins[row, default: Origin(isAdded: false, row: row)].updates.append(number)
    }
  }

  private mutating func removeAll() {
    for row in rows.values { gone.insert(row) }
    rows.removeAll()
  }

  private mutating func remove(_ id: GeoJSONID) {
    if let row = rows.removeValue(forKey: id) { gone.insert(row) }
  }

  /// In the row that the id has, or in a new one at the end.
  private mutating func add(_ id: GeoJSONID, _ row: Int) {
    let place = rows[id] ?? rowCount
    if place == rowCount {
      rows[id] = place
      rowCount += 1
    }
    origins[place] = Origin(isAdded: true, row: row)
  }
}
