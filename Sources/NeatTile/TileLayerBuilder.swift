import NeatBase

/// Builds a `TileLayer` feature by feature, for data that is not a decoded tile: GeoJSON cuts, clusters, a
/// caller's key/value pairs.
package struct TileLayerBuilder {
  package var name: String
  package var extent: UInt32
  private var types: [UInt8] = []
  private var partStarts: [UInt32] = [0]
  private var pointStarts: [UInt32] = [0]
  private var points: [SIMD2<Int32>] = []
  private var ids: [UInt64] = []
  private var hasID: [UInt8] = []
  private var keys: [String] = []
  private var keyNumbers: [String: UInt32] = [:]
  private var values: [TileValue] = []
  private var stringNumbers: [String: UInt32] = [:]
  private var tagStarts: [UInt32] = [0]
  private var tags: [SIMD2<UInt32>] = []
  private let arena = Arena()

  package init(name: String, extent: UInt32) {
    self.name = name
    self.extent = extent
  }

  package var featureCount: Int { types.count }

  package mutating func key(_ name: String) -> UInt32 {
    if let number = keyNumbers[name] { return number }
    let number = UInt32(keys.count)
    keys.append(name)
    keyNumbers[name] = number
    return number
  }

  /// Adds a value whose bytes (if any) live as long as the layer.
  package mutating func borrowedValue(_ value: TileValue) -> UInt32 {
    values.append(value)
    return UInt32(values.count - 1)
  }

  package mutating func string(_ text: String) -> UInt32 {
    if let number = stringNumbers[text] { return number }
    let number = borrowedValue(.string(copy(text)))
    stringNumbers[text] = number
    return number
  }

  package mutating func json(_ text: String) -> UInt32 { borrowedValue(.json(copy(text))) }

  private func copy(_ text: String) -> UnsafeBufferPointer<UInt8> {
    var text = text
    return text.withUTF8 { source in
      let target = arena.allocate(UInt8.self, source.count)
      if let base = source.baseAddress { target.update(from: base, count: source.count) }
      return UnsafeBufferPointer(start: target, count: source.count)
    }
  }

  /// Opens a feature; follow with `addTag` and `addPart`, then `endFeature`.
  package mutating func beginFeature(_ type: GeometryType, id: UInt64? = nil) {
    types.append(type.rawValue)
    ids.append(id ?? 0)
    hasID.append(id == nil ? 0 : 1)
  }

  package mutating func addTag(key: UInt32, value: UInt32) {
    assert(Int(key) < keys.count && Int(value) < values.count, "a tag that leads nowhere")
    tags.append(SIMD2(key, value))
  }

  package mutating func addPoint(_ point: SIMD2<Int32>) { points.append(point) }

  package mutating func endPart() { pointStarts.append(UInt32(points.count)) }

  package mutating func endFeature() {
    assert(types.count == partStarts.count, "a feature that was not begun")
    partStarts.append(UInt32(pointStarts.count - 1))
    tagStarts.append(UInt32(tags.count))
  }

  package func build() -> TileLayer {
    assert(types.count == partStarts.count - 1, "a feature was not ended")
    assert(Int(pointStarts[pointStarts.count - 1]) == points.count, "a part was not ended")
    func keep<T: BitwiseCopyable>(_ array: [T]) -> UnsafePointer<T> {
      let target = arena.allocate(T.self, array.count)
      array.withUnsafeBufferPointer {
        if let base = $0.baseAddress { target.update(from: base, count: array.count) }
      }
      return UnsafePointer(target)
    }
    var storage = TileLayer.Storage(
      types: keep(types), partStarts: keep(partStarts), pointStarts: keep(pointStarts), points: keep(points),
      values: keep(values),
      tagStarts: keep(tagStarts), tags: keep(tags))
    storage.name = name
    storage.extent = extent
    storage.featureCount = types.count
    storage.partCount = pointStarts.count - 1
    storage.pointCount = points.count
    storage.valueCount = values.count
    storage.keys = keys
    if hasID.contains(1) {
      storage.ids = keep(ids)
      storage.hasID = keep(hasID)
    }
    storage.owners = [arena]
    return TileLayer(storage)
  }
}
