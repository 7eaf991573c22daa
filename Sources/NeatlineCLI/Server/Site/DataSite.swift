import Neatline

/// An archive whose tiles are served. Any thread; it is opened when it is first asked for, and anew when its
/// file was replaced.
final class DataSite: @unchecked Sendable {  // everything that changes is under `lock`
  let config: ServerConfig.Data
  private let lock = Lock()
  private var opened: (archive: Archive, info: JSONValue, stamp: [Int]?)?
  /// As the file was when the catalogue was made; what is drawn from it is of this one.
  let stamp: [Int]?

  var id: String { config.id }
  var address: String { config.address }

  init(_ config: ServerConfig.Data) {
    self.config = config
    stamp = DataSite.file(config.address).flatMap { Platform.stamp($0) }
  }

  /// The file, where it is one.
  var file: String? { DataSite.file(address) }

  static func file(_ address: String) -> String? {
    var path = Substring(address)
    for scheme in ["mbtiles://", "pmtiles://", "file://"] where path.hasPrefix(scheme) {
      path = path.dropFirst(scheme.utf8.count)
    }
    return path.contains("://") ? nil : String(path)
  }

  /// The archive as it is now.
  func open() throws(NeatlineError) -> (archive: Archive, info: JSONValue) {
    let stamp = file.flatMap { Platform.stamp($0) }
    if let known = lock.locked({ opened }), known.stamp == stamp { return (known.archive, known.info) }
    let archive = try Archive(path: address)
    let info = try archive.info
    lock.locked { opened = (archive, info, stamp) }
    return (archive, info)
  }

  /// Changes with the file.
  var mark: String { "\(address) \(stamp ?? [])" }

  /// The end of the addresses of its tiles.
  static func ending(_ info: JSONValue) -> String { info["format"]?.string ?? "pbf" }

  func tileJSON(origins: [String]) throws(NeatlineError) -> JSONValue {
    var result = try open().info
    result["header"] = nil
    for member in config.tileJSON.object ?? [] { result[member.key] = member.value }
    let end = DataSite.ending(result)
    result["tiles"] = .array(
      origins.map { .string("\($0)/data/\(escaped(id))/{z}/{x}/{y}.\(end)") })
    result["id"] = .string(id)
    return result
  }

  /// The answer for a tile, in the archive's own form or as GeoJSON.
  func tile(_ z: Int, _ x: Int, _ y: Int, ending: String, acceptsGzip: Bool) -> HTTPAnswer {
    do throws(NeatlineError) {
      let (archive, info) = try open()
      let own = DataSite.ending(info)
      let isVector = own == "pbf" || own == "mvt" || own == "mlt"
      guard ending == own || isVector && (ending == "geojson" || ending == "pbf" && own == "mvt") else {
        return .text(404, "the tiles of \(id) are .\(own)\(isVector ? ", and .geojson" : "")\n")
      }
      guard let bytes = try archive.tile(z: z, x: x, y: y) else {
        guard config.isSparse else { return HTTPAnswer(status: 204, type: DataSite.type(own), body: []) }
        return .text(410, "there is no tile \(z)/\(x)/\(y)\n")
      }
      if ending == "geojson" {
        return try DataSite.geoJSON(bytes, z, x, y)
      }
      var answer = HTTPAnswer(status: 200, type: DataSite.type(own), body: bytes)
      if bytes.starts(with: [0x1f, 0x8b]) {
        if acceptsGzip {
          answer.headers.append(("Content-Encoding", "gzip"))
        } else if let plain = Gzip.unpacked(bytes, limit: DataSite.plainLimit) {
          answer.body = plain
        } else {
          return .text(500, "the tile \(z)/\(x)/\(y) of \(id) is no whole gzip\n")
        }
        answer.headers.append(("Vary", "Accept-Encoding"))
      }
      return answer.named()
    } catch {
      return failure(error)
    }
  }

  /// With the name of the archive, which not all errors have.
  func failure(_ error: NeatlineError) -> HTTPAnswer {
    var answer = HTTPAnswer.of(error)
    answer.body = Array("data \"\(id)\": ".utf8) + answer.body
    return answer
  }

  /// A tile as one collection, whose features say their layer, as tileserver-gl has it. A text that is short is
  /// sent as a whole, a longer one while it is written: features share the values of their tile, so that few
  /// bytes of tile can be many of text.
  private static func geoJSON(_ bytes: [UInt8], _ z: Int, _ x: Int, _ y: Int) throws(NeatlineError)
    -> HTTPAnswer
  {
    let tile = try Tile(decoding: bytes)
    func begin() throws(NeatlineError) -> TextStream {
      try tile.geoJSONStream(place: (z, x, y), form: .collection, limit: geoJSONLimit)
    }
    var answer = HTTPAnswer(status: 200, type: "application/geo+json", body: [])
    let text = try begin()
    while answer.body.count < wholeLimit {
      guard let piece = try text.next() else { return answer.named() }
      answer.body += piece
    }
    answer.body = []
    // A layer has 8 bytes a point, about 40 a feature, and the tile's own bytes.
    let held = try tile.layers.reduce(bytes.count) { $0 + $1.pointCount * 8 + $1.featureCount * 40 }
    answer.stream = StreamedBody(heldBytes: held + 2 * StreamedBody.pieceBytes) { () throws(NeatlineError) in
      try tile.geoJSONStream(place: (z, x, y), form: .collection, limit: geoJSONLimit)
    }
    // The same tile has the same text.
    answer.etag = "\"g\(bytes.withUnsafeBytes { Fingerprint($0).text })\""
    return answer
  }

  /// Bytes of GeoJSON that a tile may be.
  private static let geoJSONLimit = 256 << 20
  /// Bytes of GeoJSON up to which a tile is sent as a whole.
  private static let wholeLimit = 1 << 20

  /// Bytes that a tile may unpack to, for a client that takes no gzip.
  private static let plainLimit = 64 << 20

  private static func type(_ format: String) -> String {
    switch format {
    case "pbf", "mvt": "application/x-protobuf"
    case "mlt": "application/vnd.maplibre-vector-tile"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "webp": "image/webp"
    case "avif": "image/avif"
    default: "application/octet-stream"
    }
  }
}
