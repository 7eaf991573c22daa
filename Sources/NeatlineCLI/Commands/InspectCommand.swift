import Neatline

/// `neatline inspect`: what is inside a tile, an archive or a style.
enum InspectCommand {
  static let entry = CommandEntry(
    name: "inspect", summary: "what is inside a tile, an archive, a style, GeoJSON or an expression",
    forms: ["TILE|ARCHIVE|STYLE|GEOJSON", "--expression JSON", "--filter JSON"],
    options: [
      OptionEntry("--json", "all of it, as JSON"),
      OptionEntry("--tile", "Z/X/Y", "this tile of the archive"),
      OptionEntry(
        "--expression", "JSON", "compile it, and show its type, what it depends on, and its program"),
      OptionEntry("--property", "NAME", "that the expression is for, such as line-width"),
      OptionEntry("--filter", "JSON", "compile it, and show its program"),
    ], example: "neatline inspect planet.pmtiles --tile 14/8717/5746", run: run)

  private static func run(_ options: Arguments) throws {
    if let text = options.text("--expression") {
      return try inspectExpression(text, property: options.text("--property"))
    }
    if let text = options.text("--filter") { return try inspectFilter(text) }
    let path = try options.only("TILE, ARCHIVE or STYLE")
    do {
      try inspect(path, options)
    } catch let error as NeatlineError {
      throw FileError(
        path: path,
        reason: error.message.hasPrefix(path + ": ")
          ? String(error.message.dropFirst(path.count + 2)) : error.message)
    }
  }

  private static func inspect(_ path: String, _ options: Arguments) throws {
    let asJSON = options.has("--json")
    let head = try Platform.readHead(path, 16)
    if head.starts(with: Array("SQLite format 3".utf8)) || head.starts(with: Array("PMTiles".utf8)) {
      let archive = try Archive(path: path)
      if let tile = try tileAddress(options) {
        guard let bytes = try archive.tile(z: tile.0, x: tile.1, y: tile.2) else {
          throw FileError(path: path, reason: "no tile \(tile.0)/\(tile.1)/\(tile.2)")
        }
        if let image = try? Image(decoding: bytes) {
          Console.out("picture of \(image.width) x \(image.height) pixels, \(bytes.count) bytes")
        } else {
          try inspect(try Tile(decoding: bytes), asJSON: asJSON)
        }
      } else {
        inspect(try archive.info, asJSON: asJSON)
      }
      return
    }
    var bytes = try Platform.readFile(path)
    if bytes.isEmpty { throw FileError(path: path, reason: "empty file") }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    if let first = bytes.first(where: { $0 > 32 }), first == UInt8(ascii: "{") {
      try inspectStyle(path, bytes, asJSON: asJSON)
    } else {
      do {
        try inspect(try Tile(decoding: bytes), asJSON: asJSON)
      } catch {
        // Packed GeoJSON looks like a packed tile.
        guard bytes.starts(with: [0x1F, 0x8B]), let index = try? GeoJSONIndex(parsing: bytes) else {
          throw error
        }
        inspect(index, asJSON: asJSON)
      }
    }
  }

  private static func inspect(_ index: GeoJSONIndex, asJSON: Bool) {
    Console.out(asJSON ? "{\"features\":\(index.featureCount)}" : "GeoJSON of \(index.featureCount) features")
  }

  /// What an expression or legacy function is: its type, what it depends on, and what the machine runs.
  private static func inspectExpression(_ text: String, property: String?) throws {
    do {
      let expression = try CompiledExpression(text: text, spec: property.map { .string($0) })
      let info = try expression.info
      let parts = [("isZoomConstant", "zoom"), ("isFeatureConstant", "the feature")].filter {
        info[$0.0]?.bool == false
      }.map(\.1)
      Console.out(
        "type \(info["type"]?.string ?? ""), depends on \(parts.isEmpty ? "nothing" : parts.joined(separator: " and "))"
      )
      Console.out(try expression.disassembly)
    } catch {
      throw FileError(path: "--expression", reason: reason(error))
    }
  }

  private static func inspectFilter(_ text: String) throws {
    guard let json = try? JSONValue(parsing: text) else {
      throw FileError(path: "--filter", reason: "not JSON")
    }
    do {
      Console.out(try Filter(json).disassembly)
    } catch {
      throw FileError(path: "--filter", reason: reason(error))
    }
  }

  /// The words of a compiler's errors, each with its place.
  private static func reason(_ error: NeatlineError) -> String {
    guard let errors = (try? JSONValue(parsing: error.message))?.array else { return error.message }
    return errors.map { "\($0["key"]?.string ?? ""): \($0["error"]?.string ?? "")" }.joined(separator: "\n")
  }

  private static func tileAddress(_ options: Arguments) throws -> (Int, Int, Int)? {
    guard let text = options.text("--tile") else { return nil }
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    let parts = words.compactMap { Int($0) }
    guard words.count == 3, parts.count == 3 else {
      throw UsageError(message: "--tile: \"\(text)\" is not Z/X/Y")
    }
    return (parts[0], parts[1], parts[2])
  }

  private static func inspect(_ tile: Tile, asJSON: Bool) throws {
    for fault in try tile.faults() {
      let more = fault.count > 1 ? ", and \(fault.count - 1) more" : ""
      let place = fault.offset.map { " (byte \($0))" } ?? ""
      Console.warning("left out: \(fault.message)\(place)\(more)")
    }
    if asJSON {
      let text = try tile.geoJSONStream()
      while let piece = try text.next() { Console.raw(String(decoding: piece, as: UTF8.self)) }
      return Console.raw("\n")
    }
    var table = Table(["layer", "version", "extent", "features", "points", "keys", "values"])
    for layer in try tile.layers {
      table.add([
        layer.name, "\(layer.version)", "\(layer.extent)", "\(layer.featureCount)", "\(layer.pointCount)",
        "\(layer.keyCount)",
        "\(layer.valueCount)",
      ])
    }
    Console.out(table.text)
  }

  private static func inspect(_ info: JSONValue, asJSON: Bool) {
    if asJSON { return Console.out(info.text) }
    var table = Table(["member", "value"])
    for member in info.object ?? [] {
      if member.key == "vector_layers" {
        let names = member.value.array?.compactMap { $0["id"]?.string } ?? []
        table.add(["vector_layers", names.joined(separator: ", ")])
      } else {
        table.add([member.key, member.value.string ?? member.value.text])
      }
    }
    Console.out(table.text)
  }

  private static func inspectStyle(_ path: String, _ bytes: [UInt8], asJSON: Bool) throws {
    guard let document = try? JSONValue(parsing: bytes),
      document["layers"] != nil || document["version"] != nil
    else {
      // What has no layers is no style, but may be GeoJSON.
      return inspect(try GeoJSONIndex(parsing: bytes), asJSON: asJSON)
    }
    let renderer = try Renderer(json: String(decoding: bytes, as: UTF8.self), baseURL: path)
    // What cannot be had in time is left out: the rest is worth showing.
    let attribution = (try? renderer.attribution(deadline: 5000)) ?? []
    let info = try renderer.info
    if asJSON { return Console.out(info.text) }
    Console.out(
      "\(info["name"]?.string ?? ""), centre \(info["center"]?.text ?? ""), zoom \(info["zoom"]?.text ?? "")\n"
    )
    var sources = Table(["source", "type"])
    for source in info["sources"]?.array ?? [] {
      sources.add([source["id"]?.string ?? "", source["type"]?.string ?? ""])
    }
    Console.out(sources.text + "\n")
    var layers = Table(["layer", "type", "source", "source layer", "zooms"])
    for layer in info["layers"]?.array ?? [] {
      let low = layer["minzoom"]?.text ?? "0"
      layers.add([
        layer["id"]?.string ?? "", layer["type"]?.string ?? "", layer["source"]?.string ?? "",
        layer["sourceLayer"]?.string ?? "",
        "\(low)–\(layer["maxzoom"]?.text ?? "")",
      ])
    }
    Console.out(layers.text)
    if !attribution.isEmpty { Console.out("\nattribution: \(attribution.joined(separator: " | "))") }
  }
}

/// Text in columns.
struct Table {
  private var rows: [[String]]

  init(_ header: [String]) { rows = [header] }

  mutating func add(_ row: [String]) { rows.append(row) }

  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
