import NeatBase
import NeatCamera
import NeatLayout
import NeatPlacement
import NeatResource
import NeatStyle
import NeatTestSupport

@testable import NeatLive
@testable import NeatMap

/// Frames of a map one after the other, at times that the test sets, and what is seen of their labels.
struct LabelFilm {
  /// A label as a frame shows it.
  struct Label {
    var layer: String
    var key: UInt64
    var id: UInt32
    /// In worlds.
    var place: SIMD2<Double>
    /// Device pixels.
    var point: SIMD2<Double>
    var text: Float
    var icon: Float
    /// Whether it stands; else it goes out.
    var standsText: Bool
    var standsIcon: Bool
  }

  struct Shot {
    var timeMS: Double
    var camera: Camera
    /// Whether labels were placed for it.
    var isPlaced: Bool
    var isAtRest: Bool
    var labels: [Label]
    var frame: Frame
  }

  let core: MapCore
  let loader: ResourceLoader
  let size: ViewSize
  var executor = Executor.inline
  var history = FrameHistory()
  var fadeMS = 300.0
  var audience = FrameStep.Audience.present

  init(_ style: Style, base: String = "", size: ViewSize = ViewSize(width: 512, height: 512)) throws {
    let environment = try MapEnvironment()
    core = environment.makeCore(style, base: base, pixelRatio: size.pixelRatio)
    loader = environment.loader
    self.size = size
  }

  func load(_ camera: Camera) throws {
    let client = ResourceClient(isOver: { false }, load: { [loader] in loader.load($0, deadline: .never) })
    try core.load(try Transform(camera: camera, size: size), client: client, executor: executor)
  }

  /// The next frame, of what is loaded.
  mutating func shoot(_ camera: Camera, atMS time: Double) throws -> Shot {
    let transform = try Transform(camera: camera, size: size)
    let before = history.labels
    let frame = core.frame(
      transform, step: FrameStep(history: history, timeMS: time, fadeMS: fadeMS, audience: audience))
    guard let result = frame.outcome, let labels = result.history.labels else {
      throw NeatError(.state, "a frame without labels")
    }
    history = result.history
    return Shot(
      timeMS: time, camera: camera, isPlaced: before?.standing !== labels.standing,
      isAtRest: result.isAtRest, labels: self.labels(labels, transform), frame: frame)
  }

  private func labels(_ labels: LabelHistory, _ transform: Transform) -> [Label] {
    let share = labels.share(at: history.clock.now, fadeMS: fadeMS)
    var found: [Label] = []
    for layer in labels.layers {
      for tile in layer.tiles + layer.held {
        let edge = Double(UInt64(1) << UInt64(tile.id.canonical.z))
        for number in tile.standing {
          let instance = tile.bucket.geometry.instances[Int(number)]
          let id = tile.ids[Int(number)]
          let record = labels.records[Int(id)]
          let anchor = SIMD2(Double(instance.anchor.x), Double(instance.anchor.y)) / TileUnits.extent
          let column = Double(tile.id.canonical.x) + Double(tile.id.wrap) * edge
          let place = (SIMD2(column, Double(tile.id.canonical.y)) + anchor) / edge
          let point = transform.screen(world: place * transform.worldSize) ?? SIMD2(-1e6, -1e6)
          let text = record.text(after: share), icon = record.icon(after: share)
          guard text > 0 || icon > 0 || record.standsText || record.standsIcon else { continue }
          found.append(
            Label(
              layer: layer.id, key: instance.key, id: id, place: place, point: point, text: text, icon: icon,
              standsText: record.standsText, standsIcon: record.standsIcon))
        }
      }
    }
    return found
  }

  func pixels(_ shot: Shot) throws -> [UInt32] { try LabelFilm.pixels(shot.frame, executor) }

  static func pixels(_ frame: Frame, _ executor: Executor = .inline) throws -> [UInt32] {
    let bitmap = try frame.rasterize(executor)
    return Array(UnsafeBufferPointer(start: bitmap.pixels, count: bitmap.width * bitmap.height))
  }

  /// The picture of a map without a past.
  func still(_ camera: Camera) throws -> [UInt32] {
    try LabelFilm.pixels(core.frame(try Transform(camera: camera, size: size)))
  }
}

/// What disturbs in a film: labels that blink, and labels that jump.
struct LabelFaults {
  var blinks = 0
  var examples: [String] = []
  /// The farthest that a label's place moves from a frame to the next, in pixels.
  var jump = 0.0
  /// Labels that were followed from a placement to the next.
  var followed = 0

  /// Labels of one text whose places are no farther from each other, in pixels, are one.
  static let reach = 4.0

  init(_ shots: [LabelFilm.Shot], _ size: ViewSize) {
    let placements = shots.indices.filter { shots[$0].isPlaced }
    for (first, last) in zip(placements, placements.dropFirst()) {
      for label in shots[first].labels {
        if label.standsText { follow(label, shots[first...last], size, \.text, \.standsText) }
        if label.standsIcon { follow(label, shots[first...last], size, \.icon, \.standsIcon) }
      }
    }
    for (a, b) in zip(shots, shots.dropFirst()) { noteJumps(a, b) }
  }

  /// A label that stands from a placement to the next, and stays in view, is drawn all the time and does not grow
  /// fainter.
  private mutating func follow(
    _ label: LabelFilm.Label, _ shots: ArraySlice<LabelFilm.Shot>, _ size: ViewSize,
    _ opacity: KeyPath<LabelFilm.Label, Float>, _ stands: KeyPath<LabelFilm.Label, Bool>
  ) {
    guard let end = shots.last.flatMap({ LabelFaults.find(label, in: $0) }), end[keyPath: stands] else {
      return
    }
    followed += 1
    var last = label
    for shot in shots.dropFirst() {
      let found = LabelFaults.find(last, in: shot)
      guard let point = found?.point ?? LabelFaults.point(last, shot, size), point.x >= 0, point.y >= 0,
        point.x <= Double(size.deviceWidth), point.y <= Double(size.deviceHeight)
      else { return }
      guard let found, found[keyPath: opacity] >= last[keyPath: opacity] else {
        blinks += 1
        examples.append("at \(shot.timeMS) ms, zoom \(shot.camera.zoom): \(last) -> \(found as Any)")
        return
      }
      last = found
    }
  }

  private static func point(_ label: LabelFilm.Label, _ shot: LabelFilm.Shot, _ size: ViewSize) -> SIMD2<
    Double
  >? {
    guard let transform = try? Transform(camera: shot.camera, size: size) else { return nil }
    return transform.screen(world: label.place * transform.worldSize)
  }

  static func find(_ label: LabelFilm.Label, in shot: LabelFilm.Shot) -> LabelFilm.Label? {
    let world = TileUnits.pixels * exp2(shot.camera.zoom)
    return shot.labels.filter { $0.layer == label.layer && $0.key == label.key }
      .map { ($0, length(($0.place - label.place) * world)) }
      .filter { $0.1 <= reach }.min { $0.1 < $1.1 }?.0
  }

  private mutating func noteJumps(_ a: LabelFilm.Shot, _ b: LabelFilm.Shot) {
    let world = TileUnits.pixels * exp2(b.camera.zoom)
    let before = Dictionary(a.labels.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for label in b.labels {
      guard let old = before[label.id], old.key == label.key, old.layer == label.layer else { continue }
      jump = max(jump, length((label.place - old.place) * world))
    }
  }
}

private func length(_ v: SIMD2<Double>) -> Double { (v.x * v.x + v.y * v.y).squareRoot() }
