import NeatBase
import NeatJSON
import NeatLoop
import NeatStore
import NeatTile

/// Cuts GeoJSON documents into an archive of vector tiles, one layer a document.
package struct GeoJSONArchive {
  package struct Source: Sendable {
    /// The layer's name.
    package var name: String
    /// A path or an address; plain text, gzip or zlib.
    package var url: String

    package init(name: String, url: String) {
      self.name = name
      self.url = url
    }
  }

  package var sources: [Source]
  package var target: ArchiveTarget
  package var zooms: ClosedRange<UInt8> = 0...14
  /// How documents are cut; `maxZoom` is taken from `zooms`.
  package var options = GeoJSONTileOptions()
  /// Members of the archive's metadata: name, attribution, description and others.
  package var metadata = JSON.object([])
  /// Threads that cut and pack.
  package var width = WorkerPool.processorCount

  /// Tiles at most, unless the target says otherwise: a document that covers the world has 4^zoom of them.
  package static let defaultTileLimit: UInt64 = 1 << 24
  private static let batch = 256

  package init(sources: [Source], target: ArchiveTarget) {
    self.sources = sources
    self.target = target
  }

  /// Blocks. Throws `notFound`, `geojson` with the byte, `io`, `limitExceeded`, and `cancelled` when
  /// `progress` returns false.
  package func run(loader: ResourceLoader = .init(), progress: @escaping ArchiveProgressReport)
    throws(NeatError) -> ArchiveReport
  {
    try check()
    _ = try target.resolvedFormat()
    var target = target
    target.tileLimit = target.tileLimit ?? GeoJSONArchive.defaultTileLimit
    var job = contentHash(Array("tile 1 \(zooms) \(options) \(target.isPlain) \(sources.map(\.name))".utf8))
    var layers: [GeoJSONPyramid.Layer] = []
    for source in sources {
      let bytes = try load(source, loader)
      job = contentHash(bytes, seed: job)
      layers.append(.init(name: source.name, index: try index(bytes, source)))
    }
    let pyramid = GeoJSONPyramid(layers: layers, zooms: zooms)
    let writer = try target.open(job: job)
    var report = ArchiveReport()
    report.resumedTiles = writer.resumeCursor == nil ? 0 : writer.counts.tiles
    try write(pyramid, writer, target, &report, progress)
    try writer.finish(describe(layers))
    report.counts = writer.counts
    return report
  }

  private func check() throws(NeatError) {
    guard !sources.isEmpty else { throw NeatError(.invalidArgument, "no GeoJSON is given") }
    var names: Set<String> = []
    for source in sources where !names.insert(source.name).inserted {
      throw NeatError(.invalidArgument, "two layers are named \"\(source.name)\"")
    }
    guard zooms.upperBound <= StyleZoom.maximum else {
      throw NeatError(.invalidArgument, "zoom \(zooms.upperBound) is beyond \(StyleZoom.maximum)")
    }
  }

  private func load(_ source: Source, _ loader: ResourceLoader) throws(NeatError) -> [UInt8] {
    switch loader.load(ResourceRequest(kind: .geojson, url: source.url)) {
    case .data(let bytes): return bytes
    case .missing, .empty: throw NeatError(.notFound, "no such file", resource: source.url)
    case .failed(let error): throw error.naming(source.url)
    }
  }

  private func index(_ bytes: [UInt8], _ source: Source) throws(NeatError) -> GeoJSONIndex {
    do throws(NeatError) {
      var options = options
      options.maxZoom = Int(zooms.upperBound)
      return try GeoJSONIndex(GeoJSONData(parsing: bytes), options: options)
    } catch {
      throw error.naming(source.url)
    }
  }

  // MARK: Tiles

  private func write(
    _ pyramid: GeoJSONPyramid, _ writer: any ArchiveWriter, _ target: ArchiveTarget,
    _ report: inout ArchiveReport,
    _ progress: @escaping ArchiveProgressReport
  ) throws(NeatError) {
    let executor = WorkerPool(width: width).executor
    var clock = ArchiveJobClock(writer, target, total: 0, progress)
    var squares: [GeoJSONPyramid.Square] = []
    var (largest, skipped) = (0, UInt64(0))
    func flush() throws(NeatError) {
      let packed = try GeoJSONArchive.pack(squares, pyramid, executor)
      for (square, bytes) in zip(squares, packed) {
        guard let bytes, let number = PMTiles.tileNumber(square.id) else {
          skipped += 1
          continue
        }
        largest = max(largest, bytes.count)
        try writer.add(number, count: 1, bytes)
      }
      guard let last = squares.last?.id, let cursor = PMTiles.tileNumber(last) else { return }
      squares.removeAll(keepingCapacity: true)
      try clock.tick(done: writer.counts.tiles, cursor: cursor)
    }
    // The cursor is the last square of the walk that was done.
    try pyramid.walk(after: writer.resumeCursor.flatMap { PMTiles.tile(number: $0) }) {
      square throws(NeatError) in
      squares.append(square)
      if squares.count == GeoJSONArchive.batch { try flush() }
    }
    try flush()
    report.largestTileBytes = largest
    report.skippedTiles = skipped
  }

  /// Encodes and packs squares side by side; nil for those that hold nothing to be seen.
  private static func pack(
    _ squares: [GeoJSONPyramid.Square], _ pyramid: GeoJSONPyramid, _ executor: Executor
  ) throws(NeatError) -> [[UInt8]?] {
    guard !squares.isEmpty else { return [] }
    let width = min(executor.width, squares.count)
    let results = ParallelResults<Result<[UInt8]?, NeatError>>(count: squares.count)
    executor.forEach(width) { worker in
      do throws(NeatError) {
        let packer = try GzipPacker(level: 6)
        for index in stride(from: worker, to: squares.count, by: width) {
          results.set(index, .success(pyramid.encode(squares[index]).map { packer.pack($0) }))
        }
      } catch {
        results.set(worker, .failure(error))
      }
    }
    var packed: [[UInt8]?] = []
    for index in squares.indices { packed.append(try results[index]?.get()) }
    return packed
  }

  // MARK: Metadata

  private func describe(_ layers: [GeoJSONPyramid.Layer]) -> ArchiveMetadata {
    var writer = JSONWriter()
    writer.beginArray()
    for layer in layers { describe(layer, &writer) }
    writer.endArray()
    var members = metadata.members.map { ($0.key, $0.value) }
    if let layers = try? JSON.parse(writer.bytes) { members.append(("vector_layers", layers)) }
    if metadata["name"] == nil { members.append(("name", .string(sources[0].name))) }
    if metadata["type"] == nil { members.append(("type", .string("overlay"))) }
    var result = ArchiveMetadata(tileJSON: .object(members))
    result.tileType = .mvt
    result.tileCompression = .gzip
    let boxes = layers.compactMap { $0.index.data.bounds }
    if let first = boxes.first {
      func longitude(_ degrees: Double) -> Double { max(-180, min(180, degrees)) }
      func latitude(_ degrees: Double) -> Double {
        max(-Mercator.maxLatitude, min(Mercator.maxLatitude, degrees))
      }
      let box = boxes.dropFirst().reduce(first) {
        (min($0.west, $1.west), min($0.south, $1.south), max($0.east, $1.east), max($0.north, $1.north))
      }
      result.bounds = (longitude(box.west), latitude(box.south), longitude(box.east), latitude(box.north))
      result.center = LonLat(
        (result.bounds!.west + result.bounds!.east) / 2, (result.bounds!.south + result.bounds!.north) / 2)
    }
    return result
  }

  private func describe(_ layer: GeoJSONPyramid.Layer, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id")
    writer.string(layer.name)
    writer.key("fields")
    writer.beginObject()
    let data = layer.index.data
    var kinds = [String?](repeating: nil, count: data.keys.count)
    for tag in 0..<data.tagCount {
      let key = Int(data.tagKeys[tag])
      guard let kind = GeoJSONArchive.fieldType(data.tagValues[tag].kind), kinds[key] != kind else {
        continue
      }
      kinds[key] = kinds[key] == nil ? kind : "Mixed"
    }
    for (key, kind) in zip(data.keys, kinds) {
      guard let kind else { continue }
      writer.key(key)
      writer.string(kind)
    }
    writer.endObject()
    writer.key("minzoom")
    writer.int(zooms.lowerBound)
    writer.key("maxzoom")
    writer.int(zooms.upperBound)
    writer.endObject()
  }

  private static func fieldType(_ kind: TileValueKind) -> String? {
    switch kind {
    case .null: nil
    case .bool: "Boolean"
    case .int, .uint, .double: "Number"
    case .string, .json: "String"
    }
  }
}
