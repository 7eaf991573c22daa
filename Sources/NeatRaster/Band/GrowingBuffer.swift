/// An array for hot loops: no checks, no reference counts, memory kept when emptied. The owner frees it.
struct GrowingBuffer<Element: BitwiseCopyable> {
  private(set) var pointer: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init() {
    capacity = 64
    pointer = .allocate(capacity: 64)
  }

  func deallocate() { pointer.deallocate() }

  mutating func removeAll() { count = 0 }
  mutating func removeLast(_ amount: Int) { count -= amount }

  @inline(__always) subscript(_ index: Int) -> Element { pointer[index] }

  /// Room for `amount` more elements, uninitialised; valid until the next call.
  @inline(__always) mutating func append(_ amount: Int) -> UnsafeMutablePointer<Element> {
    if count &+ amount > capacity { grow(amount) }
    let place = pointer + count
    count &+= amount
    return place
  }

  private mutating func grow(_ amount: Int) {
    capacity = max(capacity * 2, count + amount)
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    memory.update(from: pointer, count: count)
    pointer.deallocate()
    pointer = memory
  }
}
