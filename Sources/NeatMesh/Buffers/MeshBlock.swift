import NeatBase

/// What the elements of a block are. The numbers are those of `neat_frame_layout`, where every field is
/// described.
package enum MeshLayout: UInt32, Sendable {
  case index16 = 1
  case index32 = 2
  case fill = 3
  case fillPaint = 4
  case line = 5
  case linePaint = 6
  case circle = 7
  case circlePaint = 8
  case extrusion = 9
  case extrusionPaint = 10
  case picture = 11
  case symbol = 12
  case custom = 13

  /// Bytes from one element to the next.
  package var stride: Int {
    switch self {
    case .index16: 2
    case .index32: 4
    case .fill, .fillPaint: 8
    case .line: MemoryLayout<LineVertex>.stride
    case .linePaint: 32
    case .circle: 12
    case .circlePaint: 28
    case .extrusion: MemoryLayout<ExtrusionVertex>.stride
    case .extrusionPaint: 12
    case .picture, .custom: 16
    case .symbol: 32
    }
  }
}

/// Memory of vertices or indices, as a GPU takes it. Immutable, with a number of its own, so that a host
/// uploads it once.
package final class MeshBlock: Sendable {
  package let id = ContentID.next()
  package let layout: MeshLayout
  package nonisolated(unsafe) let bytes: UnsafeRawPointer
  package let count: Int
  /// Whose memory it is; nil: the block's own.
  private nonisolated(unsafe) let owner: AnyObject?

  package var byteCount: Int { count * layout.stride }

  /// Memory that belongs to an object, which the block keeps.
  package init(_ layout: MeshLayout, of owner: AnyObject, _ bytes: UnsafeRawPointer, count: Int) {
    assert(count >= 0, "fewer than no elements")
    self.layout = layout
    self.bytes = bytes
    self.count = count
    self.owner = owner
  }

  /// Memory of its own; `fill` writes all of it.
  package init(_ layout: MeshLayout, count: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
    assert(count >= 0, "fewer than no elements")
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, count * layout.stride), alignment: 16)
    fill(memory)
    self.layout = layout
    bytes = UnsafeRawPointer(memory)
    self.count = count
    owner = nil
  }

  /// A copy of an array whose elements are laid out so.
  package convenience init<T: BitwiseCopyable>(_ layout: MeshLayout, _ values: [T]) {
    precondition(MemoryLayout<T>.stride == layout.stride)
    self.init(layout, count: values.count) { memory in
      values.withUnsafeBytes {
        if let base = $0.baseAddress { memory.copyMemory(from: base, byteCount: $0.count) }
      }
    }
  }

  deinit { if owner == nil { bytes.deallocate() } }
}
