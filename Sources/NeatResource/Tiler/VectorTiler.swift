// Vector tiles of whatever amount of features, in three steps that can run in different processes:
//
//   cut    batches of features are cut to all their tiles, side by side; the records are kept as runs, in
//          memory or on the disk (TileCutter, RunStore)
//   save   the runs become one file, which another process takes in (optional)
//   write  the runs are merged, tile by tile, and each tile is thinned where it is too large, encoded and
//          packed, side by side (RunMerge, TileMaker)
//
// Memory is bounded by that of the runs, of a batch a thread, and of the largest tile. A tile depends on its
// records alone, and these on their features: batches, threads, processes and the order of the work do not
// matter, so the same tiles come out.
import NeatBase
import NeatJSON
import NeatLoop
import NeatStore
import NeatTile

/// Makes vector tiles of features. One thread at a time.
package final class VectorTiler {
  package let options: TilerOptions
  /// Tiles that features may lie in.
  package var tileLimit = GeoJSONArchive.defaultTileLimit
  /// Who may end the work; nil: nobody.
  package var cancellation: TilerCancellation?
  /// What went wrong with features that are on their way: from then on some would be missing.
  private var fault: NeatError?
  private let filters: [TilerFilter?]
  private let executor: Executor
  private let store: RunStore
  private var layers: [LayerSummary]
  /// Numbers of keys in records.
  private var keys: [String] = []
  private var keyNumbers: [String: UInt32] = [:]
  /// Batches that wait until each thread has one.
  private var pending: [Batch] = []
  /// Features so far of each part of each layer.
  private var featureCounts: [Int: Int] = [:]

  private struct Batch: Sendable {
    let data: GeoJSONData
    let cutter: TileCutter
    let first: Int
    let keys: [UInt32?]
    let filter: TilerFilter?
    /// Where the features came from, for messages.
    let source: String?
  }

  /// A layer of the tiles.
  package struct Layer: Sendable {
    package var name: String
    /// A filter of the style specification, which may read the zoom.
    package var filter: JSON?

    package init(name: String, filter: JSON? = nil) {
      self.name = name
      self.filter = filter
    }
  }

  /// Memory of runs unless a caller says otherwise.
  package static let defaultMemory = 256 << 20
  /// Property names of a job at most.
  static let maxKeys = 1 << 20

  /// `folder`: where runs go that find no room in `memory` (bytes). `width`: threads. Throws `invalidArgument`
  /// and `expression` naming what is wrong.
  package init(
    layers: [Layer], options: TilerOptions, folder: String, memory: Int = defaultMemory,
    width: Int = WorkerPool.processorCount
  ) throws(NeatError) {
    try options.check()
    guard !layers.isEmpty, layers.count <= TileRecordKey.maxLayers else {
      throw NeatError(
        .invalidArgument, "1 to \(TileRecordKey.maxLayers) layers are needed, not \(layers.count)")
    }
    var names: Set<String> = []
    for (place, layer) in layers.enumerated() {
      guard !layer.name.isEmpty else { throw NeatError(.invalidArgument, "layer \(place) has no name") }
      guard names.insert(layer.name).inserted else {
        throw NeatError(.invalidArgument, "two layers are named \"\(layer.name)\"")
      }
    }
    guard memory >= 1 << 20 else {
      throw NeatError(.invalidArgument, "the memory is at least 1048576 bytes, not \(memory)")
    }
    self.options = options
    var filters: [TilerFilter?] = []
    for layer in layers { filters.append(try TilerFilter.make(layer.filter, layer.name, options)) }
    self.filters = filters
    self.layers = layers.map { LayerSummary(name: $0.name) }
    executor = WorkerPool(width: width).executor
    store = RunStore(folder: folder, limit: memory)
  }

  /// The number of a layer. Throws `invalidArgument`.
  package func layer(_ name: String) throws(NeatError) -> Int {
    guard let index = layers.firstIndex(where: { $0.name == name }) else {
      throw NeatError(.invalidArgument, "there is no layer \"\(name)\"")
    }
    return index
  }

  // MARK: Cutting

  /// Adds features of a layer, after those that came before in the same part. Parts are numbered in the order
  /// in which their features are to stand in the tiles. `source`: for messages. Throws `limitExceeded`, `io`,
  /// `outOfMemory`, `cancelled`; the tiler then takes no more.
  package func add(_ data: GeoJSONData, layer: Int, part: Int = 0, source: String? = nil) throws(NeatError) {
    if let fault { throw fault }
    guard part >= 0, part < TileRecordKey.maxParts else {
      throw NeatError(.limitExceeded, "part \(part) of the input: the limit is \(TileRecordKey.maxParts)")
    }
    var cutter = TileCutter(options, layer: layer, part: part)
    cutter.squareLimit = tileLimit
    if let cancellation { cutter.isCancelled = { cancellation.isCancelled } }
    var numbers: [UInt32?] = []
    for name in cutter.keyNames(data) {
      numbers.append(options.attributes.takes(name) ? try number(ofKey: name) : nil)
    }
    let place = layer * TileRecordKey.maxParts + part
    let first = featureCounts[place, default: 0]
    featureCounts[place] = first + data.featureCount
    pending.append(
      Batch(data: data, cutter: cutter, first: first, keys: numbers, filter: filters[layer], source: source))
    if pending.count >= executor.width { try flush() }
  }

  private func number(ofKey name: String) throws(NeatError) -> UInt32 {
    if let number = keyNumbers[name] { return number }
    guard keys.count < VectorTiler.maxKeys else {
      throw NeatError(.limitExceeded, "more than \(VectorTiler.maxKeys) property names")
    }
    let number = UInt32(keys.count)
    keys.append(name)
    keyNumbers[name] = number
    return number
  }

  /// Cuts what waits.
  func flush() throws(NeatError) {
    try keepingFault { () throws(NeatError) in try cutPending() }
  }

  /// Runs what must not be tried again once it failed.
  private func keepingFault<Result: ~Copyable>(_ body: () throws(NeatError) -> Result) throws(NeatError)
    -> Result
  {
    if let fault { throw fault }
    do throws(NeatError) { return try body() } catch {
      fault = error
      throw error
    }
  }

  private func cutPending() throws(NeatError) {
    let batches = pending
    pending = []
    let results = ParallelResults<Result<LayerSummary, NeatError>>(count: batches.count)
    executor.forEach(batches.count) {
      [store, attributes = options.attributes, zooms = options.zooms] index in
      let batch = batches[index]
      do throws(NeatError) {
        try MemoryReserve.hold()
        let shows = batch.data.zoomMasks(batch.filter?.zooms(of: batch.data), zooms)
        try batch.cutter.cut(batch.data, first: batch.first, keys: batch.keys, shows: shows) {
          run throws(NeatError) in try store.add(run)
        }
        var summary = LayerSummary(name: "")
        summary.add(batch.data, attributes, shows: shows)
        results.set(index, .success(summary))
      } catch {
        results.set(index, .failure(batch.source.map { error.naming($0) } ?? error))
      }
    }
    for (index, batch) in batches.enumerated() { layers[batch.cutter.layer].add(try results[index]!.get()) }
  }

  // MARK: Runs of other processes

  /// Writes all records as one file, which `load` takes in. Throws `io`.
  package func save(_ path: String) throws(NeatError) {
    try flush()
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("options")
    writer.string(fingerprint)
    writer.key("keys")
    writer.beginArray()
    for key in keys { writer.string(key) }
    writer.endArray()
    writer.key("layers")
    writer.beginArray()
    for layer in layers { layer.write(&writer) }
    writer.endArray()
    writer.endObject()
    let draft = path + ".part"
    guard writer.bytes.count <= RunFile.maxTextBytes else {
      throw NeatError(.limitExceeded, "the property names take more than \(RunFile.maxTextBytes) bytes")
    }
    let merge = try keepingFault { () throws(NeatError) in try store.merge() }
    do throws(NeatError) {
      _ = try merge.write(RunFileWriter(path: draft), text: writer.bytes, syncs: true)
    } catch {
      // unchecked: the error is that of the writing; a draft that stays is replaced by the next one.
      unlink(draft)
      throw error
    }
    try RunFile.publish(draft, as: path)
  }

  /// Takes in what `save` wrote, of a tiler with the same options and layers. Throws `notFound`, `io`,
  /// `archive` for damaged files, `state` for those of other options.
  package func load(_ path: String) throws(NeatError) {
    let file = try RunFile(path: path)
    func damaged() -> NeatError { NeatError(.archive, "the text of the run is damaged", resource: path) }
    guard let json = try? JSON.parse(file.text) else { throw damaged() }
    guard json["options"]?.string == fingerprint else {
      throw NeatError(.state, "a run of other layers or options", resource: path)
    }
    var summaries: [LayerSummary] = []
    if let list = json["layers"] { summaries = list.elements.compactMap { LayerSummary($0) } }
    guard summaries.map(\.name) == layers.map(\.name) else { throw damaged() }
    var numbers: [UInt32] = []
    if let list = json["keys"] {
      for key in list.elements {
        guard let name = key.string else { throw damaged() }
        numbers.append(try number(ofKey: name))
      }
    }
    for (index, summary) in summaries.enumerated() { layers[index].add(summary) }
    store.add(file.renumbered(numbers))
  }

  /// Told apart by it: jobs whose records do not go together.
  private var fingerprint: String {
    let text = "tiler 1 \(options.text) \(layers.map(\.name)) \(filters.map { $0?.text ?? "" })"
    return String(contentHash(Array(text.utf8)), radix: 16)
  }

  // MARK: Writing

  /// What tiles of each zoom need so that none is past the limits; nothing where no thinning is wished.
  package func requiredThresholds(_ range: Range<UInt64> = 0..<UInt64.max) throws(NeatError) -> [Double] {
    var thresholds = [Double](repeating: 0, count: Int(TileID.maxZoom) + 1)
    guard options.thinning != nil else { return thresholds }
    try forEachBatch(range) { (maker, batch, tile) throws(NeatError) in
      try maker.requiredThreshold(batch, tile)
    } take: { tile, threshold in
      let zoom = Int(PMTiles.tile(number: tile)?.z ?? 0)
      thresholds[zoom] = max(thresholds[zoom], threshold)
    }
    return thresholds
  }

  /// Calls `take` with each tile in the order of their numbers. `thresholds`: by zoom.
  func tiles(
    _ range: Range<UInt64>, _ thresholds: [Double],
    take: (UInt64, TileOutcome) throws(NeatError) -> Void
  ) throws(NeatError) {
    try forEachBatch(range) { (maker, batch, tile) throws(NeatError) in
      let zoom = Int(PMTiles.tile(number: batch.tile(tile))?.z ?? 0)
      return try maker.make(batch, tile, threshold: zoom < thresholds.count ? thresholds[zoom] : 0)
    } take: { (tile, outcome) throws(NeatError) in
      try take(tile, outcome)
    }
  }

  /// Features that were dropped because a tile's records would not go into memory.
  private(set) var memoryDropped = 0
  private static let batchTiles = 512
  private static let batchBytes = 16 << 20

  private func forEachBatch<Result: Sendable>(
    _ range: Range<UInt64>,
    make: @Sendable @escaping (inout TileMaker, TileBatch, Int) throws(NeatError) -> Result,
    take: (UInt64, Result) throws(NeatError) -> Void
  ) throws(NeatError) {
    try flush()
    memoryDropped = 0
    var merge = try keepingFault { () throws(NeatError) in try store.merge(range) }
    var next = TileBatchBuilder(thins: options.thinning != nil)
    while true {
      while let key = merge.key {
        if next.tileCount >= VectorTiler.batchTiles || next.byteCount > VectorTiler.batchBytes,
          next.lastTile != key.tile
        {
          break
        }
        try next.add(key, merge.body)
        try merge.advance()
      }
      guard next.tileCount > 0 else { return }
      if let cancellation, cancellation.isCancelled { throw NeatError(.cancelled, "stopped") }
      memoryDropped += next.dropped
      let batch = next.finish()
      next = TileBatchBuilder(thins: options.thinning != nil)
      for (index, result) in try results(batch, make).enumerated() { try take(batch.tile(index), result) }
    }
  }

  private func results<Result: Sendable>(
    _ batch: TileBatch,
    _ make: @Sendable @escaping (inout TileMaker, TileBatch, Int) throws(NeatError) -> Result
  ) throws(NeatError) -> [Result] {
    let results = ParallelResults<Swift.Result<Result, NeatError>>(count: batch.count)
    let (options, names, keys) = (options, layers.map(\.name), keys)
    let width = min(executor.width, batch.count)
    let faults = ParallelResults<NeatError>(count: width)
    executor.forEach(width) { worker in
      do throws(NeatError) {
        var maker = try TileMaker(options, layerNames: names, keyNames: keys)
        for index in stride(from: worker, to: batch.count, by: width) {
          try MemoryReserve.hold()
          results.set(index, .success(try make(&maker, batch, index)))
        }
      } catch {
        faults.set(worker, error)
      }
    }
    for worker in 0..<width { if let fault = faults[worker] { throw fault } }
    var list: [Result] = []
    for index in 0..<batch.count { list.append(try results[index]!.get()) }
    return list
  }

  /// Divides the tiles into at most `count` ranges of about as many bytes of records; and all bytes. The ranges
  /// have no gaps, and the last one no end.
  package func ranges(_ count: Int) throws(NeatError) -> (ranges: [Range<UInt64>], bytes: Int) {
    try flush()
    let weights = store.weights()
    let total = weights.reduce(0) { $0 + $1.bytes }
    var starts: [UInt64] = [0]
    var done = 0
    for weight in weights {
      let wanted = Double(starts.count) * Double(total) / Double(max(count, 1))
      if starts.count < count, Double(done) >= wanted, weight.tile > starts[starts.count - 1] {
        starts.append(weight.tile)
      }
      done += weight.bytes
    }
    let ends = starts.dropFirst() + [UInt64.max]
    return (zip(starts, ends).map { $0..<$1 }, total)
  }

  // MARK: Metadata

  /// Features so far of a part of a layer.
  package func featureCount(layer: Int, part: Int) -> Int {
    featureCounts[layer * TileRecordKey.maxParts + part, default: 0]
  }

  /// Features that came.
  package var featureCount: Int { layers.reduce(0) { $0 + $1.features } }

  /// What the finished archive says about itself; `metadata`: name, attribution and others.
  package func describe(_ metadata: JSON) throws(NeatError) -> ArchiveMetadata {
    try flush()
    var writer = JSONWriter()
    writer.beginArray()
    for layer in layers { describe(layer, &writer) }
    writer.endArray()
    var members = metadata.members.map { ($0.key, $0.value) }
    if let layers = try? JSON.parse(writer.bytes) { members.append(("vector_layers", layers)) }
    if metadata["name"] == nil { members.append(("name", .string(layers[0].name))) }
    if metadata["type"] == nil { members.append(("type", .string("overlay"))) }
    var result = ArchiveMetadata(tileJSON: .object(members))
    result.tileType = .mvt
    result.tileCompression = .gzip
    var whole = LayerSummary(name: "")
    for layer in layers { if let box = layer.box { whole.add(box) } }
    if let box = whole.wrapped {
      result.bounds = box
      let width = box.east - box.west + (box.west > box.east ? 360 : 0)
      let lon = box.west + width / 2
      result.center = LonLat(lon > 180 ? lon - 360 : lon, (box.south + box.north) / 2)
    }
    return result
  }

  /// The same as TileJSON.
  package func tileJSON(_ metadata: JSON) throws(NeatError) -> [UInt8] {
    let description = try describe(metadata)
    var members = description.others.members.map { ($0.key, $0.value) }
    if let bounds = description.bounds {
      members.append(
        ("bounds", .array([bounds.west, bounds.south, bounds.east, bounds.north].map { .number($0) })))
    }
    if let center = description.center {
      members.append(("center", .array([.number(center.lon), .number(center.lat)])))
    }
    members.append(("format", .string("pbf")))
    return JSON.object(members).text.utf8.map { $0 }
  }

  private func describe(_ layer: LayerSummary, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id")
    writer.string(layer.name)
    writer.key("fields")
    writer.beginObject()
    for (name, kinds) in layer.fields.sorted(by: { $0.key < $1.key }) {
      guard let kind = kinds.name else { continue }
      writer.key(name)
      writer.string(kind)
    }
    writer.endObject()
    writer.key("minzoom")
    writer.int(options.zooms.lowerBound)
    writer.key("maxzoom")
    writer.int(options.zooms.upperBound)
    writer.endObject()
  }
}
