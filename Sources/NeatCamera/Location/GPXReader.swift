import NeatBase

/// The locations of GPX 1.0 and 1.1: track points; of a file without any, route points; then waypoints. Of each its
/// place, `ele`, `time`, `hdop`, and `course` and `speed` as GPX 1.0 and the extensions of the common receivers
/// have them. Names count without their prefixes.
struct GPXReader {
  /// Elements within each other.
  static let depthLimit = 64
  /// Metres that one unit of a dilution of precision stands for, as receivers without a word on it are taken.
  static let metresPerDilution = 5.0

  private enum Kind: Int {
    case track = 0
    case route = 1
    case way = 2
  }

  private var scanner: XMLScanner
  /// Names of the elements that are open.
  private var open: [Range<Int>] = []
  private var point: (kind: Kind, location: Location, depth: Int, line: Int)?
  private var found: [[(Location, Int)]] = [[], [], []]
  private var problems: [(Int, String)] = []
  private var hasRoot = false
  private let limit: Int

  static func read(_ bytes: [UInt8], into recording: inout LocationRecording) throws(NeatError) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw NeatError(.invalidArgument, "GPX: line 1: the text is UTF-16, and UTF-8 is due")
    }
    var reader = GPXReader(scanner: XMLScanner(bytes), limit: recording.limit)
    try reader.read()
    for (line, message) in reader.problems { recording.leaveOut(message, line: line) }
    let points = reader.found.first { !$0.isEmpty } ?? []
    for (location, line) in points { try recording.add(location, nil, line: line) }
  }

  private init(scanner: XMLScanner, limit: Int) { (self.scanner, self.limit) = (scanner, limit) }

  private mutating func read() throws(NeatError) {
    while let token = try scanner.next() {
      switch token {
      case .begin(let name, let attributes, let isEmpty):
        try begin(name, attributes)
        if isEmpty { try end(name) }
      case .end(let name): try end(name)
      case .text(let range): try text(range)
      }
    }
    guard hasRoot else { throw scanner.fault("no element \"gpx\"") }
    guard open.isEmpty else {
      throw scanner.fault("the element \"\(word(open[open.count - 1]))\" does not end")
    }
  }

  private func word(_ range: Range<Int>) -> String {
    String(decoding: scanner.bytes[range].prefix(40), as: UTF8.self)
  }

  private mutating func begin(_ name: Range<Int>, _ attributes: Range<Int>) throws(NeatError) {
    guard open.count < GPXReader.depthLimit else {
      throw NeatError(
        .limitExceeded, "GPX: line \(scanner.line): elements are nested deeper than \(GPXReader.depthLimit)")
    }
    if open.isEmpty {
      guard !hasRoot, scanner.equals(name, "gpx") else {
        throw scanner.fault("\"\(word(name))\" where the element \"gpx\" is due")
      }
      hasRoot = true
    }
    open.append(name)
    let kind: Kind? =
      scanner.equals(name, "trkpt")
      ? .track : scanner.equals(name, "rtept") ? .route : scanner.equals(name, "wpt") ? .way : nil
    guard let kind else { return }
    guard point == nil else { throw scanner.fault("a point within a point") }
    point = (kind, Location(try place(attributes)), open.count, scanner.line)
  }

  private func place(_ attributes: Range<Int>) throws(NeatError) -> LonLat {
    func degrees(_ name: StaticString, _ range: ClosedRange<Double>) throws(NeatError) -> Double {
      guard let text = scanner.attribute(name, in: attributes) else {
        throw scanner.fault("a point without \"\(name)\"")
      }
      guard let value = trackNumber(text), range.contains(value) else {
        throw scanner.fault(
          "\"\(name)\" is \"\(String(decoding: text.prefix(40), as: UTF8.self))\", and not within \(Int(bounded: range.lowerBound)) to \(Int(bounded: range.upperBound))"
        )
      }
      return value
    }
    return LonLat(try degrees("lon", -180...180), try degrees("lat", -90...90))
  }

  private mutating func end(_ name: Range<Int>) throws(NeatError) {
    guard let last = open.popLast(), scanner.bytes[last] == scanner.bytes[name] else {
      throw scanner.fault("\"\(word(name))\" ends, and is not open")
    }
    guard let point, point.depth == open.count + 1 else { return }
    if found[point.kind.rawValue].count >= limit {
      throw NeatError(
        .limitExceeded, "GPX: line \(scanner.line): more than \(limit) locations in a recording")
    }
    found[point.kind.rawValue].append((point.location, point.line))
    self.point = nil
  }

  /// What a point says of itself. What is no such value is left out and noted: the place counts.
  private mutating func text(_ range: Range<Int>) throws(NeatError) {
    guard point != nil, let name = open.last else { return }
    let text = scanner.trimmed(range)
    guard !text.isEmpty else { return }
    func number(_ range: ClosedRange<Double>) -> Double? {
      trackNumber(text).flatMap { range.contains($0) ? $0 : nil }
    }
    let isKnown: Bool
    switch true {
    case scanner.equals(name, "ele"):
      point?.location.altitude = number(Location.altitudeRange)
      isKnown = point?.location.altitude != nil
    case scanner.equals(name, "time"):
      point?.location.timeUS = trackTime(text)
      isKnown = point?.location.timeUS != nil
    case scanner.equals(name, "hdop"):
      point?.location.horizontalAccuracy = number(0...1e6).map { $0 * GPXReader.metresPerDilution }
      isKnown = point?.location.horizontalAccuracy != nil
    case scanner.equals(name, "speed"):
      point?.location.speed = number(Location.speedRange)
      isKnown = point?.location.speed != nil
    case scanner.equals(name, "course"), scanner.equals(name, "bearing"):
      point?.location.course = number(-360...360).map { Angle.turned($0) }
      isKnown = point?.location.course != nil
    default: return
    }
    if !isKnown, problems.count < 3 * LocationRecording.entryLimit {
      problems.append(
        (
          scanner.line,
          "\"\(word(name))\" is \"\(String(decoding: text.prefix(40), as: UTF8.self))\", left out"
        ))
    }
  }
}
