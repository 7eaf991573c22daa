import NeatBase
import Synchronization

// Columns of value indices, made when they are first asked for. Threads that make the same one at the same
// time keep the first to be ready.
extension TileLayer {
  private typealias Place = Atomic<UInt>

  /// For each feature the index of its value under a key, or -1. Shared by all threads; lives as long as the
  /// layer.
  package func column(_ key: Int) -> UnsafePointer<Int32> {
    assert(keys.indices.contains(key), "no such key")
    if let column = madeColumn(key) { return column }
    let column = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, featureCount))
    var tag = featureCount == 0 ? 0 : Int(tagStarts[0])
    for feature in 0..<featureCount {
      // A repeated key: the last one counts.
      var value: Int32 = -1
      let end = Int(tagStarts[feature + 1])
      while tag < end {
        if tags[tag].x == UInt32(truncatingIfNeeded: key) { value = Int32(truncatingIfNeeded: tags[tag].y) }
        tag += 1
      }
      assert(value < Int32(truncatingIfNeeded: valueCount), "a tag leads to no value")
      column[feature] = value
    }
    let (isFirst, other) = (allPlaces() + key).pointee.compareExchange(
      expected: 0, desired: UInt(bitPattern: column), ordering: .acquiringAndReleasing)
    if isFirst { return UnsafePointer(column) }
    column.deallocate()
    return UnsafePointer(bitPattern: other)!
  }

  /// The column, where it was made already.
  package func madeColumn(_ key: Int) -> UnsafePointer<Int32>? {
    assert(keys.indices.contains(key), "no such key")
    guard let places = UnsafeMutablePointer<Place>(bitPattern: columnTable.load(ordering: .acquiring)) else {
      return nil
    }
    return UnsafePointer(bitPattern: (places + key).pointee.load(ordering: .acquiring))
  }

  /// Bytes that the layer keeps in memory, about: with the columns that are made by now.
  package var byteCount: Int {
    let tagCount = featureCount == 0 ? 0 : Int(tagStarts[featureCount])
    // A feature has a type, an id, and the starts of its parts and tags; a value some letters.
    var bytes = 512 + pointCount * 8 + partCount * 4 + featureCount * 18 + tagCount * 8 + valueCount * 28
    if answerPoints != points { bytes += pointCount * 8 }
    for key in keys.indices where madeColumn(key) != nil { bytes += featureCount * 4 }
    return bytes
  }

  private func allPlaces() -> UnsafeMutablePointer<Place> {
    if let known = UnsafeMutablePointer<Place>(bitPattern: columnTable.load(ordering: .acquiring)) {
      return known
    }
    let new = UnsafeMutablePointer<Place>.allocate(capacity: max(1, keys.count))
    for key in keys.indices { (new + key).initialize(to: Place(0)) }
    let (isFirst, other) = columnTable.compareExchange(
      expected: 0, desired: UInt(bitPattern: new), ordering: .acquiringAndReleasing)
    if isFirst { return new }
    new.deinitialize(count: keys.count)
    new.deallocate()
    return UnsafeMutablePointer(bitPattern: other)!
  }

  /// For `deinit`: no other thread is there any more.
  func freeColumns() {
    guard let places = UnsafeMutablePointer<Place>(bitPattern: columnTable.load(ordering: .acquiring)) else {
      return
    }
    for key in keys.indices {
      UnsafeMutablePointer<Int32>(bitPattern: (places + key).pointee.load(ordering: .acquiring))?.deallocate()
    }
    places.deinitialize(count: keys.count)
    places.deallocate()
  }
}
