import NeatBase

/// A Mapbox Vector Tile that is opened and not decoded: names and counts of layers are known, columns are
/// decoded and properties read when they are asked for. What is wrong with a layer comes to light when it is
/// read. Any thread, also at the same time.
package final class OpenTile: Sendable {
  /// All layers with a name, in the tile's order; those whose framing is broken too, if their name stands
  /// before the break.
  package let layers: [OpenLayer]
  private nonisolated(unsafe) let memory: AnyObject?
  private nonisolated(unsafe) let source: UnsafeBufferPointer<UInt8>

  /// Opens a tile, plain or packed by gzip or zlib; bytes that are not packed are copied.
  ///
  /// Throws `tile` where the bytes are no frames of layers, `limitExceeded` beyond the limit.
  package convenience init(
    copying source: UnsafeBufferPointer<UInt8>, byteLimit: Int = MVTOptions.defaultByteLimit
  ) throws(NeatError) {
    guard Packing(source) == .none else {
      try self.init(borrowing: source, byteLimit: byteLimit)
      return
    }
    guard source.count <= OpenTile.limit(byteLimit) else { throw Inflate.tooLarge(OpenTile.limit(byteLimit)) }
    let copy = try InflatedBytes(capacity: source.count)
    if let base = source.baseAddress { copy.start.update(from: base, count: source.count) }
    copy.advance(source.count)
    try self.init(UnsafeBufferPointer(start: copy.start, count: copy.count), memory: copy)
  }

  /// As above; bytes that are not packed must stay as they are for as long as the tile lives.
  package convenience init(
    borrowing source: UnsafeBufferPointer<UInt8>, byteLimit: Int = MVTOptions.defaultByteLimit
  ) throws(NeatError) {
    let limit = OpenTile.limit(byteLimit)
    let packing = Packing(source)
    if packing == .none {
      guard source.count <= limit else { throw Inflate.tooLarge(limit) }
      try self.init(source, memory: nil)
    } else {
      let unpacked = try Inflate.unpack(source, packing, limit: limit)
      try self.init(UnsafeBufferPointer(start: unpacked.start, count: unpacked.count), memory: unpacked)
    }
  }

  private static func limit(_ byteLimit: Int) -> Int { min(max(byteLimit, 0), MVTOptions.maxByteLimit) }

  private init(_ source: UnsafeBufferPointer<UInt8>, memory: AnyObject?) throws(NeatError) {
    (self.memory, self.source) = (memory, source)
    var layers: [OpenLayer] = []
    if let base = source.baseAddress {
      var reader = ProtobufReader(base, source.count)
      while !reader.isAtEnd {
        let at = reader.at - base
        guard let tag = reader.varint(), tag >= 8 else {
          throw NeatError(.tile, "not a vector tile: a field has no valid number", offset: at)
        }
        guard tag == 0x1a else {
          guard reader.skip(wire: tag & 7) else {
            throw NeatError(
              .tile, "not a vector tile: a field is cut short or of an unknown wire type", offset: at)
          }
          continue
        }
        guard let bytes = reader.bytes() else {
          throw NeatError(.tile, "the tile is cut short within a layer", offset: at)
        }
        let (index, fault) = MVTLayerIndex.scan(bytes)
        guard layers.count < VectorTile.maxLayers else { throw VectorTile.tooManyLayers }
        if index.name != nil { layers.append(OpenLayer(index, fault, source)) }
      }
    }
    self.layers = layers
  }

  /// All layers decoded; throws at the first one that cannot be.
  package func decoded() throws(NeatError) -> VectorTile {
    var decoded: [TileLayer] = []
    decoded.reserveCapacity(layers.count)
    for layer in layers { decoded.append(try layer.decoded()) }
    return VectorTile(layers: decoded)
  }

  /// What cannot be read of it, by layer. Reads all of it each time; throws as decoding does.
  package func faults() throws(NeatError) -> [TileFaults.OfLayer] {
    if source.isEmpty { return [] }
    try MVTDecoder.requireMemory(for: source)
    var faults = MVTFaults(limit: 1)
    var decoder = MVTDecoder(source, isStrict: false, layers: nil)
    return try withExtendedLifetime(memory) { () throws(NeatError) in
      try decoder.decode(&faults).faults?.found ?? []
    }
  }
}

/// A layer of an opened tile. The tile owns the bytes: it must live as long as the layer is used.
package final class OpenLayer: Sendable {
  package let name: String
  nonisolated(unsafe) private let index: MVTLayerIndex
  private let fault: NeatError?
  private nonisolated(unsafe) let tile: UnsafeBufferPointer<UInt8>
  private let state = Locked(State())

  /// What was asked for so far.
  private struct State {
    var layer: TileLayer?
    var keys: [String]?
    var values: OpenValues?
    var wasPropertyRead = false
  }

  fileprivate init(_ index: MVTLayerIndex, _ fault: MVTLayerIndex.Fault?, _ tile: UnsafeBufferPointer<UInt8>)
  {
    let name = String(decoding: index.name ?? UnsafeBufferPointer(start: nil, count: 0), as: UTF8.self)
    self.name = name
    self.index = index
    self.tile = tile
    self.fault = fault.map {
      NeatError(.tile, "layer \"\(name)\": \($0.message)", offset: $0.at - tile.baseAddress!)
    }
  }

  /// Throws what is wrong with the layer's framing, if anything is.
  package func check() throws(NeatError) {
    if let fault { throw fault }
  }

  package var version: UInt32 { index.version }
  package var extent: UInt32 { index.extent }
  /// Features as they stand in the tile. Decoding leaves out those that cannot be read.
  package var featureCount: Int { index.features.count }
  package var keyCount: Int { index.keys.count }
  package var valueCount: Int { index.values.count }

  /// The layer as columns; decoded once.
  package func decoded() throws(NeatError) -> TileLayer {
    try check()
    if let known = state.withLock({ $0.layer }) { return known }
    let made = try decodeMVTLayer(index.bytes, of: tile)
    return state.withLock { state in
      if let known = state.layer { return known }
      state.layer = made
      return made
    }
  }

  /// The names of properties, in their order.
  package func keys() throws(NeatError) -> [String] {
    try check()
    return state.withLock { state in
      if let known = state.keys { return known }
      var keys: [String] = []
      keys.reserveCapacity(index.keys.count)
      MVTFields.each(0x1a, index.keys, index.bytes) { _, field in
        keys.append(String(decoding: field, as: UTF8.self))
        return true
      }
      state.keys = keys
      return keys
    }
  }

  /// The values of properties, by their number; strings lie in the tile.
  package func values() throws(NeatError) -> UnsafeBufferPointer<TileValue> {
    try check()
    return state.withLock { state in
      if let known = state.values { return known.buffer }
      let made = OpenValues(index)
      state.values = made
      return made.buffer
    }
  }

  /// Writes the property of each feature, null for features without one or whose tags cannot be read. Reads
  /// nothing behind a feature's tags.
  ///
  /// `key` is UTF-8; there is room for `featureCount` values.
  package func property(_ key: UnsafeBufferPointer<UInt8>, into target: UnsafeMutablePointer<TileValue>)
    throws(NeatError)
  {
    try check()
    let number = keyNumber(key)
    guard number >= 0, let end = tile.baseAddress.map({ $0 + tile.count }) else {
      target.update(repeating: .null, count: index.features.count)
      return
    }
    let written: Int
    if index.values.count / 2 > index.features.count && index.bytes.count <= UInt32.max && beginsReading() {
      // Most values are those of other properties, or of no feature: only those that are met are read. Who
      // asks again gets all of them read, once.
      let places = OpenValuePlaces(index)
      let reader = MVTPropertyReader(key: number, valueCount: places.count, tileEnd: end)
      written = reader.read(index.features, index.bytes, into: target) { places.value($0) }
    } else {
      let values = try values()
      let table = values.baseAddress
      let reader = MVTPropertyReader(key: number, valueCount: values.count, tileEnd: end)
      written = reader.read(index.features, index.bytes, into: target) { table.unsafelyUnwrapped[$0] }
    }
    assert(written >= 0 && written <= index.features.count, "more properties than features")
    (target + written).update(repeating: .null, count: index.features.count - written)
  }

  /// Whether nobody asked for a property or the values before; from now on somebody has.
  private func beginsReading() -> Bool {
    state.withLock { state in
      defer { state.wasPropertyRead = true }
      return state.values == nil && !state.wasPropertyRead
    }
  }

  /// The number of the first key that is spelled so, or -1.
  private func keyNumber(_ key: UnsafeBufferPointer<UInt8>) -> Int {
    var found = -1
    MVTFields.each(0x1a, index.keys, index.bytes) { number, field in
      if field.count == key.count
        && (key.count == 0 || memcmp(field.baseAddress!, key.baseAddress!, key.count) == 0)
      {
        found = number
      }
      return found < 0
    }
    return found
  }
}

/// The values of a layer's properties.
private final class OpenValues: Sendable {
  nonisolated(unsafe) let buffer: UnsafeBufferPointer<TileValue>
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<TileValue>

  init(_ index: MVTLayerIndex) {
    let memory = UnsafeMutablePointer<TileValue>.allocate(capacity: max(index.values.count, 1))
    var count = 0
    MVTFields.each(0x22, index.values, index.bytes) { number, field in
      assert(number < index.values.count, "more values than were counted")
      memory[number] = readMVTValue(field, isStrict: false) ?? .null
      count = number &+ 1
      return true
    }
    self.memory = memory
    buffer = UnsafeBufferPointer(start: memory, count: count)
  }

  deinit { memory.deallocate() }
}

/// Where the values of a layer's properties are, from the layer's first byte on.
private struct OpenValuePlaces: ~Copyable {
  let count: Int
  private let places: UnsafeMutablePointer<UInt32>
  private let base: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// For a layer of less than 4 GiB.
  init(_ index: MVTLayerIndex) {
    let places = UnsafeMutablePointer<UInt32>.allocate(capacity: max(index.values.count, 1))
    let base = index.bytes.baseAddress.unsafelyUnwrapped
    var count = 0
    MVTFields.eachPlace(0x22, index.values, index.bytes) { number, place, _ in
      assert(number < index.values.count && place >= base, "more values than were counted")
      places[number] = UInt32(truncatingIfNeeded: place - base)
      count = number &+ 1
      return true
    }
    self.places = places
    self.base = base
    self.count = count
    end = base + index.bytes.count
  }

  deinit { places.deallocate() }

  /// The value with a number below `count`.
  @inline(__always) func value(_ number: Int) -> TileValue {
    assert(number >= 0 && number < count, "a value past the end of its layer")
    var at = base + Int(places[number])
    guard let length = MVTFields.length(&at, end) else { return .null }
    return readMVTValue(UnsafeBufferPointer(start: at, count: length), isStrict: false) ?? .null
  }
}
