// One pass: the framing of the tile and its layers is walked here, each feature goes straight into scratch
// columns (MVTColumns), and a layer that is complete is copied out at its exact size.
import NeatBase

struct MVTDecoder: ~Copyable {
  private let source: UnsafeBufferPointer<UInt8>
  private let isStrict: Bool
  /// Those that are decoded now; nil for all.
  private let layers: Set<String>?
  private let columns: MVTColumnsPool.Columns
  /// The name of the layer that was begun last, as far as it was read.
  private var lastName: String?
  /// Where in the tile the source begins.
  private let base: Int

  /// The source is not empty.
  init(_ source: UnsafeBufferPointer<UInt8>, isStrict: Bool, layers: Set<String>?, base: Int = 0) {
    (self.source, self.base) = (source, base)
    self.isStrict = isStrict
    self.layers = isStrict ? nil : layers
    columns = MVTColumnsPool.take(for: source.count)
    columns.pointee.begin(source, isStrict: isStrict)
  }

  deinit { MVTColumnsPool.give(columns) }

  /// Throws `outOfMemory` where there is not as much as decoding may take.
  /// - Returns: what is held of a budget while the tile is decoded.
  @discardableResult
  static func requireMemory(for source: UnsafeBufferPointer<UInt8>, _ memory: MemoryBudget? = nil)
    throws(NeatError) -> MemoryHold?
  {
    // A coordinate of one byte becomes one of four, and every feature has members of its own.
    let (bytes, words) = (8 * source.count, "a vector tile of \(source.count) bytes")
    if let memory { return try memory.take(bytes, for: words) }
    try ProcessMemory.require(bytes, for: words)
    return nil
  }

  private func offset(_ pointer: UnsafePointer<UInt8>) -> Int { base + (pointer - source.baseAddress!) }

  private func fail(_ message: String, _ at: UnsafePointer<UInt8>, layer: String? = nil) -> NeatError {
    NeatError(.tile, layer.map { "layer \"\(shortened($0))\": \(message)" } ?? message, offset: offset(at))
  }

  /// - Parameter faults: none yet.
  mutating func decode(_ faults: inout MVTFaults) throws(NeatError) -> VectorTile {
    var entries: [VectorTile.Entry] = []
    let found = TileFaults()
    var hasUnread = false
    var broken: NeatError?
    var reader = ProtobufReader(source.baseAddress!, source.count)
    while !reader.isAtEnd {
      let at = reader.at
      guard let tag = reader.varint(), tag >= 8 else {
        throw fail("not a vector tile: a field has no valid number", at)
      }
      guard tag == 0x1a else {
        guard reader.skip(wire: tag & 7) else {
          throw fail("not a vector tile: a field is cut short or of an unknown wire type", at)
        }
        if isStrict && tag >> 3 == 3 { throw fail("a layer has the wrong wire type", at) }
        continue
      }
      guard let bytes = reader.bytes() else { throw fail("the tile is cut short within a layer", at) }
      guard entries.count < VectorTile.maxLayers else { throw VectorTile.tooManyLayers }
      if let name = nameOfUnread(bytes) {
        entries.append(.unread(unreadLayer(name, bytes, found)))
        hasUnread = true
        continue
      }
      let (layer, fault) = try readLayer(bytes, &faults, found)
      broken = broken ?? fault
      guard let layer else { continue }
      if isStrict && entries.contains(where: { $0.name == layer.name }) {
        throw fail("two layers are called \"\(layer.name)\"", at)
      }
      entries.append(.read(layer))
    }
    if entries.isEmpty, let broken { throw broken }
    return VectorTile(entries: entries, faults: hasUnread || !found.isEmpty ? found : nil)
  }

  /// The name of a layer that is not asked for; nil for others, and for those whose framing is broken.
  private func nameOfUnread(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let layers, let name = MVTDecoder.name(ofLayer: bytes), !layers.contains(name) else { return nil }
    return name
  }

  /// A layer that is read later from a copy of its bytes, and then has its part in what is found wrong.
  private func unreadLayer(_ name: String, _ bytes: UnsafeBufferPointer<UInt8>, _ found: TileFaults)
    -> UnreadLayer
  {
    let copy = [UInt8](bytes)
    let start = bytes.baseAddress.map { offset($0) } ?? 0
    return UnreadLayer(name: name, byteCount: copy.count * MVTDecoder.columnBytes) { () throws(NeatError) in
      try copy.withUnsafeBufferPointer { (bytes) throws(NeatError) in
        try ProcessMemory.require(8 * bytes.count, for: "a layer of \(bytes.count) bytes")
        var faults = MVTFaults(limit: 1)
        var decoder = MVTDecoder(bytes, isStrict: false, layers: nil, base: start)
        return try decoder.readLayer(bytes, &faults, found).layer
      }
    }
  }

  /// Bytes of columns that a byte of a tile becomes, about.
  private static let columnBytes = 3

  /// The name that decoding would give a layer.
  private static func name(ofLayer bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let start = bytes.baseAddress else { return nil }
    var name: UnsafeBufferPointer<UInt8>?
    var reader = ProtobufReader(start, bytes.count)
    while !reader.isAtEnd {
      guard let tag = reader.varint(), tag >= 8 else { return nil }
      if tag == 0x0a {
        guard let field = reader.bytes() else { return nil }
        name = field
      } else if !reader.skip(wire: tag & 7) {
        return nil
      }
    }
    return name.map { String(decoding: $0, as: UTF8.self) }
  }

  /// One layer as far as it can be read, and why it is not there at all. What is left out is added to both. Throws
  /// `outOfMemory`, and what a strict read does not take.
  private mutating func readLayer(
    _ bytes: UnsafeBufferPointer<UInt8>, _ faults: inout MVTFaults, _ found: TileFaults
  ) throws(NeatError) -> (layer: TileLayer?, broken: NeatError?) {
    var own = MVTFaults(limit: max(1, faults.room))
    var layer: TileLayer?
    var broken: NeatError?
    do throws(NeatError) { layer = try decodeLayer(bytes, &own) } catch {
      if isStrict || error.code == .outOfMemory { throw error }
      own.add(error)
      broken = error
    }
    faults.add(own)
    found.add(own, layer: lastName, broken: broken)
    return (layer, broken)
  }

  /// One layer of the tile; nil where it has no name.
  mutating func decodeLayer(_ bytes: UnsafeBufferPointer<UInt8>) throws(NeatError) -> TileLayer? {
    var faults = MVTFaults()
    return try decodeLayer(bytes, &faults)
  }

  private struct Header {
    var name: String?
    var version: UInt32?
    var extent: UInt32 = 4096
  }

  private mutating func decodeLayer(_ bytes: UnsafeBufferPointer<UInt8>, _ faults: inout MVTFaults)
    throws(NeatError) -> TileLayer?
  {
    columns.pointee.reset()
    lastName = nil
    let start = bytes.baseAddress!
    let header = try scan(bytes, &faults)
    guard let name = header.name else {
      let fault = fail("a layer has no name", start)
      if isStrict { throw fault }
      faults.add(fault)
      return nil
    }
    if isStrict {
      guard let version = header.version else { throw fail("the layer has no version", start, layer: name) }
      guard version == 1 || version == 2 else {
        throw fail("version \(version) is not known", start, layer: name)
      }
    }
    let tagFault = columns.pointee.tagFault
    if tagFault != .none {
      if isStrict { throw fail(tagFault.message, start, layer: name) }
      faults.add(fail(tagFault.message, start, layer: name))
      columns.pointee.dropBadTags()
    }
    return try columns.pointee.build(name: name, version: header.version ?? 1, extent: header.extent)
  }

  private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, _ faults: inout MVTFaults) throws(NeatError)
    -> Header
  {
    var header = Header()
    var reader = ProtobufReader(bytes.baseAddress!, bytes.count)
    while !reader.isAtEnd {
      let at = reader.at
      guard let tag = reader.varint() else {
        throw fail("a layer ends within a field", at, layer: header.name)
      }
      switch tag {
      case 0x12:
        guard let field = reader.bytes() else {
          throw fail("a feature reaches past the end of its layer", at, layer: header.name)
        }
        let fault = columns.pointee.addFeature(field)
        if fault != .none {
          if isStrict { throw fail(fault.message, at, layer: header.name) }
          faults.add(fail(fault.message, at, layer: header.name))
        }
      case 0x1a:
        guard let field = reader.bytes() else {
          throw fail("a key reaches past the end of its layer", at, layer: header.name)
        }
        columns.pointee.keys.append(String(decoding: field, as: UTF8.self))
      case 0x22:
        guard let field = reader.bytes() else {
          throw fail("a value reaches past the end of its layer", at, layer: header.name)
        }
        guard let value = readMVTValue(field, isStrict: isStrict) else {
          throw fail("a value is not of one of the seven kinds", at, layer: header.name)
        }
        columns.pointee.values.append(value)
      case 0x0a:
        guard let field = reader.bytes() else { throw fail("a layer's name reaches past its end", at) }
        header.name = String(decoding: field, as: UTF8.self)
        lastName = header.name
      case 0x28:
        guard let extent = reader.varint() else {
          throw fail("a layer ends within its extent", at, layer: header.name)
        }
        if extent > 0 && extent <= UInt64(UInt32.max) {
          header.extent = UInt32(extent)
        } else if isStrict {
          throw fail("extent \(extent) is out of range", at, layer: header.name)
        }
      case 0x78:
        guard let version = reader.varint() else {
          throw fail("a layer ends within its version", at, layer: header.name)
        }
        header.version = UInt32(truncatingIfNeeded: version)
      default:
        guard tag >= 8, reader.skip(wire: tag & 7) else {
          throw fail("a field of a layer is not protobuf", at, layer: header.name)
        }
        if isStrict && (tag >> 3 <= 5 || tag >> 3 == 15) {
          throw fail("field \(tag >> 3) has the wrong wire type", at, layer: header.name)
        }
      }
    }
    return header
  }
}

/// A name as messages have it: theirs are kept for as long as their tile.
private func shortened(_ name: String) -> String {
  let start = name.unicodeScalars.prefix(64)
  return start.endIndex < name.endIndex ? String(start) + "…" : name
}
