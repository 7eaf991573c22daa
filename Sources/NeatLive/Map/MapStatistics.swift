import NeatBase
import NeatJSON
import NeatMap

/// How a map is doing.
struct MapStatistics {
  /// Frames that times are kept of.
  static let window = 120

  /// Turns of the map, frames that the host has taken.
  var turnCount = 0
  private(set) var frameCount = 0
  /// Milliseconds of the last frames, a ring.
  private var times: [Double] = []

  mutating func add(frame milliseconds: Double) {
    if times.count < MapStatistics.window {
      times.append(milliseconds)
    } else {
      times[frameCount % MapStatistics.window] = milliseconds
    }
    frameCount += 1
  }

  /// The last time of all, the median and the longest of those that are kept.
  var frameTimes: (last: Double, median: Double, longest: Double)? {
    guard !times.isEmpty else { return nil }
    let sorted = times.sorted()
    return (times[(frameCount - 1) % times.count], sorted[sorted.count / 2], sorted[sorted.count - 1])
  }
}

extension LiveMap {
  /// How the map is doing, as JSON: frames and turns so far, what is under way, and what memory goes to.
  package var statisticsJSON: JSON {
    func number(_ value: Int) -> JSON { .number(Double(value)) }
    var frames: [(String, JSON)] = [("count", number(statistics.frameCount))]
    if let times = statistics.frameTimes {
      frames += [
        ("lastMS", .number(times.last)), ("medianMS", .number(times.median)),
        ("longestMS", .number(times.longest)),
      ]
    }
    var members: [(String, JSON)] = [
      ("frames", .object(frames)), ("turns", number(statistics.turnCount)),
      ("requests", number(requests.count)), ("animators", number(animators.all.alive.count)),
    ]
    if let core {
      members += core.memoryStatistics.json
      members.append(("glyphBytes", number(core.glyphs.byteCount)))
    }
    members.append(("residentBytes", number(ProcessMemory.residentBytes)))
    return .object(members)
  }
}

extension MemoryStatistics {
  /// Members of an object.
  package var json: [(String, JSON)] {
    func part(_ part: Part) -> JSON {
      .object([("count", .number(Double(part.count))), ("bytes", .number(Double(part.bytes)))])
    }
    return [
      ("tiles", .object(tiles.sorted { $0.key < $1.key }.map { ($0.key, part($0.value)) })),
      ("layouts", part(layouts)), ("images", part(images)),
    ]
  }
}
