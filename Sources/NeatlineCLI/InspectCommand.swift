import Neatline

/// `neatline inspect`: what is inside a tile, an archive or a style.
enum InspectCommand {
  static func run(_ arguments: [String]) throws {
    let options = try Arguments(arguments, values: ["--tile"], flags: ["--json"])
    let path = try options.only("TILE, ARCHIVE or STYLE")
    do {
      try inspect(path, options)
    } catch let error as NeatlineError {
      throw FileError(path: path, reason: "\(error)")
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
        try inspect(try Tile(decoding: bytes), asJSON: asJSON)
      } else {
        inspect(try archive.info, asJSON: asJSON)
      }
      return
    }
    let bytes = try Platform.readFile(path)
    if let first = bytes.first(where: { $0 > 32 }), first == UInt8(ascii: "{") {
      try inspectStyle(path, bytes, asJSON: asJSON)
    } else {
      try inspect(try Tile(decoding: bytes), asJSON: asJSON)
    }
  }

  private static func tileAddress(_ options: Arguments) throws -> (Int, Int, Int)? {
    guard let text = options.text("--tile") else { return nil }
    let parts = text.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 3 else { throw UsageError(message: "--tile: \"\(text)\" is not Z/X/Y") }
    return (parts[0], parts[1], parts[2])
  }

  private static func inspect(_ tile: Tile, asJSON: Bool) throws {
    if asJSON { return Console.out(try tile.jsonText) }
    var table = Table(["layer", "version", "extent", "features", "points", "keys", "values"])
    for layer in try tile.layers {
      table.add([
        layer.name, "\(layer.version)", "\(layer.extent)", "\(layer.featureCount)", "\(layer.pointCount)", "\(layer.keyCount)",
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
    let renderer = try Renderer(json: String(decoding: bytes, as: UTF8.self), baseURL: path)
    let info = try renderer.info
    if asJSON { return Console.out(info.text) }
    Console.out("\(info["name"]?.string ?? ""), centre \(info["center"]?.text ?? ""), zoom \(info["zoom"]?.text ?? "")\n")
    var sources = Table(["source", "type"])
    for source in info["sources"]?.array ?? [] { sources.add([source["id"]?.string ?? "", source["type"]?.string ?? ""]) }
    Console.out(sources.text + "\n")
    var layers = Table(["layer", "type", "source", "source layer", "zooms"])
    for layer in info["layers"]?.array ?? [] {
      let low = layer["minzoom"]?.text ?? "0"
      layers.add([
        layer["id"]?.string ?? "", layer["type"]?.string ?? "", layer["source"]?.string ?? "", layer["sourceLayer"]?.string ?? "",
        "\(low)–\(layer["maxzoom"]?.text ?? "")",
      ])
    }
    Console.out(layers.text)
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
