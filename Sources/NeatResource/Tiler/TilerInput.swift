import NeatBase
import NeatStore
import NeatTile

extension VectorTiler {
  /// Bytes of text in a batch: enough to keep a thread busy for a while, little enough to be divided.
  private static let batchText = 2 << 20
  /// Bytes of text of one feature at most.
  static let maxFeatureText = 256 << 20
  private static let blockBytes = 1 << 20

  /// Reads a GeoJSON document, or several one a line, as features of a layer, without holding it: a file by
  /// blocks, plain or packed by gzip or zlib. What is on a server is loaded whole. Returns a hash of its bytes.
  /// Throws `notFound`, `io`, `geojson` with the place in the text, and what `add` throws; all name the source.
  package func addGeoJSON(_ url: String, layer: Int, part: Int = 0, loader: ResourceLoader)
    throws(NeatError) -> UInt64
  {
    do throws(NeatError) {
      var feed = TextFeed(layer: layer, part: part, source: url)
      var hash: UInt64 = 0
      if let path = loader.localPath(url) {
        let file = try FileReader(path: path)
        for offset in stride(from: 0, to: max(file.byteCount, 1), by: VectorTiler.blockBytes) {
          let block = try file.read(offset: offset, count: VectorTiler.blockBytes)
          hash = contentHash(block, seed: hash)
          try feed.append(block, self)
        }
      } else {
        let bytes = try load(url, loader)
        hash = contentHash(bytes, seed: hash)
        try feed.append(bytes, self)
      }
      try feed.finish(self)
      return hash
    } catch {
      throw error.naming(url)
    }
  }

  private func load(_ url: String, _ loader: ResourceLoader) throws(NeatError) -> [UInt8] {
    switch loader.load(ResourceRequest(kind: .geojson, url: url)) {
    case .data(let bytes): return bytes
    case .missing, .empty: throw NeatError(.notFound, "no such file", resource: url)
    case .failed(let error): throw error
    }
  }

  /// Text on its way to features.
  package struct TextFeed: ~Copyable {
    private let layer: Int
    private let part: Int
    private let source: String?
    private let unpacking = InflateStream()
    private var reader: GeoJSONPushReader
    private var waiting = 0

    /// `source`: for messages.
    package init(layer: Int, part: Int, source: String? = nil) {
      self.layer = layer
      self.part = part
      self.source = source
      var limits = GeoJSONLimits()
      // The text is never in memory as a whole.
      limits.maxBytes = .max / 2
      limits.maxFeatureBytes = VectorTiler.maxFeatureText
      reader = GeoJSONPushReader(limits: limits)
    }

    /// Takes the next bytes, cut anywhere.
    package mutating func append(_ bytes: [UInt8], _ tiler: VectorTiler) throws(NeatError) {
      try bytes.withUnsafeBufferPointer { (bytes) throws(NeatError) in
        try unpacking.append(bytes) { (text) throws(NeatError) in try read(text, tiler) }
      }
    }

    /// After the last bytes.
    package consuming func finish(_ tiler: VectorTiler) throws(NeatError) {
      try unpacking.finish { (text) throws(NeatError) in try read(text, tiler) }
      let rest = try reader.finish()
      try tiler.add(rest, layer: layer, part: part, source: source)
    }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>, _ tiler: VectorTiler) throws(NeatError) {
      var rest = text
      while !rest.isEmpty {
        let piece = UnsafeBufferPointer(rebasing: rest.prefix(VectorTiler.blockBytes))
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(piece.count))
        try reader.append(piece)
        waiting += piece.count
        guard waiting >= VectorTiler.batchText, reader.featureCount > 0 else { continue }
        waiting = 0
        try tiler.add(reader.takeBatch(), layer: layer, part: part, source: source)
      }
    }
  }
}
