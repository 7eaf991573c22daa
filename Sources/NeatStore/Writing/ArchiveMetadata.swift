// One description of a tile set for both formats. PMTiles keeps types, zooms and places in its header and the
// rest as a JSON object; MBTiles keeps everything as rows of text, with what is not text in one row named
// "json".
import NeatBase
import NeatJSON
import NeatTile

package struct ArchiveMetadata: Sendable {
  package var tileType = PMTilesHeader.TileType.unknown
  package var tileCompression = PMTilesHeader.Compression.none
  package var bounds: (west: Double, south: Double, east: Double, north: Double)?
  package var center: LonLat?
  package var centerZoom: UInt8?
  /// All that neither the header of PMTiles nor the rows of MBTiles have a place of their own for, as a JSON
  /// object.
  package var others = JSON.object([])

  /// Members that describe the tiles, and are written from what the archive holds.
  private static let placed: Set<String> = [
    "minzoom", "maxzoom", "bounds", "center", "format", "compression", "header", "tiles", "tilejson",
    "scheme",
  ]

  package init() {}

  /// From TileJSON, or from the metadata of PMTiles. `format` and `compression` name the type and the packing
  /// of the tiles.
  package init(tileJSON json: JSON) {
    if let format = json["format"]?.string { tileType = .init(format: format) }
    if let name = json["compression"]?.string { tileCompression = ArchiveMetadata.compression(name) }
    setBounds(json["bounds"]?.elements.compactMap(\.number) ?? [])
    setCenter(json["center"]?.elements.compactMap(\.number) ?? [])
    others = .object(
      json.members.filter { !ArchiveMetadata.placed.contains($0.key) }.map { ($0.key, $0.value) })
  }

  /// From the header and the metadata of PMTiles.
  package init(_ header: PMTilesHeader, metadata json: JSON) {
    tileType = header.tileType
    tileCompression = header.tileCompression
    setBounds([header.bounds.0, header.bounds.1, header.bounds.2, header.bounds.3])
    setCenter([header.center.lon, header.center.lat, Double(header.centerZoom)])
    others = .object(
      json.members.filter { !ArchiveMetadata.placed.contains($0.key) }.map { ($0.key, $0.value) })
  }

  /// From the rows of MBTiles. The object in the row "json" gives its members.
  package init(mbtiles rows: [String: String]) {
    if let format = rows["format"] { tileType = .init(format: format) }
    setBounds(rows["bounds"].map(ArchiveMetadata.numbers) ?? [])
    setCenter(rows["center"].map(ArchiveMetadata.numbers) ?? [])
    var members: [(String, JSON)] = []
    for (key, value) in rows.sorted(by: { $0.key < $1.key })
    where key != "json" && !ArchiveMetadata.placed.contains(key) {
      members.append((key, .string(value)))
    }
    if let text = rows["json"] {
      if let json = try? JSON.parse(text), json.isObject {
        for member in json.members where rows[member.key] == nil {
          members.append((member.key, member.value))
        }
      } else {
        members.append(("json", .string(text)))
      }
    }
    others = .object(members)
  }

  private mutating func setBounds(_ numbers: [Double]) {
    // Archives without bounds hold zeros.
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers != [0, 0, 0, 0],
      numbers[1] <= numbers[3]
    else { return }
    bounds = (numbers[0], numbers[1], numbers[2], numbers[3])
  }

  private mutating func setCenter(_ numbers: [Double]) {
    guard numbers.count >= 2, numbers.allSatisfy(\.isFinite) else { return }
    center = LonLat(numbers[0], numbers[1])
    if numbers.count > 2, (0...Double(TileID.maxZoom)).contains(numbers[2]) {
      centerZoom = UInt8(saturating: numbers[2])
    }
  }

  private static func numbers(_ text: String) -> [Double] {
    text.split(separator: ",").compactMap { part in Double(String(part.filter { !$0.isWhitespace })) }
  }

  private static func compression(_ name: String) -> PMTilesHeader.Compression {
    switch name.lowercased() {
    case "gzip", "gz": .gzip
    case "br", "brotli": .brotli
    case "zstd", "zstandard": .zstd
    default: .none
    }
  }

  /// Keeps of the bounds what lies in a box; the centre moves where it lies outside.
  package mutating func clip(to box: (west: Double, south: Double, east: Double, north: Double)) {
    var result = box
    if let bounds, bounds.west <= bounds.east, box.west <= box.east {
      let cut = (
        max(bounds.west, box.west), max(bounds.south, box.south), min(bounds.east, box.east),
        min(bounds.north, box.north)
      )
      if cut.0 < cut.2, cut.1 < cut.3 { result = cut }
    }
    bounds = result
    if let center, result.west <= center.lon, center.lon <= result.east, result.south <= center.lat,
      center.lat <= result.north
    {
      return
    }
    center = middle
  }

  private var middle: LonLat {
    guard let bounds else { return LonLat(0, 0) }
    let width = bounds.east - bounds.west + (bounds.west > bounds.east ? 360 : 0)
    let lon = bounds.west + width / 2
    return LonLat(lon > 180 ? lon - 360 : lon, (bounds.south + bounds.north) / 2)
  }

  // MARK: Out

  package var pmtilesJSON: [UInt8] {
    var writer = JSONWriter()
    writer.value(others)
    return writer.bytes
  }

  package func pmtilesHeader(_ counts: ArchiveCounts) -> PMTilesHeader {
    var header = PMTilesHeader(tileType: tileType, tileCompression: tileCompression)
    header.minZoom = counts.minZoom ?? 0
    header.maxZoom = counts.maxZoom ?? 0
    if let bounds { header.bounds = (bounds.west, bounds.south, bounds.east, bounds.north) }
    header.center = center ?? middle
    header.centerZoom = min(max(centerZoom ?? header.minZoom, header.minZoom), header.maxZoom)
    return header
  }

  /// Rows of MBTiles metadata, in an order that does not change.
  package func mbtilesRows(_ counts: ArchiveCounts) -> [(name: String, value: String)] {
    var rows: [(String, String)] = []
    var nested: [(String, JSON)] = []
    for member in others.members {
      if let text = member.value.string {
        rows.append((member.key, text))
      } else {
        nested.append((member.key, member.value))
      }
    }
    if !rows.contains(where: { $0.0 == "name" }) { rows.insert(("name", "tiles"), at: 0) }
    rows.append(("format", tileType.format))
    rows.append(("minzoom", "\(counts.minZoom ?? 0)"))
    rows.append(("maxzoom", "\(counts.maxZoom ?? 0)"))
    if let bounds {
      rows.append(
        (
          "bounds",
          [bounds.west, bounds.south, bounds.east, bounds.north].map(formatNumber).joined(separator: ",")
        ))
    }
    if let center {
      let zoom = min(max(centerZoom ?? counts.minZoom ?? 0, counts.minZoom ?? 0), counts.maxZoom ?? 0)
      rows.append(("center", "\(formatNumber(center.lon)),\(formatNumber(center.lat)),\(zoom)"))
    }
    if tileCompression == .brotli || tileCompression == .zstd {
      rows.append(("compression", tileCompression == .zstd ? "zstd" : "br"))
    }
    if !nested.isEmpty { rows.append(("json", JSON.object(nested).text)) }
    return rows
  }
}
