/// Memory that grows and is reused. Contents do not survive growth.
package struct ScratchBuffer<Element: BitwiseCopyable>: ~Copyable {
  package private(set) var pointer: UnsafeMutablePointer<Element>
  package private(set) var capacity: Int

  package init() {
    capacity = 0
    pointer = .allocate(capacity: 1)
  }

  deinit { pointer.deallocate() }

  /// Room for `count` elements, uninitialised.
  @inline(__always) package mutating func reserve(_ count: Int) -> UnsafeMutablePointer<Element> {
    if count > capacity { grow(count) }
    return pointer
  }

  private mutating func grow(_ count: Int) {
    pointer.deallocate()
    capacity = max(count, capacity * 2, 256)
    pointer = .allocate(capacity: capacity)
  }
}

/// An edge of a fill that crosses the centre of at least one row of the band.
package struct ScanEdge: BitwiseCopyable {
  /// x at the centre of `row`, and its change from a row to the next, in pixels with 32 bits of fraction.
  var x: Int64
  var step: Int64
  /// First row of the band, counted from its top, and one past the last.
  var row: Int32
  var end: Int32
  /// 1 where the edge goes down, 0 where it goes up.
  var winding: Int32
}

/// What drawing functions reuse from call to call. One a worker; not for concurrent use (which is why nothing
/// is checked here).
package final class RasterScratch: @unchecked Sendable {
  @exclusivity(unchecked) var edges = ScratchBuffer<ScanEdge>()
  @exclusivity(unchecked) var rowStarts = ScratchBuffer<Int32>()
  @exclusivity(unchecked) var crossings = ScratchBuffer<Int32>()
  @exclusivity(unchecked) var points = ScratchBuffer<SIMD2<Int32>>()
  @exclusivity(unchecked) package var coverage = ScratchBuffer<UInt8>()
  @exclusivity(unchecked) package var row = ScratchBuffer<UInt32>()

  package init() {}
}
