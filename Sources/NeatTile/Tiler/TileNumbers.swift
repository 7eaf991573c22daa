import NeatBase

/// The numbers that a job's keys have in the layer at hand.
struct KeyNumbers: ~Copyable {
  /// The layer's stamp above, the number below: nothing is cleared between layers.
  private var marks: GrowingBuffer<UInt64>
  private var stamp: UInt64 = 0
  private(set) var used: [UInt32] = []

  init(count: Int) {
    marks = GrowingBuffer(capacity: count)
    for _ in 0..<count { marks.append(0) }
  }

  mutating func begin() {
    stamp += 1
    used.removeAll(keepingCapacity: true)
  }

  mutating func number(_ key: UInt64) -> UInt32? {
    guard key < UInt64(marks.count) else { return nil }
    let mark = marks[Int(key)]
    if mark >> 32 == stamp { return UInt32(truncatingIfNeeded: mark) }
    marks[Int(key)] = stamp << 32 | UInt64(used.count)
    used.append(UInt32(truncatingIfNeeded: key))
    return UInt32(used.count - 1)
  }
}

/// The numbers of the values of the layer at hand, by their bytes, which are not copied.
struct ValueNumbers: ~Copyable {
  struct Value: BitwiseCopyable {
    var start: UnsafePointer<UInt8>?
    var length: Int
    var hash: UInt64
  }

  private var list = GrowingBuffer<Value>(capacity: 256)
  private var slots = GrowingBuffer<Int32>(capacity: 512)

  init() { resize(512) }

  var count: Int { list.count }

  mutating func begin() {
    list.removeAll()
    for slot in 0..<slots.count { slots[slot] = -1 }
  }

  func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: list[index].start, count: list[index].length)
  }

  mutating func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= hash >> 29
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] >= 0 {
      let value = list[Int(slots[slot])]
      if value.hash == hash, value.length == bytes.count,
        bytes.isEmpty || memcmp(value.start!, bytes.baseAddress!, bytes.count) == 0
      {
        return Int(slots[slot])
      }
      slot = (slot + 1) & mask
    }
    let number = list.count
    list.append(Value(start: bytes.baseAddress, length: bytes.count, hash: hash))
    slots[slot] = Int32(number)
    if number * 2 > mask { grow() }
    return number
  }

  private mutating func grow() {
    resize(slots.count * 2)
    let mask = slots.count - 1
    for number in 0..<list.count {
      var slot = Int(truncatingIfNeeded: list[number].hash) & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(number)
    }
  }

  private mutating func resize(_ count: Int) {
    slots.removeAll()
    for _ in 0..<count { slots.append(-1) }
  }
}
