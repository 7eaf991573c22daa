import NeatBase

/// A line, a ring (with its closing point), or the points of a multi-point.
struct CutPart: BitwiseCopyable {
  /// Places in the unit square.
  var points: UnsafePointer<SIMD2<Double>>
  /// The lowest zoom that shows each point; without meaning for points that are no line's.
  var levels: UnsafePointer<UInt8>
  var count: Int32
  /// The first ring of its polygon.
  var isOuter: Bool
  /// Length of the whole line, or area of the whole ring, before any cut.
  var size: Double
  /// Where along the whole line this piece begins and ends.
  var start, end: Double
}

/// A feature, or a piece of one: its parts stay where they are when a tile takes it whole.
struct CutFeature: BitwiseCopyable {
  var minX = Double.infinity, minY = Double.infinity
  var maxX = -Double.infinity, maxY = -Double.infinity
  var parts: UnsafePointer<CutPart>
  var partCount: Int32
  /// Number of the feature in the document.
  var source: UInt32
  var type: GeoJSONGeometryType
  /// Worlds to the east that the feature lies of where its points say: copies beside the world share their
  /// points with the original.
  private(set) var shift: Int8 = 0

  init(type: GeoJSONGeometryType, source: UInt32, parts: UnsafePointer<CutPart>, partCount: Int) {
    self.type = type
    self.source = source
    self.parts = parts
    assert(partCount >= 0, "fewer than no parts")
    self.partCount = Int32(partCount)
    let onlyOuter = type == .polygon || type == .multiPolygon
    for part in 0..<partCount where !onlyOuter || parts[part].isOuter {
      let points = parts[part].points
      for index in 0..<Int(parts[part].count) {
        minX = min(minX, points[index].x)
        minY = min(minY, points[index].y)
        maxX = max(maxX, points[index].x)
        maxY = max(maxY, points[index].y)
      }
    }
  }

  /// The same feature, some worlds to the east.
  func shifted(_ worlds: Int8) -> CutFeature {
    var copy = self
    copy.shift = worlds
    copy.minX += Double(worlds)
    copy.maxX += Double(worlds)
    return copy
  }

  /// The feature with points of its own, which lie where it does.
  func moved(_ store: CutStore) -> CutFeature {
    let count = Int(partCount)
    let parts = store.reserve(CutPart.self, count)
    store.keep(CutPart.self, count)
    for part in 0..<count {
      parts[part] = self.parts[part]
      let length = Int(parts[part].count)
      let points = store.reserve(SIMD2<Double>.self, length)
      store.keep(SIMD2<Double>.self, length)
      for index in 0..<length {
        points[index] = SIMD2(parts[part].points[index].x + Double(shift), parts[part].points[index].y)
      }
      parts[part].points = UnsafePointer(points)
    }
    return CutFeature(type: type, source: source, parts: parts, partCount: count)
  }

  var pointCount: Int {
    var sum = 0
    for part in 0..<Int(partCount) { sum += Int(parts[part].count) }
    return sum
  }
}

/// Memory for the geometry that one cut makes: space is reserved for the most that may come, and what was
/// used is kept.
final class CutStore: @unchecked Sendable {  // shared when it has stopped growing
  @exclusivity(unchecked) private var places = ByteArena(alignment: 16, firstBlock: 2048)
  /// Bytes of their own, so that a line's points and their levels can both be reserved before it is known how
  /// many come.
  @exclusivity(unchecked) private var levels = ByteArena(alignment: 1, firstBlock: 2048)

  init() {}

  var byteCount: Int { places.byteCount + levels.byteCount }

  func reserve<T: BitwiseCopyable>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    assert(MemoryLayout<T>.alignment <= 16, "memory is aligned to 16 bytes")
    return places.reserve(count * MemoryLayout<T>.stride).assumingMemoryBound(to: T.self)
  }

  /// Keeps the first `count` values of what `reserve` returned last.
  func keep<T: BitwiseCopyable>(_ type: T.Type, _ count: Int) { places.keep(count * MemoryLayout<T>.stride) }

  func reserveLevels(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    levels.reserve(count).assumingMemoryBound(to: UInt8.self)
  }

  func keepLevels(_ count: Int) { levels.keep(count) }
}

/// The features of one tile before simplification, or of the world. Immutable once built.
final class CutList: Sendable {
  nonisolated(unsafe) let features: UnsafePointer<CutFeature>
  let count: Int
  let minX, minY, maxX, maxY: Double
  /// Whatever owns the geometry that the features point to.
  private nonisolated(unsafe) let owners: [AnyObject]
  let stores: [CutStore]

  init(_ column: consuming GrowingBuffer<CutFeature>, stores: [CutStore]) {
    let owner = ColumnOwner()
    count = column.count
    features = owner.own(column)
    owners = [owner]
    self.stores = stores
    var minX = 2.0, minY = 1.0, maxX = -1.0, maxY = 0.0
    for index in 0..<count {
      minX = min(minX, features[index].minX)
      minY = min(minY, features[index].minY)
      maxX = max(maxX, features[index].maxX)
      maxY = max(maxY, features[index].maxY)
    }
    (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
  }

  var pointCount: Int {
    var sum = 0
    for index in 0..<count { sum += features[index].pointCount }
    return sum
  }
}
