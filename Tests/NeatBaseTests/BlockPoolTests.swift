import Testing

@testable import NeatBase

/// One pool serves the process, and other suites use it meanwhile: what is kept is not theirs alone.
@Suite struct BlockPoolTests {
  @Test func sizesLeaveAnEighthUnusedAtMost() {
    for count in [16 << 10, (16 << 10) + 1, 65_535, 65_536, 65_537, 1_048_592, 5 << 20, 8 << 20] {
      let size = BlockPool.size(count)
      #expect(size >= count && size - count <= count / 8)
      #expect(BlockPool.size(size) == size)
    }
  }

  @Test(arguments: [0, 1, 16 << 10, 100_000, 1_048_592, 8 << 20, (8 << 20) + 1])
  func blocksHoldWhatIsWritten(count: Int) {
    for _ in 0..<3 {
      let blocks = (0..<4).map { _ in BlockPool.take(count) }
      #expect(Set(blocks).count == 4)
      for (index, block) in blocks.enumerated() {
        #expect(UInt(bitPattern: block) % 16 == 0)
        block.initializeMemory(as: UInt8.self, repeating: UInt8(index), count: count)
      }
      for (index, block) in blocks.enumerated() {
        let bytes = UnsafeRawBufferPointer(start: block, count: count)
        #expect(bytes.allSatisfy { $0 == UInt8(index) })
        BlockPool.give(block, count)
      }
    }
  }

  @Test func noMoreIsKeptThanMayBe() {
    let blocks = (0..<6).map { _ in BlockPool.take(7 << 20) }
    for block in blocks {
      BlockPool.give(block, 7 << 20)
      #expect(BlockPool.keptBytes <= BlockPool.maxBytes)
    }
  }

  @Test func whatNoProcessMayHaveIsRefusedWhileBlocksAreKept() {
    let size = 1 << 20
    BlockPool.give(BlockPool.take(size), size)
    #expect(!ProcessMemory.has(.max))
    #expect(ProcessMemory.has(size))
  }

  @Test func threadsTakeBlocksOfTheirOwn() async {
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { round in
            let count = 20_000 + 1000 * ((task + round) % 5)
            let block = PooledValues<UInt32>(count)
            let mark = UInt32(task * 1000 + round)
            block.base.initialize(repeating: mark, count: count)
            return UnsafeBufferPointer(start: block.base, count: count).allSatisfy { $0 == mark }
          }
        }
      }
      for await isWhole in group { #expect(isWhole) }
    }
  }
}
