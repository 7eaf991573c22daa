import Glibc
import Neatline

/// A style that is loaded and put through its operations, as `metadata.test` wants it.
final class MapCase {
  static let loadTimeout = 15_000

  let test: JSONValue
  let map: Map
  let loop: EventLoop
  let addresses: StyleAddresses
  let width: Int, height: Int
  let ratio: Double
  /// Milliseconds that have passed, in cases that let time pass: it stands still in between. Nil: time goes by itself.
  private var time: Double?
  /// Whether nothing loads any more: the loop stands still.
  private var isPaused = false
  /// What failed to load, for the reasons of failures.
  private(set) var problems: [String] = []

  init(_ name: String, _ setting: Setting) throws {
    addresses = StyleAddresses(assets: setting.assets)
    let source = try JSONValue(parsing: Files.read("\(setting.directory)/\(name)/style.json"))
    test = source["metadata"]?["test"] ?? [:]
    width = Int(test["width"]?.number ?? 512)
    height = Int(test["height"]?.number ?? 512)
    ratio = MapCase.ratio(test, width, height)
    loop = try EventLoop()
    var options = Options()
    // The expectations have no samples between pixels.
    options.smoothEdges = false
    // Nor are letters moved apart on bends.
    options.spreadLetters = false
    options.crossSourceCollisions = test["crossSourceCollisions"]?.bool ?? true
    map = try Map(loop: loop, width: width, height: height, pixelRatio: ratio, options: options)
    // Cases say where they look, also past what a map is limited to by itself; but on the plane the expectations' maps
    // do not look past the world.
    let projection = source["projection"]?["type"]
    let isPlane = projection == nil || projection?.string == "mercator"
    try map.setCameraLimits(
      CameraLimits(
        mode: isPlane ? .screen : .none, minZoom: -2, maxZoom: test["maxZoom"]?.number ?? 22,
        // The expectations' maps tilt to 60° where the case says nothing else.
        maxPitch: test["maxPitch"]?.number ?? 60))
    if test["terrainSkirtLength"]?.string == "none" { map.setTerrainSkirts(false) }
    if MapCase.letsTimePass(test) {
      try map.setFramePacing(.host)
      time = 0
    }
    map.debugOptions = MapCase.debugOptions(test)
    map.onEvery(event: .mapLoadingError) { [weak self] in self?.problems.append("\($0.payload)") }
    try map.setStyle(
      json: addresses.rewritten(MapCase.withCanvas(source, test)).text, baseURL: setting.assets + "/")
    try load()
  }

  /// Cases in which labels fade are left to the loop's own clock.
  private static func letsTimePass(_ test: JSONValue) -> Bool {
    test["fadeDuration"] == nil
      && (test["operations"]?.array ?? []).contains { operation in
        ["wait", "sleep"].contains(operation[0]?.string) && operation[1]?.number != nil
      }
  }

  /// What a case wants to see of how its picture is made.
  private static func debugOptions(_ test: JSONValue) -> [MapDebugOptions] {
    func has(_ name: String) -> Bool { test[name]?.bool == true }
    return (has("debug") ? [.tileBorders, .parseStatus] : [])
      + (has("collisionDebug") ? [.collision] : []) + (has("showOverdrawInspector") ? [.overdraw] : [])
      + (has("showPadding") ? [.padding] : [])
  }

  /// Device pixels per logical pixel: the expectations' canvas is not larger than this.
  private static func ratio(_ test: JSONValue, _ width: Int, _ height: Int) -> Double {
    let canvas = 8192.0
    let wanted = test["pixelRatio"]?.number ?? 1
    return min(wanted, canvas / Double(max(width, 1)), canvas / Double(max(height, 1)))
  }

  /// The style with a picture in the place of the canvas that a case has beside its map.
  static func withCanvas(_ style: JSONValue, _ test: JSONValue) -> JSONValue {
    guard let canvas = test["addFakeCanvas"], let id = canvas["id"]?.string,
      var path = canvas["image"]?.string, case .object(let members) = style,
      case .object(let sources)? = style["sources"]
    else { return style }
    if path.hasPrefix("./") { path.removeFirst(2) }
    let replaced = sources.map { source in
      guard source.value["type"]?.string == "canvas", source.value["canvas"]?.string == id else {
        return source
      }
      return JSONValue.Member(
        source.key,
        .members([
          "type": "image", "url": .string("local://\(path)"),
          "coordinates": source.value["coordinates"] ?? .null,
        ]))
    }
    return .object(members.map { $0.key == "sources" ? .init("sources", .object(replaced)) : $0 })
  }

  /// Waits until nothing is under way.
  func load() throws {
    guard !isPaused else { return }
    guard let time else {
      loop.run(timeout: MapCase.loadTimeout)
      return
    }
    // Labels that fade never come to rest while time stands still.
    for _ in 0..<64 {
      let wasLoaded = map.isLoaded
      try map.beginFrame(milliseconds: time)
      loop.run(timeout: MapCase.loadTimeout)
      _ = try map.draw()
      if wasLoaded, map.isLoaded { return }
    }
  }

  /// Lets time pass, with frames.
  func pass(milliseconds: Int) throws {
    if let before = time {
      // What was begun begins now, and the expectations' tiles are there at once.
      try map.beginFrame(milliseconds: before)
      _ = try map.draw()
      for _ in 0..<MapCase.loadTimeout / 10 where !isPaused && !map.isLoaded {
        loop.run(timeout: 10)
        _ = try map.draw()
      }
      time = before + Double(milliseconds)
      try map.beginFrame(milliseconds: before + Double(milliseconds))
      loop.run(timeout: 1)
      _ = try map.draw()
      return
    }
    var start = timespec()
    clock_gettime(CLOCK_MONOTONIC, &start)
    loop.run(timeout: max(1, milliseconds))
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let left =
      milliseconds * 1000
      - (Int(now.tv_sec - start.tv_sec) * 1_000_000 + (now.tv_nsec - start.tv_nsec) / 1000)
    if left > 0 { usleep(UInt32(left)) }
    _ = try map.draw()
  }

  func runOperations() throws {
    for operation in test["operations"]?.array ?? [] {
      guard let words = operation.array, let name = words.first?.string else {
        throw Failure("an operation without a name")
      }
      do { try run(name, Array(words.dropFirst())) } catch { throw Failure("\(name): \(error)") }
    }
    try load()
  }

  private func run(_ name: String, _ arguments: [JSONValue]) throws {
    func argument(_ index: Int) -> JSONValue { index < arguments.count ? arguments[index] : .null }
    func text(_ index: Int) throws -> String {
      guard let text = argument(index).string else { throw Failure("argument \(index) is no text") }
      return text
    }
    func value(_ index: Int) -> JSONValue? {
      argument(index).isNull ? nil : addresses.rewritten(argument(index))
    }
    switch name {
    case "wait", "sleep":
      if let milliseconds = argument(0).number {
        try pass(milliseconds: Int(milliseconds))
      } else {
        try load()
      }
    case "idle": try load()
    case "addImage":
      let options = argument(2)
      var path = try text(1)
      if path.hasPrefix("./") { path.removeFirst(2) }
      let image = try Image(decoding: Files.read("\(addresses.assets)/\(path)"))
      try map.addImage(
        text(0), image, pixelRatio: options["pixelRatio"]?.number ?? 1, isSDF: options["sdf"]?.bool ?? false)
    case "removeImage": try map.removeImage(text(0))
    case "setStyle":
      try map.setStyle(json: addresses.style(argument(0)).text, baseURL: addresses.assets + "/")
    case "setPaintProperty": try map.setPaintProperty(layer: text(0), text(1), value(2))
    case "setLayoutProperty": try map.setLayoutProperty(layer: text(0), text(1), value(2))
    case "setFilter": try map.setFilter(layer: text(0), value(1))
    case "setLayerZoomRange":
      try map.setLayerZoomRange(layer: text(0), min: argument(1).number ?? 0, max: argument(2).number ?? 24)
    case "addLayer":
      try map.addLayer(json: addresses.rewritten(argument(0)), before: argument(1).string ?? "")
    case "addCustomLayer":
      let before = argument(1).string
      try map.style.addCustomLayer(
        withId: text(0), layerHost: SuiteLayer.named(text(0)),
        layerPosition: before.map { .below($0) } ?? .default)
    case "pauseTiles": isPaused = true
    case "moveLayer": try map.moveLayer(text(0), before: argument(1).string ?? "")
    case "removeLayer": try map.removeLayer(text(0))
    case "addSource": try map.addSource(text(0), json: addresses.rewritten(argument(1)))
    case "removeSource": try map.removeSource(text(0))
    case "setFeatureState": try map.setFeatureState(argument(0), argument(1))
    case "removeFeatureState": try map.removeFeatureState(argument(0), key: argument(1).string ?? "")
    case "setTerrain", "setLight", "setSky", "setProjection", "setGlyphs", "setSprite":
      try map.setStyleProperty(name.dropFirst(3).lowercased(), value(0))
    case "setGlobalStateProperty":
      try map.setStyleProperty("state", .object([.init(try text(0), argument(1))]))
    case "setCenterClampedToGround": if argument(0).bool == true { try map.setCenterElevation(nil) }
    case "setCenterElevation": try map.setCenterElevation(argument(0).number)
    case "querySourceFeatures":
      _ = try map.querySourceFeatures(for: argument(0)[0]?.string ?? text(0))
    default: try move(name, argument(0))
    }
  }

  /// The operations that move the camera.
  private func move(_ name: String, _ value: JSONValue) throws {
    var camera = try map.camera
    switch name {
    case "setZoom": camera.zoom = value.number ?? camera.zoom
    case "setCenter": MapCase.center(&camera, value)
    case "setBearing": camera.bearing = value.number ?? camera.bearing
    case "setPitch": camera.pitch = value.number ?? camera.pitch
    case "setRoll": camera.roll = value.number ?? camera.roll
    case "setVerticalFieldOfView": camera.fieldOfView = value.number
    case "setPadding": camera.padding = MapCase.padding(value)
    case "easeTo", "jumpTo", "flyTo":
      if let center = value["center"] { MapCase.center(&camera, center) }
      camera.zoom = value["zoom"]?.number ?? camera.zoom
      camera.bearing = value["bearing"]?.number ?? camera.bearing
      camera.pitch = value["pitch"]?.number ?? camera.pitch
      camera.roll = value["roll"]?.number ?? camera.roll
      if let padding = value["padding"] { camera.padding = MapCase.padding(padding) }
      if name != "jumpTo" {
        return try map.ease(to: camera, duration: (value["duration"]?.number ?? 500) / 1000)
      }
    default: throw Failure("unsupported operation")
    }
    try map.setCamera(camera)
  }

  private static func center(_ camera: inout Camera, _ value: JSONValue) {
    camera.longitude = value[0]?.number ?? value["lng"]?.number ?? camera.longitude
    camera.latitude = value[1]?.number ?? value["lat"]?.number ?? camera.latitude
  }

  private static func padding(_ value: JSONValue) -> Camera.Padding {
    if let all = value.number { return Camera.Padding(top: all, left: all, bottom: all, right: all) }
    func side(_ name: String) -> Double { value[name]?.number ?? 0 }
    return Camera.Padding(top: side("top"), left: side("left"), bottom: side("bottom"), right: side("right"))
  }
}
