import CNeatline

/// Features on their way to vector tiles, of any amount, in one process or in many: add features, then write;
/// or add and save in many processes, then load and write ranges of tiles in many processes. The tiles are the
/// same in any case. For one thread at a time; the work itself is done by several.
public final class VectorTiler {
  /// A layer of the tiles.
  public struct Layer: Hashable, Sendable {
    /// The layer's name.
    public var name: String
    /// A filter of the style specification, which may read the zoom; nil: all features.
    public var filter: JSONValue?

    /// A layer of a name.
    public init(_ name: String, filter: JSONValue? = nil) {
      self.name = name
      self.filter = filter
    }
  }

  /// A range of tiles by their numbers, as PMTiles counts them.
  public typealias TileNumbers = Range<UInt64>

  /// The numbers of all tiles.
  public static let allTiles: TileNumbers = 0..<UInt64.max

  private let pointer: OpaquePointer

  /// `cut`: as for `Archive.tile`; its `filters` and `metadata` are not read. `zooms`: nil: 0 to 14. `folder`:
  /// where nameless files go that find no room in memory.
  public init(
    layers: [Layer], zooms: ClosedRange<Int>? = nil, cut: GeoJSONCutOptions = .init(), folder: String = "."
  ) throws(NeatlineError) {
    var cut = cut
    cut.filters = [:]
    cut.metadata = nil
    var members = cut.members
    members.append(.init("folder", .string(folder)))
    if let zooms {
      members.append(.init("minzoom", .number(Double(zooms.lowerBound))))
      members.append(.init("maxzoom", .number(Double(zooms.upperBound))))
    }
    let list = JSONValue.array(
      layers.map { layer in
        var members = [JSONValue.Member("name", .string(layer.name))]
        if let filter = layer.filter { members.append(.init("filter", filter)) }
        return .object(members)
      }
    ).text
    let text = JSONValue.object(members).text
    pointer = try handle { out in
      list.withText { list, size in text.withText { neat_tiler_create(list, size, $0, $1, out) } }
    }
  }

  deinit { neat_tiler_destroy(pointer) }

  /// Adds the next bytes of GeoJSON, plain, gzip or zlib, cut anywhere. `isLast`: nothing of this text follows.
  /// `part`: features of lower parts of a layer stand before those of higher ones.
  public func add(_ text: [UInt8], layer: String, part: Int = 0, isLast: Bool = true) throws(NeatlineError) {
    let part = try partNumber(part)
    try check(
      layer.withText { layer, layerSize in
        text.withUnsafeBytes {
          neat_tiler_add_geojson(
            pointer, layer, layerSize, part, $0.bindMemory(to: CChar.self).baseAddress, $0.count,
            isLast ? 1 : 0)
        }
      })
  }

  /// What of a record batch did not become properties as it was.
  public struct ArrowNote: Hashable, Sendable {
    /// The column.
    public var column: String
    /// Why.
    public var reason: String
    /// How many values; 0: the whole column was left out.
    public var count: Int
  }

  /// Adds a record batch of Arrow's C data interface; both structures are borrowed. `geometry`, `id`: names of
  /// columns.
  @discardableResult
  public func add(
    schema: UnsafePointer<ArrowSchema>, array: UnsafePointer<ArrowArray>, layer: String, part: Int = 0,
    geometry: String? = nil, id: String? = nil
  ) throws(NeatlineError) -> [ArrowNote] {
    let part = try partNumber(part)
    var members: [JSONValue.Member] = []
    if let geometry { members.append(.init("geometry", .string(geometry))) }
    if let id { members.append(.init("id", .string(id))) }
    let text = JSONValue.object(members).text
    let json = try jsonValue { out in
      layer.withText { layer, layerSize in
        text.withText {
          neat_tiler_add_arrow(pointer, layer, layerSize, part, schema, array, $0, $1, out)
        }
      }
    }
    return (json.array ?? []).map { note in
      ArrowNote(
        column: note["column"]?.string ?? "", reason: note["reason"]?.string ?? "",
        count: note["count"]?.number.flatMap { Int(exactly: $0) } ?? 0)
    }
  }

  private func partNumber(_ part: Int) throws(NeatlineError) -> UInt32 {
    guard let number = UInt32(exactly: part) else {
      throw NeatlineError(.invalidArgument, "part \(part) is not within 0 to 1048575")
    }
    return number
  }

  /// Writes everything that was added as one file, which `load` takes in.
  public func save(_ path: String) throws(NeatlineError) {
    try check(path.withText { neat_tiler_save(pointer, $0, $1) })
  }

  /// Adds what another tiler of the same layers and options saved.
  public func load(_ path: String) throws(NeatlineError) {
    try check(path.withText { neat_tiler_load(pointer, $0, $1) })
  }

  /// Divides the tiles into at most `count` ranges with about as much work each.
  public func ranges(_ count: Int) throws(NeatlineError) -> [TileNumbers] {
    let json = try jsonValue { neat_tiler_ranges(pointer, UInt32(clamping: count), $0) }
    // The last range has no end, which no number of JSON tells in full.
    let starts = (json["ranges"]?.array ?? []).compactMap { $0[0]?.number.flatMap { UInt64(exactly: $0) } }
    return zip(starts, starts.dropFirst() + [UInt64.max]).map { $0..<$1 }
  }

  /// What the tiles of a range need so that they are within the limits, by zoom. Of several ranges the highest
  /// of each zoom goes to `write`.
  public func thresholds(_ range: TileNumbers = allTiles) throws(NeatlineError) -> [Double] {
    let json = try jsonValue { neat_tiler_thresholds(pointer, range.lowerBound, range.upperBound, $0) }
    return (json.array ?? []).compactMap(\.number)
  }

  /// TileJSON of the tiles, with the members of `metadata`.
  public func describe(_ metadata: JSONValue? = nil) throws(NeatlineError) -> JSONValue {
    try jsonValue { out in metadata.withText { neat_tiler_describe(pointer, $0, $1, out) } }
  }

  /// Writes the tiles of a range into an archive. `thresholds`: nil: they are found for the range. Of the options
  /// `zooms`, `resumes` and `verifies` mean nothing here. `progress` is called on this thread; false ends the work
  /// with `cancelled`.
  @discardableResult
  public func write(
    to target: String, range: TileNumbers = allTiles, thresholds: [Double]? = nil,
    metadata: JSONValue? = nil, options: ArchiveWriteOptions = .init(),
    progress: (ArchiveProgress) -> Bool = { _ in true }
  ) throws(NeatlineError) -> ArchiveReport {
    var members = options.tilerMembers
    if let thresholds { members.append(.init("thresholds", .array(thresholds.map { .number($0) }))) }
    if let metadata { members.append(.init("metadata", metadata)) }
    let text = JSONValue.object(members).text
    return try Archive.job(progress) { callback, context, out in
      target.withText { target, size in
        text.withText {
          neat_tiler_write(
            pointer, target, size, range.lowerBound, range.upperBound, $0, $1, callback, context, out)
        }
      }
    }
  }
}
