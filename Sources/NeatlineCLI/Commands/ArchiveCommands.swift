import Neatline

/// `neatline convert`: from one format to the other, by what the input is.
enum ConvertCommand {
  static let entry = CommandEntry(
    name: "convert", summary: "an archive in the other format, or a style brought up to date",
    forms: ["ARCHIVE OUT.pmtiles|OUT.mbtiles", "STYLE OUT.json"],
    options: ArchiveJob.entries + [
      OptionEntry(
        "--verify", "decode every tile: one that cannot be ends the copy; count those that have faults")
    ], example: "neatline convert planet.mbtiles planet.pmtiles --verify",
    notes: ArchiveJob.notes
      + "\nOf a style, legacy filters, functions and texts with tokens become expressions.", run: run)

  private static func run(_ options: Arguments) throws {
    let (input, output) = try ArchiveJob.inputAndOutput(options, "ARCHIVE")
    var writing = try ArchiveJob.usage { () throws(NeatlineError) in try ArchiveJob.writeOptions(options) }
    writing.verifies = options.has("--verify")
    switch try InputKind(input) {
    case .archive:
      try ArchiveJob.run(options, "converting \(input)") { [writing] report throws(NeatlineError) in
        try Archive.copy(from: input, to: output, options: writing, progress: report)
      }
    case .json: try convertStyle(input, output, options)
    case .other: throw FileError(path: input, reason: "neither MBTiles nor PMTiles, nor a style")
    }
  }

  /// Brings a style up to date: expressions in the place of legacy filters, functions and texts with tokens.
  private static func convertStyle(_ input: String, _ output: String, _ options: Arguments) throws {
    if let name = (ArchiveJob.entries.map(\.name) + ["--verify"]).first(where: {
      !["--output", "--force"].contains($0) && options.has($0)
    }) {
      throw UsageError(message: "\(name) is for archives; \(input) is none")
    }
    let style = try JSONValue(parsing: Platform.readFile(input))
    guard style["layers"]?.array != nil else {
      throw UsageError(
        message: "\(input): convert takes MBTiles, PMTiles or a style; for GeoJSON there is \"neatline tile\""
      )
    }
    try OutputFile.check(output, overwrites: options.has("--force"))
    let converted = try migrateStyle(style)
    try OutputFile.write(output, Array((converted.text(width: 120) + "\n").utf8))
    let count = differences(style, converted)
    Console.out("\(count) value\(count == 1 ? "" : "s") converted")
  }

  /// How many members of objects differ, none within another.
  private static func differences(_ before: JSONValue, _ after: JSONValue) -> Int {
    switch (before, after) {
    case (.object(let old), .object(let new))
    where old.count == new.count && zip(old, new).allSatisfy({ $0.key == $1.key }):
      zip(old, new).reduce(0) { $0 + differences($1.0.value, $1.1.value) }
    case (.array(let old), .array(let new))
    where old.allSatisfy({ $0.object != nil }) && old.count == new.count:
      zip(old, new).reduce(0) { $0 + differences($1.0, $1.1) }
    default: before == after ? 0 : 1
    }
  }
}

/// `neatline extract`: a region of an archive, to take along.
enum ExtractCommand {
  static let entry = CommandEntry(
    name: "extract", summary: "a region of an archive, to take along",
    forms: ["ARCHIVE OUT.pmtiles|OUT.mbtiles"],
    options: [
      OptionEntry(
        "--bbox", "W,S,E,N", "degrees; west above east crosses the 180th meridian", standard: "everywhere"),
      OptionEntry("--zoom", "MIN-MAX", "or one zoom", standard: "all"),
      OptionEntry(
        "--verify", "decode every tile: one that cannot be ends the copy; count those that have faults"),
    ] + ArchiveJob.entries,
    example:
      "neatline extract https://example.org/planet.pmtiles tyrol.pmtiles --bbox 10.1,46.7,12.9,47.8 --zoom 0-14",
    notes: ArchiveJob.notes, run: run)

  private static func run(_ options: Arguments) throws {
    let (input, output) = try ArchiveJob.inputAndOutput(options, "ARCHIVE")
    let bounds = try options.box("--bbox")
    var writing = try ArchiveJob.usage { () throws(NeatlineError) in try ArchiveJob.writeOptions(options) }
    writing.zooms = try ArchiveJob.zooms(options)
    writing.verifies = options.has("--verify")
    if bounds == nil && writing.zooms == nil {
      throw UsageError(message: "extract needs --bbox W,S,E,N or --zoom MIN-MAX")
    }
    guard try InputKind(input) == .archive else {
      throw FileError(path: input, reason: "neither MBTiles nor PMTiles")
    }
    try ArchiveJob.run(options, "extracting from \(input)") { [writing] report throws(NeatlineError) in
      try Archive.copy(from: input, to: output, bounds: bounds, options: writing, progress: report)
    }
  }
}
