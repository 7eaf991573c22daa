import CAllocationCount
import Neatline

/// One line of the result.
struct Figure {
  var workload: String
  var name: String
  var median: Double, min: Double, max: Double
  var unit: String
  var peakBytes: Int
  /// Blocks allocated by one operation; nil where they are not counted.
  var allocations: Double?

  var json: JSONValue {
    [
      "workload": .string(workload), "case": .string(name), "median": .number(median), "unit": .string(unit),
      "min": .number(min),
      "max": .number(max), "peak_bytes": .number(Double(peakBytes)),
      "allocations": allocations.map { .number($0) } ?? nil,
    ]
  }
}

/// What workloads measure with.
final class Bench {
  let data: String
  let isQuick: Bool
  let workload: String
  private(set) var figures: [Figure] = []

  init(workload: String, data: String, isQuick: Bool) {
    self.workload = workload
    self.data = data
    self.isQuick = isQuick
  }

  func add(
    _ name: String, _ values: [Double], _ unit: String, peakBytes: Int? = nil, allocations: Double? = nil
  ) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return }
    let middle = sorted.count / 2
    let median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    let figure = Figure(
      workload: workload, name: name, median: median, min: first, max: last, unit: unit,
      peakBytes: peakBytes ?? Platform.peakBytes,
      allocations: allocations)
    figures.append(figure)
    print(figure.json.text)
  }

  /// Warms up, then runs often enough to take a second or so; amounts a second. `operations`: how many a run
  /// makes, for the count of allocations.
  func throughput(
    _ name: String, amount: Double, _ unit: String, operations: Int = 1, _ body: () throws -> Void
  ) throws {
    let seconds = try times(body)
    add(
      name, seconds.map { amount / $0 }, unit,
      allocations: try allocations(body).map { $0 / Double(operations) })
  }

  /// Nanoseconds of one of the operations that a run makes.
  func nanoseconds(_ name: String, operations: Int, _ body: () throws -> Void) throws {
    let seconds = try times(body)
    add(
      name, seconds.map { $0 / Double(operations) * 1e9 }, "ns",
      allocations: try allocations(body).map { $0 / Double(operations) })
  }

  /// Milliseconds of each run.
  func latency(_ name: String, _ body: () throws -> Void) throws {
    let seconds = try times(body)
    add(name, seconds.map { $0 * 1000 }, "ms", allocations: try allocations(body))
  }

  /// Blocks that one more run allocates.
  func allocations(_ body: () throws -> Void) throws -> Double? {
    guard allocation_count_is_available() else { return nil }
    allocation_count_start()
    defer { _ = allocation_count_stop() }
    try body()
    return Double(allocation_count_stop())
  }

  /// Seconds of each run, for figures that are made of several.
  func seconds(_ body: () throws -> Void) throws -> [Double] { try times(body) }

  /// Seconds of processors of each run, which hold no waiting for other work on the machine.
  func processorTimes(_ body: () throws -> Void) throws -> [Double] {
    try times(by: { Platform.processorTime }, body)
  }

  /// Seconds of two bodies that run in turn, so that what one does more than the other is measured in the
  /// same moments.
  func pairs(_ whole: () throws -> Void, _ part: () throws -> Void) throws -> [(whole: Double, part: Double)]
  {
    func seconds(_ body: () throws -> Void) throws -> Double {
      let start = Platform.now
      try body()
      return Platform.now - start
    }
    let once = try seconds(whole) + seconds(part)
    return try (0..<(isQuick ? 3 : Swift.max(9, Swift.min(99, Int(3 / once))))).map { _ in
      (try seconds(whole), try seconds(part))
    }
  }

  private func times(
    by clock: () -> Double = { Platform.now }, _ body: () throws -> Void
  ) throws -> [Double] {
    let budget = isQuick ? 0.1 : 1.0
    let start = Platform.now
    try body()
    let once = max(Platform.now - start, 1e-9)
    if !isQuick && once < budget { try body() }
    // Runs of less than a millisecond are measured in batches.
    let batch = Swift.max(1, Int(0.001 / once))
    let count = Swift.max(isQuick ? 3 : 7, Swift.min(200, Int(budget / (once * Double(batch)))))
    return try (0..<count).map { _ in
      let start = clock()
      for _ in 0..<batch { try body() }
      return (clock() - start) / Double(batch)
    }
  }

  /// The heavy tiles of the data pack.
  func tiles() throws -> [(name: String, bytes: [UInt8])] {
    let names = Platform.list(data + "/mvt", suffix: ".mvt")
    if names.isEmpty { throw BenchError("\(data)/mvt holds no tiles") }
    return try names.map { ($0, try Platform.read("\(data)/mvt/\($0)")) }
  }
}

/// Numbers that look random and are the same everywhere.
struct Random {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next(_ range: ClosedRange<Double>) -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return range.lowerBound + Double(state >> 11) / 9007199254740992 * (range.upperBound - range.lowerBound)
  }
}
