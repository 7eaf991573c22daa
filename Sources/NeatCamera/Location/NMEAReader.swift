import NeatBase

/// The locations of NMEA 0183: sentences GGA, RMC, GLL, VTG, HDT and GST of any talker, joined by their time of day.
///
/// Recordings of receivers have cut and damaged lines. Those are left out, and counted; lines of other sentences
/// are passed over. The date is RMC's or ZDA's; without one it is 1 January 1970, and after midnight the next day.
struct NMEAReader {
  /// Bytes of a line: the standard has 82, tag blocks come before them.
  static let lineLimit = 1024

  private typealias Fields = [ArraySlice<UInt8>]

  /// What the sentences of one time say.
  private struct Fix {
    var secondOfDay: Double
    var line: Int
    var place: LonLat?
    var altitude: Double?
    var accuracy: Double?
    var hasDeviation = false
    var course: Double?
    var speed: Double?
    var heading: Double?
  }

  private var fix: Fix?
  private var day = 0
  private var lastSecond: Double?
  private var line = 0

  static func read(_ bytes: [UInt8], into recording: inout LocationRecording) throws(NeatError) {
    var reader = NMEAReader()
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
      reader.line += 1
      try reader.read(bytes[start..<end], &recording)
      // A line ends with CR, LF or both.
      if end + 1 < bytes.count, bytes[end] == 13, bytes[end + 1] == 10 { end += 1 }
      start = end + 1
    }
    try reader.finish(&recording)
  }

  private mutating func read(_ whole: ArraySlice<UInt8>, _ recording: inout LocationRecording)
    throws(NeatError)
  {
    // What stands before the sentence is a tag block of a logger.
    guard let first = whole.firstIndex(of: UInt8(ascii: "$")) else {
      if let byte = whole.first(where: { $0 > 32 }), byte != UInt8(ascii: "!"), byte != UInt8(ascii: "#") {
        recording.leaveOut("no sentence", line: line)
      }
      return
    }
    guard whole.count <= NMEAReader.lineLimit else {
      return recording.leaveOut("a line of \(whole.count) bytes", line: line)
    }
    var body = whole[(first + 1)...]
    while let last = body.last, last <= 32 { body = body.dropLast() }
    if let star = body.lastIndex(of: UInt8(ascii: "*")) {
      let given = body[(star + 1)...]
      body = body[..<star]
      let sum = body.reduce(0) { $0 ^ $1 }
      guard given.count == 2, let value = UInt8(String(decoding: given, as: UTF8.self), radix: 16),
        value == sum
      else { return recording.leaveOut("the checksum is wrong", line: line) }
    }
    let fields = body.split(separator: UInt8(ascii: ","), maxSplits: 64, omittingEmptySubsequences: false)
    // Two letters of the talker, three of the sentence; those of makers begin with P.
    guard let name = fields.first, name.count == 5, name.first != UInt8(ascii: "P") else { return }
    let sentence = String(decoding: name.suffix(3), as: UTF8.self)
    do throws(NeatError) {
      try take(sentence, fields, &recording)
    } catch {
      guard error.code == .invalidArgument else { throw error }
      recording.leaveOut("\(sentence): \(error.message)", line: line)
    }
  }

  private mutating func take(_ sentence: String, _ fields: Fields, _ recording: inout LocationRecording)
    throws(NeatError)
  {
    switch sentence {
    case "GGA":
      // No fix is no location, and in order.
      guard NMEAReader.field(fields, 6).first.map({ $0 != UInt8(ascii: "0") }) ?? false else { return }
      let place = try NMEAReader.place(fields, 2)
      try begin(try NMEAReader.time(NMEAReader.field(fields, 1)), &recording)
      fix?.place = place
      fix?.altitude = try NMEAReader.number(fields, 9, Location.altitudeRange)
      if fix?.hasDeviation != true, let dilution = try NMEAReader.number(fields, 8, 0...1e6) {
        fix?.accuracy = dilution * GPXReader.metresPerDilution
      }
    case "RMC":
      guard NMEAReader.field(fields, 2).first == UInt8(ascii: "A") else { return }
      let place = try NMEAReader.place(fields, 3)
      try begin(try NMEAReader.time(NMEAReader.field(fields, 1)), &recording)
      if NMEAReader.field(fields, 9).count == 6 { try setDate(NMEAReader.field(fields, 9), &recording) }
      fix?.place = place
      // Knots.
      fix?.speed = try NMEAReader.number(fields, 7, 0...1e6).map { $0 * 1852 / 3600 }
      fix?.course = try NMEAReader.number(fields, 8, 0...360).map { Angle.turned($0) }
    case "GLL":
      guard NMEAReader.field(fields, 6).first != UInt8(ascii: "V") else { return }
      let place = try NMEAReader.place(fields, 1)
      try begin(try NMEAReader.time(NMEAReader.field(fields, 5)), &recording)
      fix?.place = place
    case "VTG":
      if let course = try NMEAReader.number(fields, 1, 0...360) { fix?.course = Angle.turned(course) }
      if let speed = try NMEAReader.number(fields, 7, 0...1e6) { fix?.speed = speed / 3.6 }
    case "HDT": fix?.heading = try NMEAReader.number(fields, 1, 0...360).map { Angle.turned($0) }
    case "GST":
      let second = try NMEAReader.time(NMEAReader.field(fields, 1))
      guard let north = try NMEAReader.number(fields, 6, 0...1e6),
        let east = try NMEAReader.number(fields, 7, 0...1e6)
      else { return }
      try begin(second, &recording)
      fix?.accuracy = (north * north + east * east).squareRoot()
      fix?.hasDeviation = true
    case "ZDA":
      guard let day = trackNumber(NMEAReader.field(fields, 2)),
        let month = trackNumber(NMEAReader.field(fields, 3)),
        let year = trackNumber(NMEAReader.field(fields, 4)),
        let days = trackDays(year: Int(bounded: year), month: Int(bounded: month), day: Int(bounded: day))
      else { throw NeatError(.invalidArgument, "no date") }
      try begin(try NMEAReader.time(NMEAReader.field(fields, 1)), &recording)
      setDay(days, &recording)
    default: break
    }
  }

  private static func field(_ fields: Fields, _ index: Int) -> ArraySlice<UInt8> {
    index < fields.count ? fields[index] : []
  }

  /// Nil for an empty field.
  private static func number(_ fields: Fields, _ index: Int, _ range: ClosedRange<Double>) throws(NeatError)
    -> Double?
  {
    let text = field(fields, index)
    guard !text.isEmpty else { return nil }
    guard let value = trackNumber(text), range.contains(value) else {
      throw NeatError(
        .invalidArgument, "field \(index) is \"\(String(decoding: text.prefix(20), as: UTF8.self))\"")
    }
    return value
  }

  /// `hhmmss.sss`
  private static func time(_ text: ArraySlice<UInt8>) throws(NeatError) -> Double {
    let bytes = Array(text)
    guard bytes.count >= 6, let whole = trackNumber(bytes[0..<6]), whole >= 0, !bytes[0..<6].contains(0x2E),
      let rest = bytes.count == 6 ? 0 : trackNumber(bytes[4...]).map({ $0 - Double(Int(bounded: $0)) })
    else { throw NeatError(.invalidArgument, "no time of day") }
    let number = Int(bounded: whole)
    let (hour, minute, second) = (number / 10_000, number / 100 % 100, number % 100)
    guard hour < 24, minute < 60, second <= 60, (0..<1).contains(rest) else {
      throw NeatError(.invalidArgument, "no time of day")
    }
    return Double(hour * 3600 + minute * 60 + second) + rest
  }

  /// `ddmm.mmmm,N,dddmm.mmmm,E`
  private static func place(_ fields: Fields, _ index: Int) throws(NeatError) -> LonLat {
    guard fields.count > index + 3 else { throw NeatError(.invalidArgument, "no place") }
    func degrees(
      _ text: ArraySlice<UInt8>, _ side: ArraySlice<UInt8>, _ names: (UInt8, UInt8), _ limit: Double
    )
      -> Double?
    {
      guard let value = trackNumber(text), value >= 0, value < 18_100, let letter = side.first else {
        return nil
      }
      let whole = (value / 100).rounded(.down)
      let minutes = value - whole * 100
      let result = whole + minutes / 60
      guard minutes < 60, result <= limit, letter == names.0 || letter == names.1 else { return nil }
      return letter == names.0 ? result : -result
    }
    guard
      let lat = degrees(fields[index], fields[index + 1], (UInt8(ascii: "N"), UInt8(ascii: "S")), 90),
      let lon = degrees(fields[index + 2], fields[index + 3], (UInt8(ascii: "E"), UInt8(ascii: "W")), 180)
    else { throw NeatError(.invalidArgument, "no place") }
    return LonLat(lon, lat)
  }

  /// `ddmmyy`: years of this century below 80.
  private mutating func setDate(_ text: ArraySlice<UInt8>, _ recording: inout LocationRecording)
    throws(NeatError)
  {
    guard let value = trackNumber(text), value >= 0, value == value.rounded() else {
      throw NeatError(.invalidArgument, "no date")
    }
    let number = Int(bounded: value)
    let year = number % 100
    guard
      let days = trackDays(
        year: year < 80 ? 2000 + year : 1900 + year, month: number / 100 % 100, day: number / 10_000)
    else { throw NeatError(.invalidArgument, "no date") }
    setDay(days, &recording)
  }

  private mutating func setDay(_ days: Int, _ recording: inout LocationRecording) {
    // What came before the first date is of the days before it.
    if !hasDate { recording.move(byUS: Int64(days - day) * NMEAReader.dayUS) }
    hasDate = true
    day = days
  }

  private var hasDate = false
  private static let dayUS: Int64 = 86_400_000_000

  /// The sentences of another time begin: those of the one before are a location.
  private mutating func begin(_ second: Double, _ recording: inout LocationRecording) throws(NeatError) {
    if let fix, fix.secondOfDay == second { return }
    try finish(&recording)
    // After midnight, until a sentence says the date.
    if let lastSecond, second < lastSecond - 43_200 { day += 1 }
    lastSecond = second
    fix = Fix(secondOfDay: second, line: line)
  }

  private mutating func finish(_ recording: inout LocationRecording) throws(NeatError) {
    guard let fix else { return }
    self.fix = nil
    guard let place = fix.place else { return }
    var location = Location(place)
    location.altitude = fix.altitude
    location.horizontalAccuracy = fix.accuracy
    location.course = fix.course
    location.speed = fix.speed
    let micros = Int64(saturating: (fix.secondOfDay * 1_000_000).rounded())
    location.timeUS = Int64(day) * NMEAReader.dayUS + micros
    var heading = fix.heading.map { Heading($0) }
    heading?.timeUS = location.timeUS
    try recording.add(location, heading, line: fix.line)
  }
}
