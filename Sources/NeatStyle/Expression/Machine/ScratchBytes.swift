/// Bytes that live until the next evaluation: blocks that never move.
struct ScratchBytes {
  private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
  private var block = 0
  private var used = 0

  mutating func allocate(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    while block < blocks.count && blocks[block].count - used < count {
      block += 1
      used = 0
    }
    if block == blocks.count { blocks.append(.allocate(capacity: max(4096, count))) }
    assert(count >= 0 && used + count <= blocks[block].count, "blocks never move, and have room")
    let result = UnsafeMutableBufferPointer(rebasing: blocks[block][used..<used + count])
    used += count
    return result
  }

  mutating func reset() {
    block = 0
    used = 0
    // One block is kept; what a single large evaluation took is given back.
    while blocks.count > 1 { blocks.removeLast().deallocate() }
  }

  func free() { for block in blocks { block.deallocate() } }
}
