import NeatBase
import Synchronization

package enum GeometryType: UInt8, Sendable {
  case unknown = 0, point = 1, line = 2, polygon = 3
}

/// One layer of a tile as columns. Whatever the data came from (MVT, MLT, GeoJSON, key/value pairs of a
/// caller), the rest of the engine reads this.
///
/// Geometry is flat: feature `f` owns the parts `partStarts[f]..<partStarts[f + 1]`, part `p` the points
/// `pointStarts[p]..<pointStarts[p + 1]`. A part is a point (of a multi-point: one part with all its points),
/// a line, or a ring without its closing point. Outer rings have positive area in tile axes (y down), as MVT
/// 2 says. Properties are pairs of key and value index, feature by feature. Immutable and shared between
/// threads once built.
package final class TileLayer: Sendable {
  package let name: String
  package let version: UInt32
  /// Tile units along an edge.
  package let extent: UInt32
  package let featureCount: Int
  package let partCount: Int
  package let pointCount: Int

  /// `GeometryType` of each feature.
  package nonisolated(unsafe) let types: UnsafePointer<UInt8>
  package nonisolated(unsafe) let partStarts: UnsafePointer<UInt32>
  package nonisolated(unsafe) let pointStarts: UnsafePointer<UInt32>
  package nonisolated(unsafe) let points: UnsafePointer<SIMD2<Int32>>
  /// The points as questions about features are answered, and their own extent, where they differ from those
  /// that are laid out: in tiles that were cut out of others.
  private nonisolated(unsafe) let answers: (points: UnsafePointer<SIMD2<Int32>>, extent: UInt32)?

  /// Feature ids, meaningful where `hasID` is not 0; nil where no feature has one.
  package nonisolated(unsafe) let ids: UnsafePointer<UInt64>?
  package nonisolated(unsafe) let hasID: UnsafePointer<UInt8>?

  package let keys: [String]
  package nonisolated(unsafe) let values: UnsafePointer<TileValue>
  package let valueCount: Int
  /// Feature `f` owns the tags `tagStarts[f]..<tagStarts[f + 1]`, each a key index (x) and a value index (y).
  package nonisolated(unsafe) let tagStarts: UnsafePointer<UInt32>
  package nonisolated(unsafe) let tags: UnsafePointer<SIMD2<UInt32>>

  /// What owns the memory that the pointers lead to (arenas, the tile's bytes).
  private nonisolated(unsafe) let owners: [AnyObject]
  /// Address of the columns that were asked for, one place for each key; 0 until the first is made. See
  /// `TileLayer+Columns.swift`.
  let columnTable = Atomic<UInt>(0)

  package struct Storage {
    package var name = ""
    package var version: UInt32 = 2
    package var extent: UInt32 = 4096
    package var featureCount = 0, partCount = 0, pointCount = 0, valueCount = 0
    package var types: UnsafePointer<UInt8>
    package var partStarts: UnsafePointer<UInt32>
    package var pointStarts: UnsafePointer<UInt32>
    package var points: UnsafePointer<SIMD2<Int32>>
    package var ids: UnsafePointer<UInt64>?
    package var hasID: UnsafePointer<UInt8>?
    package var keys: [String] = []
    package var values: UnsafePointer<TileValue>
    package var tagStarts: UnsafePointer<UInt32>
    package var tags: UnsafePointer<SIMD2<UInt32>>
    package var owners: [AnyObject] = []
    package var answers: (points: UnsafePointer<SIMD2<Int32>>, extent: UInt32)?

    package init(
      types: UnsafePointer<UInt8>, partStarts: UnsafePointer<UInt32>, pointStarts: UnsafePointer<UInt32>,
      points: UnsafePointer<SIMD2<Int32>>,
      values: UnsafePointer<TileValue>, tagStarts: UnsafePointer<UInt32>, tags: UnsafePointer<SIMD2<UInt32>>
    ) {
      self.types = types
      self.partStarts = partStarts
      self.pointStarts = pointStarts
      self.points = points
      self.values = values
      self.tagStarts = tagStarts
      self.tags = tags
    }
  }

  package init(_ storage: Storage) {
    name = storage.name
    version = storage.version
    extent = storage.extent
    featureCount = storage.featureCount
    partCount = storage.partCount
    pointCount = storage.pointCount
    types = storage.types
    partStarts = storage.partStarts
    pointStarts = storage.pointStarts
    points = storage.points
    answers = storage.answers
    ids = storage.ids
    hasID = storage.hasID
    keys = storage.keys
    values = storage.values
    valueCount = storage.valueCount
    tagStarts = storage.tagStarts
    tags = storage.tags
    owners = storage.owners
    assert((ids == nil) == (hasID == nil), "ids without the flags that say which count")
    assert(isConsistent, "the columns of a layer do not fit each other")
  }

  /// Whether the columns fit each other.
  private var isConsistent: Bool {
    func rises(_ starts: UnsafePointer<UInt32>, _ count: Int, to end: Int) -> Bool {
      (0..<count).allSatisfy { starts[$0] <= starts[$0 + 1] } && Int(starts[count]) <= end
    }
    return rises(partStarts, featureCount, to: partCount) && rises(pointStarts, partCount, to: pointCount)
      && (0..<featureCount).allSatisfy { tagStarts[$0] <= tagStarts[$0 + 1] }
      && (featureCount == 0 ? 0..<0 : Int(tagStarts[0])..<Int(tagStarts[featureCount])).allSatisfy {
        Int(tags[$0].x) < keys.count && Int(tags[$0].y) < valueCount
      }
  }

  deinit { freeColumns() }

  /// The points as features are written out; as many as `points`.
  package var answerPoints: UnsafePointer<SIMD2<Int32>> { answers?.points ?? points }
  /// The extent that `answerPoints` are in.
  package var answerExtent: UInt32 { answers?.extent ?? extent }

  /// The number of a key, or nil; linear, once per program and layer.
  package func keyIndex(_ key: String) -> Int? { keys.firstIndex(of: key) }

  @inline(__always) package func geometryType(_ feature: Int) -> GeometryType {
    assert(feature >= 0 && feature < featureCount, "no such feature")
    return GeometryType(rawValue: types[feature]) ?? .unknown
  }

  @inline(__always) package func id(_ feature: Int) -> UInt64? {
    assert(feature >= 0 && feature < featureCount, "no such feature")
    guard let ids, let hasID, hasID[feature] != 0 else { return nil }
    return ids[feature]
  }

  /// The feature's parts.
  @inline(__always) package func parts(of feature: Int) -> Range<Int> {
    assert(feature >= 0 && feature < featureCount, "no such feature")
    return Range(uncheckedBounds: (Int(partStarts[feature]), Int(partStarts[feature + 1])))
  }

  /// Where the points of a part are among `points`.
  @inline(__always) package func pointRange(ofPart part: Int) -> Range<Int> {
    assert(part >= 0 && part < partCount, "no such part")
    return Range(uncheckedBounds: (Int(pointStarts[part]), Int(pointStarts[part + 1])))
  }

  /// Where the points of all parts of a feature are.
  @inline(__always) package func pointRange(of feature: Int) -> Range<Int> {
    let parts = parts(of: feature)
    return Range(
      uncheckedBounds: (Int(pointStarts[parts.lowerBound]), Int(pointStarts[parts.upperBound])))
  }

  /// Twice the area of a ring, by the number of its part; positive where it runs clockwise in tile axes (y
  /// down), as outer rings do.
  package func doubleArea(ofRing part: Int) -> Double {
    let range = pointRange(ofPart: part)
    guard !range.isEmpty else { return 0 }
    var sum = 0.0
    var previous = points[range.upperBound - 1]
    for index in range {
      let point = points[index]
      sum += Double(previous.x) * Double(point.y) - Double(point.x) * Double(previous.y)
      previous = point
    }
    return sum
  }

  /// The index of the feature's value under a key, or -1. A repeated key: the last one counts.
  @inline(__always) package func valueIndex(feature: Int, key: Int) -> Int {
    assert(feature >= 0 && feature < featureCount, "no such feature")
    var tag = Int(tagStarts[feature + 1])
    let first = Int(tagStarts[feature])
    while tag > first {
      tag -= 1
      if tags[tag].x == UInt32(truncatingIfNeeded: key) { return Int(tags[tag].y) }
    }
    return -1
  }

  @inline(__always) package func value(feature: Int, key: Int) -> TileValue? {
    let index = valueIndex(feature: feature, key: key)
    return index < 0 ? nil : values[index]
  }

  package func value(feature: Int, named key: String) -> TileValue? {
    guard let key = keyIndex(key) else { return nil }
    return value(feature: feature, key: key)
  }
}
