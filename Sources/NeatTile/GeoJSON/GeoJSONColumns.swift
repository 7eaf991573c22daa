import NeatBase

/// What the reader appends to; the columns of `GeoJSONData`, which explains them.
struct GeoJSONColumns: ~Copyable {
  var geometryStarts = GrowingBuffer<UInt32>()
  var geometryTypes = GrowingBuffer<UInt8>()
  var partStarts = GrowingBuffer<UInt32>()
  var partIsOuter = GrowingBuffer<UInt8>()
  var pointStarts = GrowingBuffer<UInt32>()
  var points: GrowingBuffer<SIMD2<Double>>
  var ids = GrowingBuffer<TileValue>()
  var hasProperties = GrowingBuffer<UInt8>()
  var tagStarts = GrowingBuffer<UInt32>()
  var tagKeys = GrowingBuffer<UInt32>()
  var tagValues = GrowingBuffer<TileValue>()
  var keys: [String] = []
  var zoomHints: [GeoJSONZoomHint] = []
  let pool = StringPool()

  /// `pointRoom`: points that room is taken for; what is not used costs addresses and no memory, while
  /// growing holds the old and the new.
  init(pointRoom: Int = 64) {
    points = GrowingBuffer(capacity: pointRoom)
    geometryStarts.append(0)
    partStarts.append(0)
    pointStarts.append(0)
    tagStarts.append(0)
  }
}

/// Numbers the property names. Features of one document tend to repeat their keys in one order,
/// so the key that followed the previous one last time is tried before the hash table.
struct GeoJSONKeyTable: ~Copyable {
  struct Entry: BitwiseCopyable {
    var bytes: UnsafePointer<UInt8>
    var length: Int
    var hash: UInt64
    var next: Int32
    /// Whether the name needs no escapes, so that it reads in the text as it is.
    var isPlain: Bool
    /// The latest string stored under this key: runs of equal values share their bytes.
    var lastString: TileValue
  }

  var entries = GrowingBuffer<Entry>()
  var slots = GrowingBuffer<Int32>()
  private var mask: Int
  private var previous = -1
  private var first: Int32 = -1

  init() {
    mask = 63
    for _ in 0...mask { slots.append(-1) }
  }

  var names: [String] {
    (0..<entries.count).map {
      String(
        decoding: UnsafeBufferPointer(start: entries[$0].bytes, count: entries[$0].length), as: UTF8.self)
    }
  }

  mutating func beginFeature() { previous = -1 }

  @inline(__always) func lastString(_ key: Int) -> TileValue {
    assert(key >= 0 && key < entries.count, "a key that was not numbered")
    return entries.base[key].lastString
  }

  @inline(__always) func setLastString(_ key: Int, _ value: TileValue) {
    assert(key >= 0 && key < entries.count, "a key that was not numbered")
    entries.base[key].lastString = value
  }

  /// The number of the key that followed the previous one last time, where the text at a quote goes on with
  /// it; and how many bytes it takes, quotes included.
  @inline(__always) mutating func expected(_ text: UnsafePointer<UInt8>, left: Int) -> (
    number: Int, length: Int
  )? {
    let guess = previous < 0 ? first : entries.base[previous].next
    guard guess >= 0 else { return nil }
    assert(Int(guess) < entries.count, "a key that was not numbered")
    let entry = entries.base + Int(guess)
    let length = entry.pointee.length
    guard left > length + 2, text[length + 1] == 0x22, entry.pointee.isPlain,
      memcmp(text + 1, entry.pointee.bytes, length) == 0
    else {
      return nil
    }
    previous = Int(guess)
    return (previous, length + 2)
  }

  @inline(__always) mutating func number(_ bytes: UnsafeBufferPointer<UInt8>, pool: StringPool) -> Int {
    let guess = previous < 0 ? first : entries.base[previous].next
    if guess >= 0 {
      let entry = entries.base + Int(guess)
      if entry.pointee.length == bytes.count,
        memcmp(entry.pointee.bytes, bytes.baseAddress!, bytes.count) == 0
      {
        previous = Int(guess)
        return previous
      }
    }
    let found = lookUp(bytes, pool: pool)
    if previous < 0 { first = Int32(found) } else { entries.base[previous].next = Int32(found) }
    previous = found
    return found
  }

  @inline(never) private mutating func lookUp(_ bytes: UnsafeBufferPointer<UInt8>, pool: StringPool) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= hash >> 29
    assert(entries.count < slots.count, "a full table has no end to a search")
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] >= 0 {
      let entry = entries[Int(slots[slot])]
      if entry.hash == hash, entry.length == bytes.count,
        memcmp(entry.bytes, bytes.baseAddress!, bytes.count) == 0
      {
        return Int(slots[slot])
      }
      slot = (slot + 1) & mask
    }
    let number = entries.count
    let copy = pool.copy(bytes)
    let isPlain = copy.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }
    entries.append(
      Entry(
        bytes: copy.baseAddress!, length: copy.count, hash: hash, next: -1, isPlain: isPlain,
        lastString: .null))
    slots[slot] = Int32(number)
    if number * 2 > mask { rehash() }
    return number
  }

  private mutating func rehash() {
    mask = mask * 2 + 1
    assert((mask + 1) & mask == 0 && entries.count <= mask, "a table of a power of two, not full")
    slots.truncate(0)
    for _ in 0...mask { slots.append(-1) }
    for number in 0..<entries.count {
      var slot = Int(truncatingIfNeeded: entries[number].hash) & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(number)
    }
  }
}
