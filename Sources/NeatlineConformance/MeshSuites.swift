import Glibc
import Neatline

enum EarcutSuite {
  static func cases(_ setting: Setting) throws -> [Case] {
    let expected = try JSONValue(parsing: Files.read(setting.directory + "/expected.json"))
    return (expected["triangles"]?.object ?? []).map { member in
      Case(name: member.key) {
        let json = try JSONValue(parsing: Files.read("\(setting.directory)/fixtures/\(member.key).json"))
        let rings = (json.array ?? []).map { ring in
          (ring.array ?? []).map { SIMD2($0[0]?.number ?? 0, $0[1]?.number ?? 0) }
        }
        let plain = expected["errors"]?[member.key]?.number ?? 0
        let turned = expected["errors-with-rotation"]?[member.key]?.number ?? plain
        for quarter in 0..<4 {
          try check(
            rings.map { $0.map { turn($0, quarter) } }, quarter, member.value.number ?? 0,
            allowed: quarter == 0 ? plain : turned)
        }
      }
    }
  }

  private static func turn(_ point: SIMD2<Double>, _ quarter: Int) -> SIMD2<Double> {
    switch quarter {
    case 1: SIMD2(-point.y, point.x)
    case 2: SIMD2(-point.x, -point.y)
    case 3: SIMD2(point.y, -point.x)
    default: point
    }
  }

  private static func check(_ rings: [[SIMD2<Double>]], _ quarter: Int, _ count: Double, allowed: Double)
    throws
  {
    let indices = try triangulate(rings)
    if quarter == 0, Double(indices.count / 3) != count {
      throw Failure("\(indices.count / 3) triangles, \(Int(count)) expected")
    }
    if count == 0 { return }
    let points = rings.flatMap { $0 }
    var triangles = 0.0
    for at in stride(from: 0, to: indices.count, by: 3) {
      let (a, b, c) = (points[Int(indices[at])], points[Int(indices[at + 1])], points[Int(indices[at + 2])])
      triangles += abs((a.x - c.x) * (b.y - a.y) - (a.x - b.x) * (c.y - a.y))
    }
    let area = rings.enumerated().reduce(0.0) { $0 + ($1.offset == 0 ? 1 : -1) * abs(doubleArea($1.element)) }
    let error = area == 0 && triangles == 0 ? 0 : abs((triangles - area) / area)
    if error > allowed {
      throw Failure("turned by \(quarter * 90)°: the area is off by \(error), \(allowed) allowed")
    }
  }

  private static func doubleArea(_ ring: [SIMD2<Double>]) -> Double {
    var sum = 0.0
    for (index, point) in ring.enumerated() {
      let previous = ring[index == 0 ? ring.count - 1 : index - 1]
      sum += (previous.x - point.x) * (point.y + previous.y)
    }
    return sum
  }
}

enum PMTilesSuite {
  static func cases(_ setting: Setting) -> [Case] {
    Files.list(setting.directory).filter { $0.hasSuffix(".pmtiles") }.map { file in
      Case(name: file) {
        let bytes = try Files.read("\(setting.directory)/\(file)")
        if file.hasPrefix("invalid") || file.hasPrefix("empty") {
          guard let archive = try? Archive(parsing: bytes) else { return }
          throw Failure("accepted: \((try? archive.info.text) ?? "without information")")
        }
        // Bytes 64 to 71 of the header: how many bytes of tiles there are.
        let isEmpty = bytes.count > 72 && bytes[64..<72].allSatisfy { $0 == 0 }
        try check(try Archive(parsing: bytes), isEmpty: isEmpty)
        try check(try Archive(path: "\(setting.directory)/\(file)"), isEmpty: isEmpty)
      }
    }
  }

  /// Reads the tiles within the archive's bounds, a few zooms deep: some must be there, and all must decode.
  private static func check(_ archive: Archive, isEmpty: Bool) throws {
    let info = try archive.info
    let bounds = info["bounds"]?.array?.map { $0.number ?? 0 } ?? [-180, -85, 180, 85]
    let lowest = Int(info["minzoom"]?.number ?? 0), highest = Int(info["maxzoom"]?.number ?? 0)
    var count = 0
    for z in lowest...min(highest, lowest + 4) {
      let (x0, y0) = place(bounds[0], bounds[3], z), (x1, y1) = place(bounds[2], bounds[1], z)
      for y in y0...min(y1, y0 + 16) {
        for x in x0...min(x1, x0 + 16) {
          guard let bytes = try archive.tile(z: z, x: x, y: y) else { continue }
          count += 1
          if (try? Tile(decoding: bytes)) != nil { continue }
          do { _ = try Image(decoding: bytes) } catch {
            throw Failure("tile \(z)/\(x)/\(y) decodes neither as vectors nor as a picture: \(error)")
          }
        }
      }
    }
    if count == 0, !isEmpty { throw Failure("no tile within \(bounds), zoom \(lowest) to \(highest)") }
  }

  private static func place(_ longitude: Double, _ latitude: Double, _ z: Int) -> (Int, Int) {
    let size = Double(1 << z)
    let x = (longitude + 180) / 360 * size
    let sine = sin(max(-85.05, min(85.05, latitude)) * .pi / 180)
    let y = (0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * size
    return (max(0, min(Int(size) - 1, Int(x))), max(0, min(Int(size) - 1, Int(y))))
  }
}
