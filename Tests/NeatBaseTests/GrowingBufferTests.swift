import NeatBase
import Testing

@Suite struct GrowingBufferTests {
  @Test func growsToWhatIsAskedAndNoFurther() {
    var run = GrowingBuffer<UInt16>(capacity: 0)
    #expect(run.capacity == 0 && run.count == 0)
    run.append(7)
    #expect(run[0] == 7)
    run.grow(to: 1000)
    #expect(run.capacity == 1000 && run.count == 1 && run[0] == 7)
    run.grow(to: 10)
    #expect(run.capacity == 1000)
    run.reserve(999).update(repeating: 3, count: 999)
    run.advance(999)
    #expect(run.capacity == 1000 && run.count == 1000 && run[999] == 3)
    run.append(4)
    #expect(run.capacity > 1000 && run[0] == 7 && run[999] == 3 && run[1000] == 4)
  }

  @Test func givesItsMemoryAway() {
    var run = GrowingBuffer<UInt32>(capacity: 2)
    for value in 0..<100 as Range<UInt32> { run.append(value) }
    let memory = run.take(extra: 1)
    #expect((0..<100).allSatisfy { memory[$0] == UInt32($0) })
    memory.deallocate()
  }
}
