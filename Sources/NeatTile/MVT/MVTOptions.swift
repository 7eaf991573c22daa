import NeatBase

/// How a vector tile is read.
package struct MVTOptions: Sendable {
  /// Throws at the first thing that the specification (MVT 2.1) forbids. Otherwise what a map can use is
  /// kept: a feature that cannot be read is left out, a layer that cannot be read is left out, and the tile
  /// throws only if its outer framing is broken.
  package var isStrict = false
  /// The largest tile that is read, in unpacked bytes, at most `maxByteLimit`. Memory for the columns is at
  /// most 24 times as much.
  package var byteLimit = MVTOptions.defaultByteLimit

  /// The layers that are decoded with the tile; nil for all. Others are read when they are asked for, and
  /// what is wrong with them comes to light then, in the tile's `faults`. Strict reading decodes all.
  package var layers: Set<String>?
  /// What decoding takes its memory from while it decodes; nil: it is compared with what the process may have. The
  /// tile itself is the caller's to count.
  package var memory: MemoryBudget?

  package static let defaultByteLimit = 64 << 20
  /// Columns count in 32 bits, so tiles are never larger than this.
  package static let maxByteLimit = 1 << 30
  /// Faults that a lenient read reports at most.
  package static let maxFaults = 32

  package init(
    isStrict: Bool = false, byteLimit: Int = MVTOptions.defaultByteLimit, layers: Set<String>? = nil,
    memory: MemoryBudget? = nil
  ) {
    self.isStrict = isStrict
    self.byteLimit = byteLimit
    self.layers = layers
    self.memory = memory
  }
}

/// What a lenient read left out of a tile.
package struct MVTFaults: Sendable {
  /// The first `MVTOptions.maxFaults` faults, in the tile's order.
  package private(set) var errors: [NeatError] = []
  package private(set) var count = 0
  private let limit: Int

  package init() { limit = MVTOptions.maxFaults }

  /// - Parameter limit: of the faults whose words are kept.
  init(limit: Int) { self.limit = limit }

  /// Counts a fault; its words are only made where they are kept.
  mutating func add(_ error: @autoclosure () -> NeatError) {
    count += 1
    if errors.count < limit { errors.append(error()) }
  }

  /// How many words there is room for.
  var room: Int { limit - errors.count }

  mutating func add(_ more: MVTFaults) {
    count += more.count
    errors += more.errors.prefix(limit - errors.count)
  }
}

/// Reads a Mapbox Vector Tile, versions 1 and 2, plain or packed by gzip or zlib.
///
/// Throws `tile` with the byte offset (in the unpacked bytes) and the layer at fault, or `limitExceeded`.
package func decodeMVT(_ bytes: [UInt8], options: MVTOptions = .init()) throws(NeatError) -> VectorTile {
  var faults = MVTFaults()
  return try decodeMVT(bytes, options: options, faults: &faults)
}

/// As above, and tells what was left out.
package func decodeMVT(_ bytes: [UInt8], options: MVTOptions, faults: inout MVTFaults) throws(NeatError)
  -> VectorTile
{
  try bytes.withUnsafeBufferPointer { (source) throws(NeatError) in
    try decodeMVT(source, options: options, faults: &faults)
  }
}

/// As above, from borrowed memory: nothing of it is needed after the call.
package func decodeMVT(
  _ source: UnsafeBufferPointer<UInt8>, options: MVTOptions, faults: inout MVTFaults
) throws(NeatError) -> VectorTile {
  let limit = min(max(options.byteLimit, 0), MVTOptions.maxByteLimit)
  let packing = Packing(source)
  if packing != .none {
    let unpacked = try Inflate.unpack(source, packing, limit: limit, memory: options.memory)
    guard unpacked.count > 0 else { return VectorTile(layers: []) }
    return try withExtendedLifetime(unpacked) { () throws(NeatError) in
      try decodePlain(UnsafeBufferPointer(start: unpacked.start, count: unpacked.count), options, &faults)
    }
  }
  guard source.count <= limit else { throw Inflate.tooLarge(limit) }
  guard !source.isEmpty else { return VectorTile(layers: []) }
  return try decodePlain(source, options, &faults)
}

private func decodePlain(
  _ source: UnsafeBufferPointer<UInt8>, _ options: MVTOptions, _ faults: inout MVTFaults
) throws(NeatError) -> VectorTile {
  let hold = try MVTDecoder.requireMemory(for: source, options.memory)
  defer { withExtendedLifetime(hold) {} }
  var decoder = MVTDecoder(source, isStrict: options.isStrict, layers: options.layers)
  return try decoder.decode(&faults)
}

/// Reads one layer of a plain tile, leniently; `bytes` lie within the tile.
func decodeMVTLayer(_ bytes: UnsafeBufferPointer<UInt8>, of tile: UnsafeBufferPointer<UInt8>)
  throws(NeatError) -> TileLayer
{
  var decoder = MVTDecoder(tile, isStrict: false, layers: nil)
  guard let layer = try decoder.decodeLayer(bytes) else { throw NeatError(.tile, "a layer has no name") }
  return layer
}
