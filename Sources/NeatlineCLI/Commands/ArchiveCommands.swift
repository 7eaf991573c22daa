import Neatline

/// `neatline convert`: from one format to the other, by what the input is.
enum ConvertCommand {
  static func run(_ arguments: [String]) throws {
    let options = try Arguments(
      arguments, values: ArchiveJob.values, flags: ArchiveJob.flags)
    let (input, output) = try ArchiveJob.inputAndOutput(options, "ARCHIVE")
    let writing = try ArchiveJob.usage { () throws(NeatlineError) in try ArchiveJob.writeOptions(options) }
    switch try InputKind(input) {
    case .archive:
      try ArchiveJob.run(options, "converting \(input)") { report throws(NeatlineError) in
        try Archive.copy(from: input, to: output, options: writing, progress: report)
      }
    case .json: try convertStyle(input, output, options)
    case .other: throw FileError(path: input, reason: "neither MBTiles nor PMTiles, nor a style")
    }
  }

  /// Brings a style up to date: expressions in the place of legacy filters, functions and texts with tokens.
  private static func convertStyle(_ input: String, _ output: String, _ options: Arguments) throws {
    if let name = ArchiveJob.given(options).first { throw UsageError(message: "\(name) is for archives; \(input) is none") }
    let style = try JSONValue(parsing: Platform.readFile(input))
    guard style["layers"]?.array != nil else {
      throw UsageError(message: "\(input): convert takes MBTiles, PMTiles or a style; for GeoJSON there is \"neatline tile\"")
    }
    let converted = try migrateStyle(style)
    try Platform.writeFile(output, Array((converted.text(width: 120) + "\n").utf8))
    let count = differences(style, converted)
    Console.out("\(count) value\(count == 1 ? "" : "s") converted")
  }

  /// How many members of objects differ, none within another.
  private static func differences(_ before: JSONValue, _ after: JSONValue) -> Int {
    switch (before, after) {
    case (.object(let old), .object(let new)) where old.count == new.count && zip(old, new).allSatisfy({ $0.key == $1.key }):
      zip(old, new).reduce(0) { $0 + differences($1.0.value, $1.1.value) }
    case (.array(let old), .array(let new)) where old.allSatisfy({ $0.object != nil }) && old.count == new.count:
      zip(old, new).reduce(0) { $0 + differences($1.0, $1.1) }
    default: before == after ? 0 : 1
    }
  }
}

/// `neatline extract`: a region of an archive, to take along.
enum ExtractCommand {
  static func run(_ arguments: [String]) throws {
    let options = try Arguments(arguments, values: ArchiveJob.values.union(["--bbox", "--zoom"]), flags: ArchiveJob.flags)
    let (input, output) = try ArchiveJob.inputAndOutput(options, "ARCHIVE")
    let bounds = try box(options)
    var writing = try ArchiveJob.usage { () throws(NeatlineError) in try ArchiveJob.writeOptions(options) }
    writing.zooms = try ArchiveJob.zooms(options)
    if bounds == nil && writing.zooms == nil { throw UsageError(message: "extract needs --bbox W,S,E,N or --zoom MIN-MAX") }
    guard try InputKind(input) == .archive else { throw FileError(path: input, reason: "neither MBTiles nor PMTiles") }
    try ArchiveJob.run(options, "extracting from \(input)") { [writing] report throws(NeatlineError) in
      try Archive.copy(from: input, to: output, bounds: bounds, options: writing, progress: report)
    }
  }

  private static func box(_ options: Arguments) throws -> GeographicBounds? {
    guard let text = options.text("--bbox") else { return nil }
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[1] <= numbers[3] else {
      throw UsageError(message: "--bbox: \"\(text)\" is not WEST,SOUTH,EAST,NORTH in degrees")
    }
    return GeographicBounds(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }
}

/// `neatline tile`: GeoJSON to vector tiles.
enum TileCommand {
  static func run(_ arguments: [String]) throws {
    let options = try Arguments(
      arguments,
      values: ArchiveJob.values.union([
        "--zoom", "--buffer", "--tolerance", "--extent", "--layer", "--promote-id", "--name", "--attribution", "--description",
      ]),
      flags: ArchiveJob.flags.union(["--generate-id", "--line-metrics"]))
    var inputs = options.positional
    guard let output = options.text("--output") ?? (inputs.count > 1 ? inputs.removeLast() : nil), !inputs.isEmpty else {
      throw UsageError(message: "GEOJSON or OUT is missing")
    }
    var names = options.texts("--layer")
    guard names.count <= inputs.count else { throw UsageError(message: "--layer: more names than files") }
    for input in inputs[names.count...] { names.append(layerName(input)) }
    let sources = zip(names, inputs).map { GeoJSONLayerSource(name: $0, url: $1) }
    let cut = try cutOptions(options)
    var writing = try ArchiveJob.usage { () throws(NeatlineError) in try ArchiveJob.writeOptions(options) }
    writing.zooms = try ArchiveJob.zooms(options)
    try ArchiveJob.run(options, "cutting \(inputs.joined(separator: ", "))") { [writing] report throws(NeatlineError) in
      try Archive.tile(sources, to: output, cut: cut, options: writing, progress: report)
    }
  }

  private static func cutOptions(_ options: Arguments) throws -> GeoJSONCutOptions {
    var cut = GeoJSONCutOptions()
    cut.buffer = try options.number("--buffer")
    cut.tolerance = try options.number("--tolerance")
    cut.extent = try options.integer("--extent", in: 1...65536)
    cut.generateID = options.has("--generate-id")
    cut.lineMetrics = options.has("--line-metrics")
    cut.promoteID = options.text("--promote-id")
    let metadata = ["name", "attribution", "description"].compactMap { name in
      options.text("--" + name).map { JSONValue.Member(name, .string($0)) }
    }
    if !metadata.isEmpty { cut.metadata = .object(metadata) }
    return cut
  }

  /// A file's name without folder and endings.
  private static func layerName(_ path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    let ends = [".gz", ".geojson", ".geojsonl", ".geojsons", ".ndjson", ".json"]
    for end in ends where name.count > end.count && name.lowercased().hasSuffix(end) { name.removeLast(end.count) }
    return name
  }
}

/// What the three commands have in common.
enum ArchiveJob {
  /// Options of archives that are given.
  static func given(_ options: Arguments) -> [String] {
    values.subtracting(["--output"]).filter { options.text($0) != nil }.sorted() + flags.filter(options.has).sorted()
  }

  static let values: Set<String> = ["--output", "--format", "--max-tiles"]
  static let flags: Set<String> = ["--plain", "--restart", "--json"]

  static func inputAndOutput(_ options: Arguments, _ what: String) throws -> (String, String) {
    if let output = options.text("--output") { return (try options.only(what), output) }
    guard options.positional.count == 2 else {
      throw UsageError(message: options.positional.count < 2 ? "\(what) or OUT is missing" : "one \(what) and one OUT only, please")
    }
    return (options.positional[0], options.positional[1])
  }

  static func writeOptions(_ options: Arguments) throws(NeatlineError) -> ArchiveWriteOptions {
    var result = ArchiveWriteOptions()
    result.isPlain = options.has("--plain")
    result.resumes = !options.has("--restart")
    if let text = options.text("--format") {
      guard let format = ArchiveFormat(rawValue: text) else {
        throw NeatlineError(.invalidArgument, "--format: \"\(text)\" is neither pmtiles nor mbtiles")
      }
      result.format = format
    }
    if let text = options.text("--max-tiles") {
      guard let count = Int(text), count > 0 else { throw NeatlineError(.invalidArgument, "--max-tiles: \"\(text)\" is no count") }
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
    guard numbers.count == 1 || numbers.count == 2, let low = numbers[0], let high = numbers.last ?? nil, low <= high, low >= 0, high <= 30
    else { throw UsageError(message: "--zoom: \"\(text)\" is neither Z nor MIN-MAX within 0 to 30") }
    return low...high
  }

  /// Does the work with a line of progress; SIGINT and SIGTERM end it where it can be continued.
  static func run(
    _ options: Arguments, _ what: String, _ work: ((ArchiveProgress) -> Bool) throws(NeatlineError) -> ArchiveReport
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
      if report.skippedTiles > 0 { Console.warning("\(report.skippedTiles) tiles without contents were left out") }
    } catch {
      Console.endProgress()
      if options.has("--json") {
        Console.out(JSONValue.members(["status": .string("\(error.status)"), "message": .string(error.message)]).text)
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
    } else if let first = head.first(where: { $0 > 32 && $0 < 0x80 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      self = .json
    } else {
      self = .other
    }
  }
}
