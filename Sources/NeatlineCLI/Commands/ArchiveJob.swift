import Neatline

/// What the three commands have in common.
enum ArchiveJob {
  static let entries = [
    OptionEntry("--output", "OUT", "in the place of the last argument"),
    OptionEntry("--force", "replace OUT where it is there already"),
    OptionEntry("--format", "pmtiles|mbtiles", "of OUT", standard: "by its name"),
    OptionEntry("--plain", "MBTiles with one row a tile, for readers that know no views"),
    OptionEntry(
      "--max-tiles", "N", "rows of MBTiles, or entries of PMTiles", standard: "134217728, of GeoJSON 16777216"
    ),
    OptionEntry("--restart", "begin anew, also where a partial file is there"),
    OptionEntry("--json", "report as JSON"),
  ]

  static let notes = """
    ARCHIVE is an MBTiles or PMTiles file, or the address of PMTiles on a server. What is interrupted leaves OUT as it was
    and OUT.partial, which the same command continues, unless --restart is given.
    """

  static func inputAndOutput(_ options: Arguments, _ what: String) throws -> (String, String) {
    if let output = options.text("--output") { return (try options.only(what), output) }
    guard options.positional.count == 2 else {
      throw UsageError(
        message: options.positional.count < 2
          ? "\(what) or OUT is missing" : "one \(what) and one OUT only, please")
    }
    return (options.positional[0], options.positional[1])
  }

  static func writeOptions(_ options: Arguments) throws(NeatlineError) -> ArchiveWriteOptions {
    var result = ArchiveWriteOptions()
    result.isPlain = options.has("--plain")
    result.resumes = !options.has("--restart")
    result.overwrites = options.has("--force")
    if let text = options.text("--format") {
      guard let format = ArchiveFormat(rawValue: text) else {
        throw NeatlineError(.invalidArgument, "--format: \"\(text)\" is neither pmtiles nor mbtiles")
      }
      result.format = format
    }
    if let text = options.text("--max-tiles") {
      guard let count = Int(text), count > 0 else {
        throw NeatlineError(.invalidArgument, "--max-tiles: \"\(text)\" is no count")
      }
      result.maxTiles = count
    }
    return result
  }

  /// Wrong arguments: exit status 2.
  static func usage<R>(_ body: () throws(NeatlineError) -> R) throws -> R {
    do throws(NeatlineError) { return try body() } catch { throw UsageError(message: error.message) }
  }

  /// `Z` or `MIN-MAX`.
  static func zooms(_ options: Arguments) throws -> ClosedRange<Int>? {
    guard let text = options.text("--zoom") else { return nil }
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 1 || numbers.count == 2, let low = numbers[0], let high = numbers.last ?? nil,
      low <= high, low >= 0, high <= 30
    else { throw UsageError(message: "--zoom: \"\(text)\" is neither Z nor MIN-MAX within 0 to 30") }
    return low...high
  }

  /// Does the work with a line of progress; SIGINT and SIGTERM end it where it can be continued.
  static func run(
    _ options: Arguments, _ what: String,
    _ work: ((ArchiveProgress) -> Bool) throws(NeatlineError) -> ArchiveReport,
    after: (ArchiveReport) -> Void = { _ in }
  ) throws {
    Platform.catchInterrupts()
    do throws(NeatlineError) {
      let report = try work { progress in
        let share = progress.totalTiles > 0 ? " of \(progress.totalTiles)" : ""
        Console.progress("\(what) … \(progress.doneTiles)\(share) tiles, \(size(progress.bytes))")
        return !Platform.isInterrupted
      }
      Console.endProgress()
      if options.has("--json") { return Console.out(report.json.text) }
      let again = report.resumedTiles > 0 ? ", \(report.resumedTiles) of them from an earlier run" : ""
      Console.out("\(report.tiles) tiles\(again), \(report.contents) contents, \(size(report.bytes))")
      if report.skippedTiles > 0 {
        Console.warning("\(report.skippedTiles) tiles without contents were left out")
      }
      if let fault = report.firstFault {
        Console.warning("of \(report.faultyTiles) tiles not all can be read; \(fault)")
      }
      after(report)
    } catch {
      Console.endProgress()
      if options.has("--json") {
        Console.out(
          JSONValue.members(["status": .string("\(error.status)"), "message": .string(error.message)]).text)
      }
      if error.status == .state, error.message.contains("may not be overwritten") {
        throw NeatlineError(error.status, error.message + "; --force replaces it")
      }
      throw error
    }
  }

  private static func size(_ bytes: Int) -> String {
    if bytes < 1 << 20 { return "\((bytes + 1023) >> 10) KiB" }
    return "\(bytes >> 20).\(((bytes & 0xFFFFF) * 10) >> 20) MiB"
  }
}

/// What an input is, by its address and its first bytes.
enum InputKind {
  case archive, json, other

  init(_ input: String) throws {
    if ["mbtiles://", "pmtiles://", "http://", "https://"].contains(where: { input.hasPrefix($0) }) {
      self = .archive
      return
    }
    let head = try Platform.readHead(input, 4096)
    if head.starts(with: Array("SQLite format 3".utf8)) || head.starts(with: Array("PMTiles".utf8)) {
      self = .archive
    } else if let first = head.first(where: { $0 > 32 && $0 < 0x80 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    {
      self = .json
    } else {
      self = .other
    }
  }
}
