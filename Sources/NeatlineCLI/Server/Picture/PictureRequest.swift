import Neatline

/// What an address asks to be drawn.
struct PictureRequest: Sendable {
  enum View: Sendable {
    case tile(z: Int, x: Int, y: Int)
    case camera(Camera)
    case box(GeographicBounds)
    /// Around what is laid over the map.
    case auto
  }

  var view: View
  /// Logical pixels.
  var width: Int
  var height: Int
  /// A whole number.
  var ratio: Double
  var format: Image.Format
  /// 0: the format's usual one.
  var quality = 0
  /// Whether the answer is 503 where the picture lacks what it needs.
  var mustBeComplete = false
  /// The address that asked for it.
  let path: String
  /// What the zooms of the address are above those of a camera: its tiles have 256 pixels, a camera's 512.
  let zoomShift: Double

  /// Device pixels.
  var pixels: (width: Int, height: Int) { (width * Int(ratio), height * Int(ratio)) }

  /// What is laid over the map.
  var overlay: StaticOverlay?
  /// The part of each edge that is kept free around a box or an overlay.
  var padding = 0.0
  /// The deepest zoom of a box or an overlay, in worlds of 512 pixels.
  var maxZoom: Double?
  /// How its view is kept within the world.
  var hold = ViewHold.none
  var attribution = Attribution.none
  var scaleBar = ScaleBar.none
  var hasCompass = false
  /// What else tells it from others.
  var details = ""
  /// Whether its places are metres of EPSG:3857.
  var isRaw = false

  /// Whether it is one of a pyramid's tiles.
  var isTile: Bool { if case .tile = view { true } else { false } }

  /// Reads `[256|512/]z/x/y[@Nx].png` and `static/[raw/]VIEW/WxH[@Nx].png`; nil for what is no address of a
  /// picture. `worldEdge`: logical pixels of the world at zoom 0 of a `LON,LAT,ZOOM`.
  init?(_ given: ArraySlice<Substring>, path: String, worldEdge: Int = 512) {
    self.path = path
    zoomShift = PictureRequest.zoomShift(worldEdge)
    var parts = given
    guard parts.count >= 3, let file = parts.popLast(), let (stem, ratio, format) = PictureRequest.file(file)
    else { return nil }
    (self.ratio, self.format) = (ratio, format)
    if parts.first == "static", parts.count == 2 || parts.count == 3 && parts[parts.startIndex + 1] == "raw" {
      guard let view = PictureRequest.view(parts.last!, worldEdge, isRaw: parts.count == 3) else {
        return nil
      }
      isRaw = parts.count == 3
      if worldEdge == 256 { padding = 0.1 }
      let size = stem.split(separator: "x", omittingEmptySubsequences: false).map { PictureRequest.whole($0) }
      guard size.count == 2, let width = size[0], let height = size[1] else { return nil }
      (self.view, self.width, self.height) = (view, width, height)
    } else {
      var edge = 256
      if parts.count == 3, let first = parts.popFirst() {
        guard first == "256" || first == "512" else { return nil }
        edge = first == "512" ? 512 : 256
      }
      guard parts.count == 2, let z = PictureRequest.whole(parts[parts.startIndex]),
        let x = PictureRequest.whole(parts[parts.startIndex + 1]),
        let y = PictureRequest.whole(stem)
      else { return nil }
      (view, width, height) = (.tile(z: z, x: x, y: y), edge, edge)
    }
  }

  /// A picture's file name without `@2x` and its end, and with both read.
  private static func file(_ name: Substring) -> (stem: Substring, ratio: Double, format: Image.Format)? {
    guard let format = Image.Format(path: String(name)), let dot = name.lastIndex(of: ".") else { return nil }
    let stem = name[..<dot]
    guard let at = stem.lastIndex(of: "@") else { return (stem, 1, format) }
    let scale = stem[stem.index(after: at)...]
    // Whole numbers: every ratio has caches of its own, and a client must not have a new one made for each
    // picture.
    guard scale.hasSuffix("x"), let ratio = whole(scale.dropLast()), ratio > 0 else { return nil }
    return (stem[..<at], Double(ratio), format)
  }

  /// `LON,LAT,ZOOM`, with `@BEARING[,PITCH]` or `,BEARING,PITCH` behind it; four numbers, in brackets or not,
  /// are a box.
  private static func view(_ text: Substring, _ worldEdge: Int, isRaw: Bool) -> View? {
    if text == "auto" { return .auto }
    func place(_ x: Double, _ y: Double) -> (Double, Double) {
      isRaw ? SphericalMercator.degrees(x, y) : (x, y)
    }
    if text.hasPrefix("["), text.hasSuffix("]") {
      guard let box = numbers(text.dropFirst().dropLast()), box.count == 4 else { return nil }
      return PictureRequest.box(place(box[0], box[1]), place(box[2], box[3]))
    }
    let sides = text.split(separator: "@", omittingEmptySubsequences: false)
    guard sides.count <= 2, let first = numbers(sides[0]) else { return nil }
    if sides.count == 1, first.count == 4 { return box(place(first[0], first[1]), place(first[2], first[3])) }
    var camera = Camera()
    guard first.count == 3 || first.count == 5 && sides.count == 1 else { return nil }
    (camera.longitude, camera.latitude) = place(first[0], first[1])
    camera.zoom = first[2] - zoomShift(worldEdge)
    if first.count == 5 { (camera.bearing, camera.pitch) = (first[3], first[4]) }
    if sides.count == 2 {
      guard let turn = numbers(sides[1]), turn.count == 1 || turn.count == 2 else { return nil }
      camera.bearing = turn[0]
      if turn.count == 2 { camera.pitch = turn[1] }
    }
    return .camera(camera)
  }

  private static func box(_ low: (Double, Double), _ high: (Double, Double)) -> View {
    .box(GeographicBounds(west: low.0, south: low.1, east: high.0, north: high.1))
  }

  /// Zooms that a camera can have.
  private static let zooms = -2.0...25.5

  /// What the zooms of an address are above those of a camera.
  private static func zoomShift(_ worldEdge: Int) -> Double { worldEdge == 256 ? 1 : 0 }

  /// What cannot be of the place, in the words of the address; nil: nothing that is seen here.
  var fault: String? {
    switch view {
    case .box(let box) where box.south > box.north:
      "the box W,S,E,N has S \(JSONValue.number(box.south).text) above N \(JSONValue.number(box.north).text)"
    case .camera(let camera) where !PictureRequest.zooms.contains(camera.zoom):
      "zoom \(JSONValue.number(camera.zoom + zoomShift).text) is not within "
        + "\(JSONValue.number(PictureRequest.zooms.lowerBound + zoomShift).text) and "
        + "\(JSONValue.number(PictureRequest.zooms.upperBound + zoomShift).text)"
    default: nil
    }
  }

  private static func numbers(_ text: Substring) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { number($0) }
    return numbers.count == parts.count ? numbers : nil
  }

  /// A decimal number; `nan`, `inf` and hexadecimal are none here.
  static func number(_ text: Substring) -> Double? {
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }

  /// A number without sign, of up to 9 digits.
  static func whole(_ text: Substring) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
