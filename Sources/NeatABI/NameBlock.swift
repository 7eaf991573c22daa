/// Names, each with a zero behind it, in one block.
final class NameBlock: Sendable {
  private let block: Buffer
  /// Where each begins; one more for the end.
  private let starts: [Int]

  init(_ names: [String]) {
    var bytes: [UInt8] = []
    var starts = [0]
    starts.reserveCapacity(names.count + 1)
    for name in names {
      bytes.append(contentsOf: name.utf8)
      bytes.append(0)
      starts.append(bytes.count)
    }
    block = Buffer(bytes)
    self.starts = starts
  }

  var count: Int { starts.count - 1 }

  func item(_ index: Int) -> (pointer: UnsafePointer<CChar>, size: Int) {
    (
      UnsafeRawPointer(block.bytes + starts[index]).assumingMemoryBound(to: CChar.self),
      starts[index + 1] - starts[index] - 1
    )
  }
}
