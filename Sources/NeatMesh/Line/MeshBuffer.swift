/// An array that grows without checks or reference counts, and keeps its memory when emptied.
struct MeshBuffer<Element: BitwiseCopyable>: ~Copyable {
  private var pointer: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init() {
    capacity = 256
    pointer = .allocate(capacity: 256)
  }

  deinit { pointer.deallocate() }

  mutating func removeAll() { count = 0 }

  @inline(__always) subscript(_ index: Int) -> Element { pointer[index] }

  @inline(__always) mutating func append(_ element: Element) {
    if count == capacity { grow() }
    pointer[count] = element
    count &+= 1
  }

  private mutating func grow() {
    capacity *= 2
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    memory.update(from: pointer, count: count)
    pointer.deallocate()
    pointer = memory
  }

  /// The elements in a block of their own size.
  func copy() -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, count))
    memory.update(from: pointer, count: count)
    return memory
  }
}
