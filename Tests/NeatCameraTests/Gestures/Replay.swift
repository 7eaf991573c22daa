import NeatBase
import NeatJSON
import NeatTestSupport

@testable import NeatCamera

/// A recognizer with the camera that its host keeps, which follows what it says.
struct Player {
  var recognizer = GestureRecognizer()
  var camera: Camera
  let size: ViewSize
  var outputs: [GestureOutput] = []

  init(_ camera: Camera, _ size: ViewSize = ViewSize(width: 800, height: 600)) {
    self.camera = camera
    self.size = size
  }

  /// The gestures' beginnings and ends, without the cameras.
  var story: [String] {
    outputs.compactMap { if case .camera = $0 { nil } else { Player.text($0) } }
  }

  var cameras: [Camera] { outputs.compactMap { if case .camera(let camera) = $0 { camera } else { nil } } }

  private mutating func take(_ new: [GestureOutput]) {
    for case .camera(let camera) in new { self.camera = camera }
    outputs += new
  }

  mutating func pointer(
    _ phase: GestureInput.Pointer.Phase, _ x: Double, _ y: Double, at time: Double, id: Int64 = 0,
    _ kind: GestureInput.Pointer.Kind = .touch, _ button: GestureInput.Pointer.Button = .primary,
    _ modifiers: GestureInput.Modifiers = []
  ) throws {
    var input = GestureInput.Pointer(id: id, phase, SIMD2(x, y), atMS: time)
    (input.kind, input.button, input.modifiers) = (kind, button, modifiers)
    take(try recognizer.handle(input, camera, size))
  }

  mutating func wheel(_ x: Double, _ y: Double, _ delta: Double, at time: Double, isTrackpad: Bool = false)
    throws
  {
    take(
      try recognizer.handle(
        GestureInput.Wheel(SIMD2(x, y), delta: delta, atMS: time, isTrackpad: isTrackpad), camera, size))
  }

  mutating func key(_ key: GestureInput.Key, at time: Double, _ modifiers: GestureInput.Modifiers = []) throws
  {
    take(try recognizer.handle(key, modifiers: modifiers, atMS: time, camera, size))
  }

  mutating func frame(at time: Double) throws { take(try recognizer.update(atMS: time, camera, size)) }

  mutating func tap(_ x: Double, _ y: Double, at time: Double, id: Int64 = 0) throws {
    try pointer(.down, x, y, at: time, id: id)
    try pointer(.up, x, y, at: time + 40, id: id)
  }

  /// A drag of the pointer in even steps.
  mutating func drag(
    from: SIMD2<Double>, to: SIMD2<Double>, at time: Double, takingMS duration: Double, steps: Int = 10,
    restMS: Double = 0, id: Int64 = 0, _ kind: GestureInput.Pointer.Kind = .touch,
    _ button: GestureInput.Pointer.Button = .primary, _ modifiers: GestureInput.Modifiers = []
  ) throws {
    try pointer(.down, from.x, from.y, at: time, id: id, kind, button, modifiers)
    for step in 1...steps {
      let t = Double(step) / Double(steps)
      let p = from + (to - from) * t
      try pointer(.move, p.x, p.y, at: time + duration * t, id: id, kind, button)
    }
    try pointer(.up, to.x, to.y, at: time + duration + restMS, id: id, kind, button)
  }

  /// Two fingers go from one pair of places to another in even steps, and stay down.
  mutating func fingers(
    from: (SIMD2<Double>, SIMD2<Double>), to: (SIMD2<Double>, SIMD2<Double>), at time: Double,
    takingMS duration: Double, steps: Int = 20
  ) throws {
    try pointer(.down, from.0.x, from.0.y, at: time, id: 1)
    try pointer(.down, from.1.x, from.1.y, at: time, id: 2)
    for step in 1...steps {
      let t = Double(step) / Double(steps)
      let (a, b) = (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t)
      try pointer(.move, a.x, a.y, at: time + duration * t, id: 1)
      try pointer(.move, b.x, b.y, at: time + duration * t, id: 2)
    }
  }

  mutating func lift(at time: Double) throws {
    for pointer in recognizer.pointers {
      try self.pointer(.up, pointer.position.x, pointer.position.y, at: time, id: pointer.id)
    }
  }

  static func text(_ output: GestureOutput) -> String {
    switch output {
    case .began(let kind, let p): "began \(kind.rawValue) \(p.x) \(p.y)"
    case .ended(let kind, let animates): "ended \(kind.rawValue)\(animates ? ", animates" : "")"
    case .endedAnimating(let kind): "ended animating \(kind.rawValue)"
    case .camera(let c): "camera \(c.center.lon) \(c.center.lat) \(c.zoom) \(c.bearing) \(c.pitch)"
    }
  }

  /// Where the ground of the unit square is seen, as pictures are drawn.
  func seen(_ ground: SIMD2<Double>) throws -> SIMD2<Double> {
    let transform = try Transform(camera: camera, size: size)
    // Worlds stand side by side.
    var ground = ground
    ground.x += (transform.center.x / transform.worldSize - ground.x).rounded()
    guard let point = transform.screen(world: ground * transform.worldSize) else {
      throw NeatError(.state, "behind the eye")
    }
    return point / size.pixelRatio
  }

  /// The ground under a point, as pictures are drawn, in the unit square.
  func ground(_ x: Double, _ y: Double) throws -> SIMD2<Double> {
    let transform = try Transform(camera: camera, size: size)
    guard let world = transform.world(screen: SIMD2(x, y) * size.pixelRatio) else {
      throw NeatError(.state, "above the horizon")
    }
    return world / transform.worldSize
  }
}

/// Input as it was recorded, and what came of it.
struct Trace {
  let name: String
  private let json: JSON

  static let folder =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    + "/Traces/gestures"
  static var names: [String] {
    SharedFiles.list(folder).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
  }

  init(_ name: String) throws {
    self.name = name
    json = try JSON.parse(SharedFiles.read(Trace.folder + "/\(name).json") ?? [])
  }

  var output: [String] { json["output"]?.elements.compactMap(\.string) ?? [] }

  /// - Parameter frames: whether the frames that were drawn between the input are asked for too.
  func play(frames: Bool = true) throws -> Player {
    let camera = json["camera"]
    func member(_ name: String) -> Double { camera?[name]?.number ?? 0 }
    var player = Player(
      Camera(
        center: LonLat(member("lon"), member("lat")), zoom: member("zoom"), bearing: member("bearing"),
        pitch: member("pitch")))
    if let mode = json["options"]?["panMode"]?.string {
      var options = GestureOptions()
      options.panMode = GestureOptions.PanMode(rawValue: mode) ?? .horizontalAndVertical
      try player.recognizer.setOptions(options)
    }
    let input = json["input"].map { Array($0.elements) } ?? []
    for (index, each) in input.enumerated() {
      let isLast = index == input.count - 1
      if each["type"]?.string == "frame", !frames, !isLast { continue }
      try Trace.play(each, &player)
    }
    return player
  }

  private static func play(_ each: JSON, _ player: inout Player) throws {
    func number(_ name: String) -> Double { each[name]?.number ?? .nan }
    let modifiers: GestureInput.Modifiers = each["shift"]?.bool == true ? .shift : []
    switch each["type"]?.string {
    case "frame": try player.frame(at: number("t"))
    case "wheel":
      try player.wheel(
        number("x"), number("y"), number("delta"), at: number("t"), isTrackpad: each["trackpad"]?.bool == true
      )
    case "key":
      let keys: [String: GestureInput.Key] = [
        "plus": .plus, "minus": .minus, "left": .left, "right": .right, "up": .up, "down": .down,
      ]
      guard let key = keys[each["key"]?.string ?? ""] else { throw NeatError(.json, "key") }
      try player.key(key, at: number("t"), modifiers)
    case "pointer":
      let phases: [String: GestureInput.Pointer.Phase] = [
        "down": .down, "move": .move, "up": .up, "cancel": .cancel,
      ]
      guard let phase = phases[each["phase"]?.string ?? ""] else { throw NeatError(.json, "phase") }
      try player.pointer(
        phase, number("x"), number("y"), at: number("t"), id: Int64(each["id"]?.int ?? 0),
        each["kind"]?.string == "mouse" ? .mouse : .touch,
        each["button"]?.string == "secondary" ? .secondary : .primary, modifiers)
    default: throw NeatError(.json, "type")
    }
  }
}
