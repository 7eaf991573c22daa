import Glibc
import Neatline

/// Answers of MapLibre GL JS about its camera: `camera/*.json`, each a list of cases of one kind.
enum CameraSuite {
  static func cases(_ setting: Setting) throws -> [Case] {
    let kinds: [(String, (JSONValue) throws -> Void)] = [
      ("constrain", constrain), ("ease", { try course($0, .ease) }), ("fit", fit),
      ("fly", { try course($0, .fly) }), ("fly-duration", duration), ("project-globe", project),
      ("project-mercator", project),
    ]
    return try kinds.flatMap { kind, run in
      let list = try JSONValue(parsing: Files.read("\(setting.directory)/\(kind).json")).array ?? []
      return list.enumerated().map { index, one in
        Case(name: "\(kind)/\(one["id"]?.string ?? "\(index)")") { try run(one) }
      }
    }
  }

  // MARK: Reading

  private static func number(_ value: JSONValue?, _ name: String) throws -> Double {
    guard let number = value?.number else { throw Failure("the case has no number \"\(name)\"") }
    return number
  }

  private static func pair(_ value: JSONValue?, _ name: String) throws -> (Double, Double) {
    guard let list = value?.array, list.count == 2, let a = list[0].number, let b = list[1].number else {
      throw Failure("the case has no pair \"\(name)\"")
    }
    return (a, b)
  }

  private static func size(_ one: JSONValue) throws -> PictureSize {
    let (width, height) = try pair(one["size"], "size")
    return PictureSize(Int(width), Int(height))
  }

  private static func box(_ value: JSONValue?) throws -> GeographicBounds? {
    guard let list = value?.array else { return nil }
    let sides = list.compactMap(\.number)
    guard sides.count == 4 else { throw Failure("the case has bounds of \(list.count) numbers") }
    return GeographicBounds(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
  }

  /// A number for all sides, or some of them.
  private static func padding(_ value: JSONValue?) -> Camera.Padding {
    if let all = value?.number { return Camera.Padding(top: all, left: all, bottom: all, right: all) }
    return Camera.Padding(
      top: value?["top"]?.number ?? 0, left: value?["left"]?.number ?? 0,
      bottom: value?["bottom"]?.number ?? 0, right: value?["right"]?.number ?? 0)
  }

  /// `start` with what a case gives.
  private static func camera(_ value: JSONValue?, over start: Camera = Camera()) throws -> Camera {
    guard let value else { throw Failure("the case has no camera") }
    var camera = start
    if value["center"] != nil { (camera.longitude, camera.latitude) = try pair(value["center"], "center") }
    camera.zoom = value["zoom"]?.number ?? start.zoom
    camera.bearing = value["bearing"]?.number ?? start.bearing
    camera.pitch = value["pitch"]?.number ?? start.pitch
    camera.roll = value["roll"]?.number ?? start.roll
    if value["padding"] != nil { camera.padding = padding(value["padding"]) }
    return camera
  }

  // MARK: Comparing

  /// Degrees apart, modulo 360.
  private static func apart(_ a: Double, _ b: Double) -> Double {
    let way = abs(a - b).truncatingRemainder(dividingBy: 360)
    return min(way, 360 - way)
  }

  private static func check(_ name: String, _ found: Double, _ expected: Double, within tolerance: Double)
    throws
  {
    // Not a number is not near.
    guard abs(found - expected) <= tolerance else {
      throw Failure("\(name) \(found), \(expected) expected, \(tolerance) allowed")
    }
  }

  private static func check(_ name: String, angle found: Double, _ expected: Double, within tolerance: Double)
    throws
  {
    guard apart(found, expected) <= tolerance else {
      throw Failure("\(name) \(found), \(expected) expected, \(tolerance) allowed")
    }
  }

  private static func check(
    _ found: Camera, _ expected: JSONValue?, center: Double, zoom: Double, at place: String = ""
  ) throws {
    let wanted = try camera(expected, over: found)
    try check("\(place)zoom", found.zoom, wanted.zoom, within: zoom)
    try check("\(place)longitude", angle: found.longitude, wanted.longitude, within: center)
    try check("\(place)latitude", found.latitude, wanted.latitude, within: center)
    try check("\(place)bearing", angle: found.bearing, wanted.bearing, within: 1e-6)
    try check("\(place)pitch", found.pitch, wanted.pitch, within: 1e-6)
    try check("\(place)roll", angle: found.roll, wanted.roll, within: 1e-6)
    for (name, side) in [
      ("top", \Camera.Padding.top), ("left", \.left), ("bottom", \.bottom), ("right", \.right),
    ] {
      try check(
        "\(place)padding \(name)", found.padding[keyPath: side], wanted.padding[keyPath: side], within: 1e-6)
    }
  }

  /// The width of a view in degrees, as its centre has it.
  private static func width(_ size: PictureSize, zoom: Double) -> Double {
    Double(size.width) * 360 / (512 * exp2(zoom))
  }

  // MARK: Kinds

  private static func project(_ one: JSONValue) throws {
    let size = try size(one)
    var camera = try camera(one["camera"])
    camera.padding = padding(one["padding"])
    camera.fieldOfView = one["fov"]?.number
    let projection: CameraProjection =
      one["projection"]?.string == "vertical-perspective" ? .globe : .mercator
    let degrees = 1e-6 * min(360, width(size, zoom: camera.zoom))
    for (index, point) in (one["points"]?.array ?? []).enumerated() {
      let (longitude, latitude) = try pair(point["lnglat"], "lnglat")
      var place = Coordinate(longitude: longitude, latitude: latitude)
      if point["point"] != nil {
        let (x, y) = try pair(point["point"], "point")
        guard let found = try camera.coordinate(for: ScreenPoint(x, y), in: size, projection: projection)
        else {
          throw Failure("point \(index): no place")
        }
        try check("point \(index) longitude", angle: found.longitude, longitude, within: degrees)
        try check("point \(index) latitude", found.latitude, latitude, within: degrees)
        // Which of the worlds that stand side by side it is counts on the way back.
        place.longitude = found.longitude
      }
      let way = point["back"] ?? point["project"]
      guard let way else { continue }
      let (x, y) = try pair(way, "back")
      guard let seen = try camera.projected([place], in: size, projection: projection)[0] else {
        throw Failure("point \(index): behind the eye")
      }
      try check("point \(index) x", seen.x, x, within: 0.001)
      try check("point \(index) y", seen.y, y, within: 0.001)
    }
    guard let wanted = try box(one["bounds"]) else { return }
    let found = try camera.coordinateBoundsUnwrapped(in: size, projection: projection)
    let span = wanted.east - wanted.west
    let tolerance = projection == .globe ? 1e-3 * span : max(degrees, 1e-6 * span)
    try check("west", angle: found.west, wanted.west, within: tolerance)
    try check("east", angle: found.east, wanted.east, within: tolerance)
    try check("width", found.east - found.west, span, within: 2 * tolerance)
    try check("south", found.south, wanted.south, within: tolerance)
    try check("north", found.north, wanted.north, within: tolerance)
  }

  private static func fit(_ one: JSONValue) throws {
    guard let bounds = try box(one["bounds"]) else { throw Failure("the case has no bounds") }
    var (options, camera) = (FitOptions(), Camera())
    let given = one["options"]
    options.padding = padding(given?["padding"])
    if let zoom = given?["maxZoom"]?.number { options.maxZoom = zoom }
    if given?["offset"] != nil {
      let (x, y) = try pair(given?["offset"], "offset")
      options.offset = ScreenPoint(x, y)
    }
    camera.bearing = given?["bearing"]?.number ?? 0
    camera = try camera.fitting(bounds, in: try size(one), options: options)
    try check(camera, one["result"], center: 1e-6, zoom: 1e-6)
  }

  /// GL JS holds every camera within the height of the world.
  private static let world = CameraLimits(mode: .screen)

  private static func course(_ one: JSONValue) throws -> (CameraCourse, PictureSize) {
    let from = try camera(one["from"])
    let to = one["to"]
    var course = CameraCourse(.fly, from: from, to: try camera(to, over: from))
    course.limits = world
    course.keepsCenter = to?["center"] == nil
    if to?["around"] != nil {
      let (longitude, latitude) = try pair(to?["around"], "around")
      course.around = Coordinate(longitude: longitude, latitude: latitude)
    }
    if to?["offset"] != nil {
      let (x, y) = try pair(to?["offset"], "offset")
      course.offset = ScreenPoint(x, y)
    }
    course.curve = to?["curve"]?.number ?? course.curve
    course.minZoom = to?["minZoom"]?.number
    course.speed = to?["speed"]?.number ?? course.speed
    course.screenSpeed = to?["screenSpeed"]?.number
    course.maxDuration = (to?["maxDuration"]?.number).map { $0 / 1000 }
    return (course, try size(one))
  }

  private static func course(_ one: JSONValue, _ kind: CameraCourse.Kind) throws {
    var (course, size) = try course(one)
    course.kind = kind
    for sample in one["samples"]?.array ?? [] {
      let t = try number(sample["t"], "t")
      let found = try course.camera(at: t, in: size)
      let degrees = 1e-6 * width(size, zoom: try number(sample["zoom"], "zoom"))
      try check(found, sample, center: degrees, zoom: 1e-6, at: "at \(t): ")
    }
  }

  private static func duration(_ one: JSONValue) throws {
    let (course, size) = try course(one)
    let wanted = try number(one["duration_ms"], "duration_ms")
    try check("duration", try 1000 * course.duration(in: size), wanted, within: 1e-3 * wanted)
  }

  private static func constrain(_ one: JSONValue) throws {
    var limits = world
    limits.bounds = try box(one["bounds"])
    limits.minZoom = one["minZoom"]?.number ?? limits.minZoom
    limits.maxZoom = one["maxZoom"]?.number ?? limits.maxZoom
    if case .bool(let repeats)? = one["renderWorldCopies"] { limits.repeatsWorld = repeats }
    let size = try size(one)
    let found = try camera(one["ask"]).constrained(by: limits, in: size)
    let zoom = try number(one["result"]?["zoom"], "zoom")
    try check(found, one["result"], center: 1e-6 * width(size, zoom: zoom), zoom: 1e-6)
  }
}
