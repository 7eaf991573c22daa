/// Reads places of parameters.
struct PlaceReader: Sendable {
  /// Whether latitudes come first.
  let isSwapped: Bool
  /// Whether they are metres of EPSG:3857.
  let isRaw: Bool

  /// `LON,LAT`; nil for what has another form.
  func point(_ text: Substring, _ name: String) throws(BadParameter) -> SIMD2<Double>? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let a = PictureRequest.number(Substring(String(parts[0]).trimmed)),
      let b = PictureRequest.number(Substring(String(parts[1]).trimmed))
    else { return nil }
    var (x, y) = isSwapped ? (b, a) : (a, b)
    if isRaw { (x, y) = SphericalMercator.degrees(x, y) }
    guard abs(x) <= 360, abs(y) <= 90 else { throw BadParameter("\(name): \"\(text)\" is no place") }
    return SIMD2(x, y)
  }
}

/// A `path=`: places between bars, or `enc:` with an encoded polyline to the end, with options of its own among
/// them (`fill:red|width:3|5.9,45.8|…`).
struct StaticPath: Sendable {
  private(set) var points: [SIMD2<Double>] = []
  private(set) var options: [String: String] = [:]

  private static let names = ["fill", "stroke", "width", "border", "borderwidth", "linecap", "linejoin"]

  init(_ text: String, _ place: PlaceReader) throws(BadParameter) {
    var plain = Substring(text)
    var encoded: Substring?
    // What is encoded may have bars in it.
    if let range = StaticPath.encoding(in: text) {
      plain = text[..<range]
      encoded = text[text.index(range, offsetBy: 4)...]
    }
    for part in plain.split(separator: "|") {
      if let name = StaticPath.names.first(where: { part.hasPrefix($0 + ":") }) {
        options[name] = String(part.dropFirst(name.count + 1))
      } else if let point = try place.point(part, "path") {
        points.append(point)
      } else {
        throw BadParameter("path: \"\(part)\" is neither a place nor an option")
      }
    }
    if let encoded { points += try StaticPath.decoded(encoded) }
  }

  /// Where `enc:` is, at the beginning or behind a bar.
  private static func encoding(in text: String) -> String.Index? {
    if text.hasPrefix("enc:") { return text.startIndex }
    var index = text.startIndex
    while let bar = text[index...].firstIndex(of: "|") {
      let next = text.index(after: bar)
      if text[next...].hasPrefix("enc:") { return next }
      index = next
    }
    return nil
  }

  /// Google's encoded polyline of five decimals: latitudes first, each as the difference from the one before.
  private static func decoded(_ text: Substring) throws(BadParameter) -> [SIMD2<Double>] {
    var result: [SIMD2<Double>] = []
    var values: [Int] = []
    var (value, shift) = (0, 0)
    var (latitude, longitude) = (0, 0)
    for byte in text.utf8 {
      guard byte >= 63, byte < 127, shift <= 30 else { throw BadParameter("path: no encoded polyline") }
      let bits = Int(byte) - 63
      value |= (bits & 31) << shift
      if bits & 32 != 0 {
        shift += 5
        continue
      }
      values.append(value & 1 != 0 ? ~(value >> 1) : value >> 1)
      (value, shift) = (0, 0)
      guard values.count == 2 else { continue }
      latitude += values[0]
      longitude += values[1]
      values = []
      guard abs(latitude) <= 9_000_000, abs(longitude) <= 36_000_000 else {
        throw BadParameter("path: the encoded polyline leaves the world")
      }
      result.append(SIMD2(Double(longitude) / 1e5, Double(latitude) / 1e5))
    }
    guard shift == 0, value == 0, values.isEmpty else {
      throw BadParameter("path: the encoded polyline ends in the middle of a place")
    }
    return result
  }
}
