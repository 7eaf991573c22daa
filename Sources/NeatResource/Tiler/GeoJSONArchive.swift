import NeatBase
import NeatJSON
import NeatLoop
import NeatStore
import NeatTile

/// Cuts GeoJSON documents into an archive of vector tiles. Several may go into one layer.
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
  package var options = TilerOptions()
  /// Filters of the style specification, by layer.
  package var filters: [String: JSON] = [:]
  /// Members of the archive's metadata: name, attribution, description and others.
  package var metadata = JSON.object([])
  /// Bytes of records that are held before they go to the disk.
  package var memory = VectorTiler.defaultMemory
  /// Threads that cut and pack.
  package var width = WorkerPool.processorCount

  /// Tiles at most, unless the target says otherwise: a document that covers the world has 4^zoom of them.
  package static let defaultTileLimit: UInt64 = 1 << 24

  package init(sources: [Source], target: ArchiveTarget) {
    self.sources = sources
    self.target = target
  }

  /// Blocks. Throws `notFound`, `geojson` with the place, `io`, `limitExceeded`, and `cancelled` when
  /// `progress` returns false.
  package func run(loader: ResourceLoader = .init(), progress: @escaping ArchiveProgressReport)
    throws(NeatError) -> ArchiveReport
  {
    guard !sources.isEmpty else { throw NeatError(.invalidArgument, "no GeoJSON is given") }
    _ = try target.resolvedFormat()
    var target = target
    let tileLimit = target.tileLimit ?? GeoJSONArchive.defaultTileLimit
    target.tileLimit = tileLimit
    var names: [String] = []
    for source in sources where !names.contains(source.name) { names.append(source.name) }
    for name in filters.keys.sorted() where !names.contains(name) {
      throw NeatError(.invalidArgument, "a filter of the layer \"\(name)\", which there is not")
    }
    let tiler = try VectorTiler(
      layers: names.map { .init(name: $0, filter: filters[$0]) }, options: options,
      folder: OutputPath.folder(target.path), memory: memory, width: width)
    tiler.tileLimit = tileLimit
    tiler.cancellation = TilerCancellation { progress(ArchiveProgress()) }
    let filterTexts = filters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }
    var job = contentHash(
      Array("tile 2 \(options.text) \(target.isPlain) \(sources.map(\.name)) \(filterTexts)".utf8))
    for (part, source) in sources.enumerated() {
      let layer = try tiler.layer(source.name)
      let hash = try tiler.addGeoJSON(source.url, layer: layer, part: part, loader: loader)
      job = contentHash((0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }, seed: job)
    }
    return try tiler.write(to: target, job: job, metadata: metadata, progress: progress)
  }
}
