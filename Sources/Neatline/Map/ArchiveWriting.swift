import CNeatline

/// The two kinds of archives that are written.
public enum ArchiveFormat: String, Hashable, Sendable {
  case pmtiles, mbtiles
}

/// How far a job that writes an archive is.
public struct ArchiveProgress: Hashable, Sendable {
  /// Tiles that are done.
  public var doneTiles: Int
  /// 0 where it is not known.
  public var totalTiles: Int
  /// Bytes of contents written so far.
  public var bytes: Int
}

/// What a job did.
public struct ArchiveReport: Hashable, Sendable {
  /// Tiles, contents that differ, and their bytes, in the finished archive.
  public var tiles: Int
  /// Contents that differ: tiles with equal bytes share one.
  public var contents: Int
  /// Bytes of the contents.
  public var bytes: Int
  /// Tiles that the job found written by an earlier, interrupted run.
  public var resumedTiles: Int
  /// Tiles without contents, which archives leave out.
  public var skippedTiles: Int
  /// Bytes of the largest tile.
  public var largestTileBytes: Int
  /// Tiles of which features or layers cannot be read, copied as they are; 0 where nobody looked.
  public var faultyTiles: Int
  /// The first of what cannot be read of them, which names its tile.
  public var firstFault: String?
  /// Features of the input of a job that cuts features.
  public var features: Int
  /// Pieces of features that tiles lack because of limits.
  public var droppedFeatures: Int
  /// Pieces of features whose geometry went to other features because of limits.
  public var coalescedFeatures: Int
  /// Tiles past the limits: all where nothing is thinned, else those that thinning could not mend.
  public var oversizedTiles: Int
  /// All of this as JSON.
  public var json: JSONValue

  init(_ json: JSONValue) {
    func number(_ name: String) -> Int { json[name]?.number.flatMap { Int(exactly: $0) } ?? 0 }
    tiles = number("tiles")
    contents = number("contents")
    bytes = number("bytes")
    resumedTiles = number("resumedTiles")
    skippedTiles = number("skippedTiles")
    largestTileBytes = number("largestTileBytes")
    faultyTiles = number("faultyTiles")
    firstFault = json["firstFault"]?.string
    features = number("features")
    droppedFeatures = number("droppedFeatures")
    coalescedFeatures = number("coalescedFeatures")
    oversizedTiles = number("oversizedTiles")
    self.json = json
  }
}

/// A box of degrees. `west` greater than `east` crosses the 180th meridian.
public struct GeographicBounds: Hashable, Sendable {
  /// The western edge in degrees.
  public var west: Double
  /// The southern edge in degrees.
  public var south: Double
  /// The eastern edge in degrees.
  public var east: Double
  /// The northern edge in degrees.
  public var north: Double

  /// A box from its edges in degrees.
  public init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }
}

/// Options of all jobs that write an archive.
public struct ArchiveWriteOptions: Hashable, Sendable {
  /// nil: by the end of the path.
  public var format: ArchiveFormat?
  /// nil: all zooms of an archive, 0 to 14 for GeoJSON.
  public var zooms: ClosedRange<Int>?
  /// MBTiles as a plain table, one row per tile, instead of a view over contents that are stored once.
  public var isPlain = false
  /// Whether the partial file of the same job is continued.
  public var resumes = true
  /// Whether a file that is there already is replaced; else it is an error that names it.
  public var overwrites = false
  /// Copies only: whether each tile is unpacked and decoded, so that one that cannot be fails the copy,
  /// naming it.
  public var verifies = false
  /// Rows of MBTiles, or entries of PMTiles, at most; nil: 2^27, for GeoJSON 2^24.
  public var maxTiles: Int?

  /// The defaults.
  public init() {}

  fileprivate var members: [JSONValue.Member] {
    var members = tilerMembers + [.init("resume", .bool(resumes))]
    if verifies { members.append(.init("verify", .bool(true))) }
    if let zooms {
      members.append(.init("minzoom", .number(Double(zooms.lowerBound))))
      members.append(.init("maxzoom", .number(Double(zooms.upperBound))))
    }
    return members
  }

  /// Those that a tiler takes when it writes.
  var tilerMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("plain", .bool(isPlain)), .init("overwrite", .bool(overwrites)),
    ]
    if let format { members.append(.init("archive", .string(format.rawValue))) }
    if let maxTiles { members.append(.init("maxTiles", .number(Double(maxTiles)))) }
    return members
  }
}

/// One GeoJSON document whose features go into a layer of vector tiles. Documents of one name share it.
public struct GeoJSONLayerSource: Hashable, Sendable {
  /// The layer's name.
  public var name: String
  /// A path or an address.
  public var url: String

  /// A layer from its name and the path or address of its data.
  public init(name: String, url: String) {
    self.name = name
    self.url = url
  }
}

/// What makes tiles smaller that are past their limits. One threshold goes for a whole zoom.
public struct TileThinning: Hashable, Sendable {
  /// Which features go.
  public enum Choice: String, Hashable, Sendable {
    /// Those nearest to others along the Hilbert curve.
    case densest
    /// Any, by a hash.
    case fraction
    /// The shortest lines and the smallest polygons; points before both.
    case smallest
  }

  /// Which features go.
  public var choice: Choice
  /// Whether the geometry of a feature goes to the one before it on the curve, instead of away.
  public var coalesces: Bool

  /// Thinning by a choice.
  public init(_ choice: Choice, coalesces: Bool = false) {
    self.choice = choice
    self.coalesces = coalesces
  }
}

/// How features are cut into tiles. Lengths are in tile units, `extent` of which make an edge.
public struct GeoJSONCutOptions: Hashable, Sendable {
  /// How far geometry reaches past the edges of its tile.
  public var buffer: Double?
  /// Douglas-Peucker tolerance; 0 keeps every point. Tiles of the deepest zoom keep every point in any case.
  public var tolerance: Double?
  /// 1 to 65536; nil: 4096.
  public var extent: Int?
  /// Whether lines get `mapbox_clip_start` and `mapbox_clip_end`, where a tile's piece lies along the whole.
  public var lineMetrics = false
  /// Whether features get their index as id.
  public var generateID = false
  /// The property that becomes the feature's id; nil: the id that GeoJSON gives.
  public var promoteID: String?
  /// The properties that tiles have; nil: all.
  public var include: [String]?
  /// The properties that tiles lack; not together with `include`.
  public var exclude: [String]?
  /// Filters of the style specification by layer, which may read the zoom.
  public var filters: [String: JSONValue] = [:]
  /// Each zoom below `baseZoom` has one of so many points of the next deeper one, 1 to 16.
  public var dropRate: Double?
  /// The zoom from which on all points are there; nil: the deepest.
  public var baseZoom: Int?
  /// What happens to tiles past the limits; nil: they are written, and counted.
  public var thinning: TileThinning?
  /// Packed bytes of a tile that are within the limit; nil: 500,000.
  public var maxTileBytes: Int?
  /// Features of a tile that are within the limit; nil: 200,000.
  public var maxTileFeatures: Int?
  /// Bytes of sorted features that are held before they go to the disk; nil: 256 MiB.
  public var memory: Int?
  /// Threads; nil: one for each processor.
  public var threads: Int?
  /// Members of the archive's metadata: name, attribution, description and others.
  public var metadata: JSONValue?

  /// The defaults.
  public init() {}

  var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("lineMetrics", .bool(lineMetrics)), .init("generateId", .bool(generateID)),
    ]
    if let buffer { members.append(.init("buffer", .number(buffer))) }
    if let tolerance { members.append(.init("tolerance", .number(tolerance))) }
    if let extent { members.append(.init("extent", .number(Double(extent)))) }
    if let promoteID { members.append(.init("promoteId", .string(promoteID))) }
    if let metadata { members.append(.init("metadata", metadata)) }
    if !filters.isEmpty {
      let list = filters.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
      members.append(.init("filters", .object(list)))
    }
    return members + thinningMembers
  }

  private var thinningMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for (name, names) in [("include", include), ("exclude", exclude)] {
      if let names { members.append(.init(name, .array(names.map { .string($0) }))) }
    }
    if let thinning {
      members.append(.init(thinning.coalesces ? "coalesce" : "drop", .string(thinning.choice.rawValue)))
    }
    if let dropRate { members.append(.init("dropRate", .number(dropRate))) }
    for (name, number) in [
      ("baseZoom", baseZoom), ("maxTileBytes", maxTileBytes), ("maxTileFeatures", maxTileFeatures),
      ("memory", memory), ("threads", threads),
    ] {
      if let number { members.append(.init(name, .number(Double(number)))) }
    }
    return members
  }
}

extension Archive {
  /// Copies an archive, or what of it lies in `bounds` and the options' zooms, into a file. Until it is whole
  /// the file has the name PATH.partial; a copy that was interrupted is continued by the same call.
  ///
  /// `source` is a file, `mbtiles://PATH`, `pmtiles://PATH-OR-URL`, or the http(s) address of a PMTiles
  /// archive. `progress` is called on this thread; false ends the copy with `cancelled`.
  @discardableResult
  public static func copy(
    from source: String, to target: String, bounds: GeographicBounds? = nil,
    options: ArchiveWriteOptions = .init(),
    progress: (ArchiveProgress) -> Bool = { _ in true }
  ) throws(NeatlineError) -> ArchiveReport {
    var members = options.members
    if let bounds {
      members.append(
        .init("bbox", .array([bounds.west, bounds.south, bounds.east, bounds.north].map { .number($0) })))
    }
    let text = JSONValue.object(members).text
    return try job(progress) { callback, context, out in
      source.withText { source, sourceSize in
        target.withText { target, targetSize in
          text.withText {
            neat_archive_copy(source, sourceSize, target, targetSize, $0, $1, callback, context, out)
          }
        }
      }
    }
  }

  /// Cuts GeoJSON documents into an archive of vector tiles; otherwise as `copy`. Memory does not grow with the
  /// documents: what is sorted lies in nameless files in the target's folder.
  @discardableResult
  public static func tile(
    _ sources: [GeoJSONLayerSource], to target: String, cut: GeoJSONCutOptions = .init(),
    options: ArchiveWriteOptions = .init(),
    progress: (ArchiveProgress) -> Bool = { _ in true }
  ) throws(NeatlineError) -> ArchiveReport {
    let list = JSONValue.array(sources.map { .members(["name": .string($0.name), "url": .string($0.url)]) })
      .text
    let text = JSONValue.object(options.members + cut.members).text
    return try job(progress) { callback, context, out in
      list.withText { list, listSize in
        target.withText { target, targetSize in
          text.withText {
            neat_archive_tile_geojson(list, listSize, target, targetSize, $0, $1, callback, context, out)
          }
        }
      }
    }
  }

  static func job(
    _ progress: (ArchiveProgress) -> Bool,
    _ call: (neat_archive_progress_callback, UnsafeMutableRawPointer, OutPointer) -> neat_status
  ) throws(NeatlineError) -> ArchiveReport {
    let json = try withoutActuallyEscaping(progress) { progress throws(NeatlineError) in
      let reporter = Reporter(progress)
      return try withExtendedLifetime(reporter) { () throws(NeatlineError) in
        try jsonValue { out in
          call(
            { context, progress in
              guard let context, let progress else { return 0 }
              return Unmanaged<Reporter>.fromOpaque(context).takeUnretainedValue().report(progress.pointee)
                ? 0 : 1
            }, Unmanaged.passUnretained(reporter).toOpaque(), out)
        }
      }
    }
    return ArchiveReport(json)
  }

  private final class Reporter {
    private let body: (ArchiveProgress) -> Bool

    init(_ body: @escaping (ArchiveProgress) -> Bool) { self.body = body }

    func report(_ progress: neat_archive_progress) -> Bool {
      body(
        ArchiveProgress(
          doneTiles: Int(clamping: progress.done_tiles), totalTiles: Int(clamping: progress.total_tiles),
          bytes: Int(clamping: progress.bytes)))
    }
  }
}

/// An archive that is filled tile by tile. Until `finish` the file has the name PATH.partial. For one thread
/// at a time.
public final class ArchiveWriter {
  private let pointer: OpaquePointer

  /// `tileFormat`: `pbf`, `mlt`, `png`, `jpg`, `webp` or `avif`. `job`: a text that names the job; the
  /// partial file of the same job is continued.
  public init(
    path: String, tileFormat: String = "pbf", job: String? = nil, options: ArchiveWriteOptions = .init()
  ) throws(NeatlineError) {
    var members = options.members
    members.append(.init("format", .string(tileFormat)))
    if let job { members.append(.init("job", .string(job))) }
    let text = JSONValue.object(members).text
    pointer = try handle { out in
      path.withText { path, size in text.withText { neat_archive_writer_create(path, size, $0, $1, out) } }
    }
  }

  deinit { neat_archive_writer_destroy(pointer) }

  /// Adds a tile, in any order; equal contents are stored once. Vector tiles that are not packed by gzip are.
  public func add(z: Int, x: Int, y: Int, _ data: [UInt8]) throws(NeatlineError) {
    let tile = try tileNumbers(z, x, y)
    try check(
      data.withUnsafeBufferPointer {
        neat_archive_writer_add(pointer, tile.z, tile.x, tile.y, $0.baseAddress, $0.count)
      })
  }

  /// Brings what was added to the disk. `cursor` is the caller's own number of how far it is.
  public func checkpoint(cursor: UInt64) throws(NeatlineError) {
    try check(neat_archive_writer_checkpoint(pointer, cursor))
  }

  /// The number of the checkpoint that is continued from; nil where the archive begins anew.
  public var cursor: UInt64? {
    var cursor: UInt64 = 0
    return neat_archive_writer_cursor(pointer, &cursor) == NEAT_STATUS_OK ? cursor : nil
  }

  /// Completes the archive and gives it its name. `tileJSON`: name, attribution, bounds, center,
  /// vector_layers and others.
  public func finish(tileJSON: JSONValue? = nil) throws(NeatlineError) {
    try check(tileJSON.withText { neat_archive_writer_finish(pointer, $0, $1) })
  }
}
