import Neatline

/// `neatline tile`: features to vector tiles. GeoJSON is tiled here; for what needs libraries of Python, and for
/// several processes, the Python package does the same work by the same functions.
enum TileCommand {
  static let entry = CommandEntry(
    name: "tile", summary: "features to vector tiles", forms: ["INPUT... OUT.pmtiles|OUT.mbtiles"],
    options: [
      OptionEntry("--zoom", "MIN-MAX", "or one zoom, at most 24", standard: "0-14"),
      OptionEntry(
        "--layer", "NAME", "of the layers, in the order of the files; files of one name share it",
        standard: "the files' names", repeats: true),
      OptionEntry("--buffer", "UNITS", "how far geometry reaches past the edges of its tile", standard: "64"),
      OptionEntry("--tolerance", "UNITS", "of simplification; 0 keeps every point", standard: "3"),
      OptionEntry("--extent", "UNITS", "that make an edge, 1 to 65536", standard: "4096"),
      OptionEntry("--generate-id", "number the features"),
      OptionEntry("--promote-id", "NAME", "the property that becomes the id"),
      OptionEntry("--line-metrics", "for line-gradient"),
      OptionEntry("--include", "NAME", "a property that tiles have, and no others", repeats: true),
      OptionEntry("--exclude", "NAME", "a property that tiles lack", repeats: true),
      OptionEntry("--exclude-all", "no properties"),
      OptionEntry(
        "--filter", "[LAYER=]JSON", "a filter of the style specification, which may read the zoom",
        repeats: true),
      OptionEntry(
        "--drop-rate", "N", "each zoom has one of N points of the next deeper one, 1 to 16", standard: "1"),
      OptionEntry("--base-zoom", "Z", "from here on all points are there", standard: "the deepest"),
      OptionEntry(
        "--drop", "densest|fraction|smallest", "leave out features of zooms whose tiles are past the limits"),
      OptionEntry(
        "--coalesce", "densest|fraction|smallest", "give their geometry to others instead"),
      OptionEntry("--max-tile-bytes", "N", "limit of a packed tile", standard: "500000"),
      OptionEntry("--max-tile-features", "N", "limit of a tile", standard: "200000"),
      OptionEntry("--memory", "MB", "of sorted features, before they go to the disk", standard: "256"),
      OptionEntry("--threads", "N", "that cut and pack", standard: "one a processor"),
      OptionEntry("--workers", "N", "processes that share the work (by the Python package)"),
      OptionEntry("--name", "TEXT", "of the archive"),
      OptionEntry("--attribution", "TEXT", "whom the data is owed to"),
      OptionEntry("--description", "TEXT", "of the archive"),
    ] + ArchiveJob.entries,
    example: "neatline tile roads.geojson towns.geojson map.pmtiles --zoom 0-12 --attribution \"© me\"",
    notes: """
      INPUT is GeoJSON, one document or one a line, plain or gzip. GeoParquet (.parquet) and what GDAL reads
      (.fgb, .gpkg, .shp) are read by the Python package: Python 3.9 or later with neatline[vector];
      NEATLINE_PYTHON names the interpreter [python3]. docs/vector-tiles.md has the whole of it.
      """ + "\n" + ArchiveJob.notes, run: run)

  /// Whether the arguments ask for what the Python package does.
  static func needsPython(_ arguments: [String]) -> Bool {
    let ends = [".parquet", ".geoparquet", ".fgb", ".gpkg", ".shp"]
    var isValue = false
    for argument in arguments {
      if isValue {
        isValue = false
      } else if argument.hasPrefix("-") {
        if argument == "--workers" || argument.hasPrefix("--workers=") { return true }
        isValue = entry.option(argument == "-o" ? "--output" : argument)?.value != nil
      } else if ends.contains(where: { argument.lowercased().hasSuffix($0) }) {
        return true
      }
    }
    return false
  }

  private static func run(_ options: Arguments) throws {
    var inputs = options.positional
    guard let output = options.text("--output") ?? (inputs.count > 1 ? inputs.removeLast() : nil),
      !inputs.isEmpty
    else {
      throw UsageError(message: "INPUT or OUT is missing")
    }
    var names = options.texts("--layer")
    guard names.count <= inputs.count else { throw UsageError(message: "--layer: more names than files") }
    for input in inputs[names.count...] { names.append(layerName(input)) }
    let sources = zip(names, inputs).map { GeoJSONLayerSource(name: $0, url: $1) }
    var cut = try cutOptions(options)
    cut.filters = try filters(options, names)
    var writing = try ArchiveJob.usage { () throws(NeatlineError) in try ArchiveJob.writeOptions(options) }
    writing.zooms = try ArchiveJob.zooms(options)
    try ArchiveJob.run(options, "cutting \(inputs.joined(separator: ", "))") {
      [writing, cut] report throws(NeatlineError) in
      try Archive.tile(sources, to: output, cut: cut, options: writing, progress: report)
    } after: {
      tell($0, cut)
    }
  }

  /// What tiles lack, and how it can be helped.
  private static func tell(_ report: ArchiveReport, _ cut: GeoJSONCutOptions) {
    if report.droppedFeatures > 0 {
      Console.out("\(report.droppedFeatures) pieces of features were dropped")
    }
    if report.coalescedFeatures > 0 {
      Console.out("\(report.coalescedFeatures) pieces of features were coalesced with others")
    }
    guard report.oversizedTiles > 0 else { return }
    let limits = "\(cut.maxTileBytes ?? 500_000) bytes or \(cut.maxTileFeatures ?? 200_000) features"
    let help =
      cut.thinning == nil
      ? "--drop or --coalesce makes them smaller" : "they could not be made smaller"
    Console.warning(
      "\(report.oversizedTiles) tiles have more than \(limits), the largest \(report.largestTileBytes) bytes; \(help)"
    )
  }

  private static func cutOptions(_ options: Arguments) throws -> GeoJSONCutOptions {
    var cut = GeoJSONCutOptions()
    cut.buffer = try options.number("--buffer")
    cut.tolerance = try options.number("--tolerance")
    cut.extent = try options.integer("--extent", in: 1...65536)
    cut.generateID = options.has("--generate-id")
    cut.lineMetrics = options.has("--line-metrics")
    cut.promoteID = options.text("--promote-id")
    try choose(options, &cut)
    cut.dropRate = try options.number("--drop-rate")
    cut.baseZoom = try options.integer("--base-zoom", in: 0...30)
    cut.maxTileBytes = try options.integer("--max-tile-bytes", in: 1024...1 << 30)
    cut.maxTileFeatures = try options.integer("--max-tile-features", in: 1...1 << 30)
    cut.memory = try options.integer("--memory", in: 1...1 << 20).map { $0 << 20 }
    cut.threads = try options.integer("--threads", in: 1...256)
    let metadata = ["name", "attribution", "description"].compactMap { name in
      options.text("--" + name).map { JSONValue.Member(name, .string($0)) }
    }
    if !metadata.isEmpty { cut.metadata = .object(metadata) }
    return cut
  }

  /// Properties, and what is thinned.
  private static func choose(_ options: Arguments, _ cut: inout GeoJSONCutOptions) throws {
    let (included, excluded) = (options.texts("--include"), options.texts("--exclude"))
    let isNone = options.has("--exclude-all")
    guard [!included.isEmpty, !excluded.isEmpty, isNone].count(where: { $0 }) <= 1 else {
      throw UsageError(message: "one of --include, --exclude and --exclude-all only")
    }
    if !included.isEmpty || isNone { cut.include = included }
    if !excluded.isEmpty { cut.exclude = excluded }
    let choices = ["densest", "fraction", "smallest"]
    let drop = try options.choice("--drop", choices)
    let coalesce = try options.choice("--coalesce", choices)
    if drop != nil && coalesce != nil { throw UsageError(message: "either --drop or --coalesce, not both") }
    cut.thinning = (drop ?? coalesce).flatMap { TileThinning.Choice(rawValue: $0) }.map {
      TileThinning($0, coalesces: coalesce != nil)
    }
  }

  /// `LAYER=JSON`, or JSON for all layers.
  private static func filters(_ options: Arguments, _ layers: [String]) throws -> [String: JSONValue] {
    var filters: [String: JSONValue] = [:]
    for text in options.texts("--filter") {
      let whole = try? JSONValue(parsing: text)
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard let value = whole ?? (parts.count == 2 ? try? JSONValue(parsing: parts[1]) : nil) else {
        throw UsageError(message: "--filter: \"\(text)\" is neither JSON nor LAYER=JSON")
      }
      for layer in whole != nil ? layers : [parts[0]] where filters.updateValue(value, forKey: layer) != nil {
        throw UsageError(message: "--filter: layer \"\(layer)\" has two")
      }
    }
    return filters
  }

  /// A file's name without folder and endings.
  private static func layerName(_ path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    let ends = [".gz", ".geojson", ".geojsonl", ".geojsons", ".ndjson", ".json"]
    for end in ends where name.count > end.count && name.lowercased().hasSuffix(end) {
      name.removeLast(end.count)
    }
    return name
  }
}
