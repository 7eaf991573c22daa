import Neatline

/// `neatline offline`: regions that maps need without a network.
enum OfflineCommand {
  static let entry = CommandEntry(
    name: "offline", summary: "keeps styles with their tiles for use without a network",
    forms: [
      "create DB STYLE --bbox W,S,E,N|--geometry FILE", "load DB REGION", "list DB", "status DB REGION",
      "invalidate DB REGION", "delete DB REGION", "pack DB", "merge DB OTHER",
    ],
    options: [
      OptionEntry("--bbox", "W,S,E,N", "create: degrees; west above east crosses the 180th meridian"),
      OptionEntry("--geometry", "FILE", "create: a GeoJSON geometry; the tiles that it touches"),
      OptionEntry("--zoom", "MIN-MAX", "create: of the camera; or one zoom", standard: "all"),
      OptionEntry("--pixel-ratio", "N", "create: above 1, tiles of @2x where there are any", standard: "1"),
      OptionEntry("--no-ideographs", "create: without the glyphs of Chinese, Japanese and Korean ideographs"),
      OptionEntry("--metadata", "TEXT", "create: kept with the region"),
      OptionEntry("--no-load", "create: download nothing yet"),
      OptionEntry("--accept-expired", "create, load: take what has expired as it is"),
      OptionEntry("--retries", "N", "create, load: attempts after a failure that may pass", standard: "3"),
      OptionEntry("--request-timeout", "MS", "create, load: for one try of a request", standard: "30000"),
      OptionEntry("--rate", "KIB", "create, load: a second, as a mean", standard: "no limit"),
      OptionEntry("--quota", "MIB", "create, load: of DB at most", standard: "no limit"),
      OptionEntry("--tile-limit", "N", "create, load, merge: tiles that all regions may have of --limited"),
      OptionEntry(
        "--limited", "ADDRESS", "beginning of the tile addresses of a provider that asks for a limit",
        repeats: true),
      OptionEntry("--json", "answer as JSON"),
    ],
    example:
      "neatline offline create trip.db https://example.org/style.json --bbox 10.1,46.7,12.9,47.8 --zoom 0-14",
    notes: """
      DB is the database of --offline and --resource-cache, made by create where it is not there. create downloads
      what it made, and prints the number of the region; what was interrupted, or has failed, load goes on with.
      What is there and has not changed is not sent again. invalidate has all of a region asked about by the next
      load. merge takes over the regions of OTHER.
      Exit status 3: the region is not complete; what it lacks is named, and load asks for that again.
      """, run: run)

  private static func run(_ options: Arguments) throws {
    guard let verb = options.positional.first else {
      throw UsageError(message: "one of \(verbs.joined(separator: ", ")) goes first")
    }
    let rest = Array(options.positional.dropFirst())
    switch verb {
    case "create": try create(try words(rest, ["DB", "STYLE"]), options)
    case "load": try load(try words(rest, ["DB", "REGION"]), options)
    case "list": try list(try words(rest, ["DB"]), options)
    case "status": try status(try words(rest, ["DB", "REGION"]), options)
    case "invalidate":
      let given = try words(rest, ["DB", "REGION"])
      try open(given[0], options).invalidateRegion(try number(given[1]))
    case "delete":
      let given = try words(rest, ["DB", "REGION"])
      try open(given[0], options).deleteRegion(try number(given[1]))
    case "pack": try open(try words(rest, ["DB"])[0], options).packCache()
    case "merge": try merge(try words(rest, ["DB", "OTHER"]), options)
    default:
      let meant = nearestName(verb, among: verbs).map { "; did you mean \"\($0)\"?" } ?? ""
      throw UsageError(message: "offline has no \"\(verb)\"\(meant)")
    }
  }

  private static let verbs = ["create", "load", "list", "status", "invalidate", "delete", "pack", "merge"]

  private static func words(_ given: [String], _ names: [String]) throws -> [String] {
    guard given.count >= names.count else { throw UsageError(message: "\(names[given.count]) is missing") }
    guard given.count == names.count else {
      throw UsageError(message: "\"\(given[names.count])\" is one word too many")
    }
    return given
  }

  private static func number(_ text: String) throws -> Int64 {
    guard let number = Int64(text), number > 0 else {
      throw UsageError(message: "REGION: \"\(text)\" is not the number of a region")
    }
    return number
  }

  // MARK: The database

  private static func open(_ path: String, _ options: Arguments, isNew: Bool = false) throws -> Resources {
    // A name that was mistyped makes no file.
    if !isNew { _ = try Platform.readHead(path, 1) }
    var settings = Resources.Options()
    settings.cachePath = path
    settings.timeoutMilliseconds = try options.integer("--request-timeout", in: 1...86_400_000)
    let resources = try Resources(settings)
    let limit = try options.integer("--tile-limit", in: 0...Int(Int32.max))
    let limited = options.texts("--limited")
    guard (limit == nil) == limited.isEmpty else {
      throw UsageError(message: "--tile-limit N goes with --limited ADDRESS")
    }
    if let limit { try resources.setTileLimit(UInt64(limit), templates: limited) }
    return resources
  }

  // MARK: Making and loading

  private static func create(_ given: [String], _ options: Arguments) throws {
    try StyleOptions.check(given[1])
    let definition = try definition(given[1], options)
    let resources = try open(given[0], options, isNew: true)
    let region = try resources.createRegion(
      definition, metadata: options.text("--metadata").map { Array($0.utf8) } ?? [])
    if options.has("--no-load") {
      return Console.out(
        options.has("--json") ? JSONValue.members(["region": .number(Double(region))]).text : "\(region)")
    }
    try download(region, given[0], resources, options)
  }

  private static func definition(_ style: String, _ options: Arguments) throws -> JSONValue {
    let address = style.contains("://") ? style : FilePath.absolute(style)
    let zooms = try ArchiveJob.zooms(options)
    let ratio = try options.number("--pixel-ratio") ?? 1
    var members: [JSONValue.Member] = [
      .init("style_url", .string(address)), .init("min_zoom", .number(Double(zooms?.lowerBound ?? 0))),
      .init("pixel_ratio", .number(ratio)),
      .init("include_ideographs", .bool(!options.has("--no-ideographs"))),
    ]
    if let zooms { members.append(.init("max_zoom", .number(Double(zooms.upperBound)))) }
    switch (try options.box("--bbox"), options.text("--geometry")) {
    case (let box?, nil):
      let corners = [box.south, box.west, box.north, box.east]
      members.append(.init("bounds", .array(corners.map { .number($0) })))
    case (nil, let path?):
      let json: JSONValue
      do { json = try JSONValue(parsing: try Platform.readFile(path)) } catch let error as JSONError {
        throw FileError(path: path, reason: "\(error)")
      }
      members.append(.init("geometry", json["geometry"] ?? json))
    default: throw UsageError(message: "create needs --bbox W,S,E,N or --geometry FILE")
    }
    return .object(members)
  }

  private static func load(_ given: [String], _ options: Arguments) throws {
    let region = try number(given[1])
    try download(region, given[0], try open(given[0], options), options)
  }

  private static func download(
    _ region: Int64, _ path: String, _ resources: Resources, _ options: Arguments
  ) throws {
    var settings = OfflineDownload.Options()
    settings.attempts = (try options.integer("--retries", in: 0...100) ?? 3) + 1
    settings.acceptsExpired = options.has("--accept-expired")
    settings.averageBytesPerSecond = try options.integer("--rate", in: 1...1 << 30).map { $0 << 10 }
    settings.quotaBytes = try options.integer("--quota", in: 1...1 << 30).map { $0 << 20 }
    Platform.catchInterrupts()
    let faults = OfflineFaults()
    let download = try resources.downloadRegion(region, options: settings) { event in
      switch event {
      case .progress(let progress): Console.progress("region \(region) … \(words(progress))")
      case .error(let error, let resource, _):
        faults.add(resource.isEmpty ? error.message : "\(resource): \(error.message)")
      case .tileLimit(let limit): faults.add("more than \(limit) tiles of providers that ask for a limit")
      }
    }
    while !download.wait(milliseconds: 100), !Platform.isInterrupted {}
    download.cancel()
    Console.endProgress()
    let progress = download.progress
    faults.tell()
    if options.has("--json") {
      Console.out(json(region, progress).text)
    } else {
      Console.out("region \(region): \(words(progress))")
    }
    guard progress.state != .complete else { return }
    if Platform.isInterrupted {
      throw FileError(
        path: path, reason: "stopped; \"neatline offline load \(path) \(region)\" goes on from here")
    }
    throw IncompleteRegion(path: path, region: region)
  }

  // MARK: What there is

  private static func list(_ given: [String], _ options: Arguments) throws {
    let resources = try open(given[0], options)
    let regions = try resources.storedRegions
    if options.has("--json") {
      let list = try regions.map { region -> JSONValue in
        guard region.definition != nil else {
          return .members(["region": .number(Double(region.id)), "fault": .string(region.fault ?? "")])
        }
        return json(region.id, try resources.progress(ofRegion: region.id), region.definition)
      }
      return Console.out(JSONValue.array(list).text)
    }
    for region in regions {
      guard let definition = region.definition else {
        Console.warning("region \(region.id): \(region.fault ?? "")")
        continue
      }
      let progress = try resources.progress(ofRegion: region.id)
      Console.out(
        "\(region.id)  \(progress.state)  \(definition["style_url"]?.string ?? "")  \(words(progress))")
    }
  }

  private static func status(_ given: [String], _ options: Arguments) throws {
    let region = try number(given[1])
    let progress = try open(given[0], options).progress(ofRegion: region)
    if options.has("--json") { return Console.out(json(region, progress).text) }
    Console.out("region \(region): \(progress.state), \(words(progress))")
  }

  private static func merge(_ given: [String], _ options: Arguments) throws {
    let merged = try open(given[0], options).mergeRegions(from: given[1])
    if options.has("--json") {
      return Console.out(JSONValue.array(merged.map { .number(Double($0.id)) }).text)
    }
    Console.out("\(merged.count) region\(merged.count == 1 ? "" : "s")")
  }

  // MARK: Words

  private static func words(_ progress: OfflineProgress) -> String {
    let known = progress.isPrecise ? "" : "at least "
    let mib = Double(progress.byteCount) / 1_048_576
    let size = "\((mib * 10).rounded() / 10) MiB"
    let failed = progress.failedCount > 0 ? ", \(progress.failedCount) failed" : ""
    return "\(progress.completedCount) of \(known)\(progress.requiredCount) resources, "
      + "\(progress.completedTileCount) of \(known)\(progress.requiredTileCount) tiles, \(size)\(failed)"
  }

  private static func json(
    _ region: Int64, _ progress: OfflineProgress, _ definition: JSONValue? = nil
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("region", .number(Double(region))), .init("state", .string("\(progress.state)")),
      .init("precise", .bool(progress.isPrecise)),
    ]
    for (name, number) in [
      ("required", progress.requiredCount), ("requiredTiles", progress.requiredTileCount),
      ("completed", progress.completedCount), ("completedTiles", progress.completedTileCount),
      ("bytes", progress.byteCount), ("tileBytes", progress.tileByteCount),
      ("failed", progress.failedCount), ("received", progress.receivedByteCount),
    ] { members.append(.init(name, .number(Double(number)))) }
    if let definition { members.append(.init("definition", definition)) }
    return .object(members)
  }
}

/// A region that lacks something: exit status 3.
struct IncompleteRegion: Error, CustomStringConvertible {
  let path: String
  let region: Int64
  var description: String { "\(path): region \(region) is not complete" }
}
