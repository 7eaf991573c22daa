import NeatBase

/// Locations and headings of a recording with their times, to be replayed.
package struct LocationRecording: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    /// GPX 1.0 and 1.1.
    case gpx
    /// Sentences of NMEA 0183.
    case nmea
  }

  package struct Entry: Sendable {
    /// Milliseconds after the first entry; never before the one in front of it.
    package var atMS: Double
    package var location: Location
    package var heading: Heading?
  }

  /// A line that was left out, and why.
  package struct Problem: Sendable, Equatable {
    package var line: Int
    package var message: String
  }

  package let format: Format
  let limit: Int
  package private(set) var entries: [Entry] = []
  /// The first of what was left out, and how much was.
  package private(set) var problems: [Problem] = []
  package private(set) var problemCount = 0

  package var durationMS: Double { entries.last?.atMS ?? 0 }

  /// Bytes of a recording, its entries, problems that are kept.
  package static let byteLimit = 64 << 20
  package static let entryLimit = 500_000
  package static let problemLimit = 100

  /// Reads a recording; `format` nil: what it begins with tells. Throws `invalidArgument`, naming the line, for what
  /// is no such recording and for one without a location, `limitExceeded` past 64 MiB and 500,000 locations.
  /// - Parameter limit: locations at most, for tests.
  package init(_ bytes: [UInt8], format: Format? = nil, limit: Int = entryLimit) throws(NeatError) {
    guard bytes.count <= LocationRecording.byteLimit else {
      throw NeatError(.limitExceeded, "a recording of \(bytes.count) bytes: 64 MiB are the most")
    }
    let found: Format
    if let format { found = format } else { found = try LocationRecording.format(of: bytes) }
    self.format = found
    self.limit = limit
    switch found {
    case .gpx: try GPXReader.read(bytes, into: &self)
    case .nmea: try NMEAReader.read(bytes, into: &self)
    }
    guard !entries.isEmpty else {
      let why = problems.first.map { ": line \($0.line): \($0.message)" } ?? ""
      throw NeatError(.invalidArgument, "\(found == .gpx ? "GPX" : "NMEA") without a location\(why)")
    }
    derive()
  }

  private static func format(of bytes: [UInt8]) throws(NeatError) -> Format {
    let skipped: Set<UInt8> = [0xEF, 0xBB, 0xBF, 9, 10, 13, 32]
    guard let first = bytes.first(where: { !skipped.contains($0) }) else {
      throw NeatError(.invalidArgument, "a recording without any text")
    }
    switch first {
    case UInt8(ascii: "<"): return .gpx
    case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "\\"): return .nmea
    default:
      throw NeatError(
        .invalidArgument, "a recording that is neither GPX nor NMEA: it begins with byte \(first)")
    }
  }

  mutating func add(_ location: Location, _ heading: Heading?, line: Int) throws(NeatError) {
    guard entries.count < limit else {
      throw NeatError(.limitExceeded, "line \(line): more than \(limit) locations in a recording")
    }
    let before = entries.last
    var at = before.map { $0.atMS + LocationRecording.stepMS } ?? 0
    if let time = location.timeUS {
      if let last = lastTimeUS {
        // A time that goes back is one that stands still, and goes on from there.
        at = (before?.atMS ?? 0) + max(0, Double(time &- last) / 1000)
      }
      lastTimeUS = time
    }
    entries.append(Entry(atMS: min(at, LocationRecording.longestMS), location: location, heading: heading))
  }

  /// Times of what is there are other ones.
  mutating func move(byUS micros: Int64) {
    lastTimeUS = lastTimeUS.map { $0 + micros }
    for index in entries.indices {
      var entry = entries[index]
      entry.location.timeUS = entry.location.timeUS.map { $0 + micros }
      entry.heading?.timeUS = entry.location.timeUS
      entries[index] = entry
    }
  }

  mutating func leaveOut(_ message: String, line: Int) {
    problemCount += 1
    if problems.count < LocationRecording.problemLimit {
      problems.append(Problem(line: line, message: message))
    }
  }

  /// The time of the last entry that had one.
  private var lastTimeUS: Int64?

  /// Between locations without times.
  private static let stepMS = 1000.0
  /// A hundred years.
  private static let longestMS = 3.2e12

  /// Course and speed of where it goes to, where the recording has none: from location to location.
  private mutating func derive() {
    for index in entries.indices.dropFirst() {
      let before = entries[index - 1]
      let entry = entries[index]
      let step = LocationRecording.step(before.location.place, entry.location.place)
      let metres = (step * step).sum().squareRoot()
      if entry.location.speed == nil, entry.atMS > before.atMS {
        let speed = metres / (entry.atMS - before.atMS) * 1000
        if Location.speedRange.contains(speed) { entries[index].location.speed = speed }
      }
      guard entry.location.course == nil else { continue }
      // Who stands still looks where they looked before.
      let course =
        metres < 0.5 ? before.location.course : Angle.turned(atan2(step.x, step.y) * 180 / .pi)
      entries[index].location.course = course
    }
    if entries.count > 1, entries[0].location.course == nil {
      let course = entries[1].location.course
      entries[0].location.course = course
    }
  }

  /// Metres east and north: places of a recording are near to each other.
  private static func step(_ a: LonLat, _ b: LonLat) -> SIMD2<Double> {
    let metres = Mercator.earthCircumference / 360
    let east = Angle.wrapped(b.lon - a.lon) * cos((a.lat + b.lat) / 2 * .pi / 180)
    return SIMD2(east, b.lat - a.lat) * metres
  }
}
