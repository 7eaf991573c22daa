// Paint properties that change over time. An edit of a map's style notes here which values it replaced; from
// the next frame on they go to the new ones.
//
// The rules are those of MapLibre GL JS. A change waits for its delay, and then eases to its target (cubic,
// in and out) within its duration. A change that comes while another is under way starts from what that one
// shows, which goes on below it. Values that depend on zoom are evaluated at every frame's zoom and mixed
// then; values that depend on features, and types without values between, change at once.
//
// Buckets are laid out for the new style; frames read uniform values from the layer as it is shown, so that
// no step of a transition lays anything out.
import NeatStyle

/// One property's way through the values that it was given.
struct PropertyCourse: Sendable {
  /// Changes of one property that may be under way at once; past it the oldest target counts as reached.
  static let legLimit = 256

  struct Leg: Sendable {
    let value: PropertyValue
    /// Milliseconds.
    let begin: Double
    let end: Double
  }

  private(set) var start: PropertyValue
  private(set) var legs: [Leg] = []
  /// A change that no frame has seen yet: its time begins with the next one.
  private(set) var waiting: PropertyValue?

  init(from start: PropertyValue) { self.start = start }

  /// Where the way leads.
  var target: PropertyValue { waiting ?? legs.last?.value ?? start }
  var isOver: Bool { waiting == nil && legs.isEmpty }

  mutating func turn(to value: PropertyValue) { waiting = value }

  mutating func begin(at now: Double, _ transition: StyleTransition) {
    guard let value = waiting else { return }
    waiting = nil
    guard transition.duration > 0 || transition.delay > 0 else {
      start = value
      legs.removeAll()
      return
    }
    let begin = now + transition.delay
    legs.append(Leg(value: value, begin: begin, end: begin + transition.duration))
    if legs.count > PropertyCourse.legLimit { start = legs.removeFirst().value }
  }

  /// Forgets what lies behind.
  mutating func advance(to now: Double) {
    guard let reached = legs.lastIndex(where: { $0.end <= now }) else { return }
    start = legs[reached].value
    legs.removeSubrange(...reached)
  }

  /// The value seen at a time, at the point's zoom.
  func value(at now: Double, _ evaluator: Evaluator, at point: EvaluationPoint) -> PropertyValue {
    var shown = start
    for leg in legs where leg.begin <= now {
      shown = shown.mixed(
        leg.value, PropertyCourse.ease((now - leg.begin) / (leg.end - leg.begin)), evaluator, at: point)
    }
    return shown
  }

  /// Cubic, in and out.
  static func ease(_ t: Double) -> Double {
    if t <= 0 { return 0 }
    if t >= 1 { return 1 }
    let (t2, t3) = (t * t, t * t * t)
    return 4 * (t < 0.5 ? t3 : 3 * (t - t2) + t3 - 0.75)
  }
}

/// The properties of a map that are on their way.
struct Transitions: Sendable {
  enum Owner: Hashable, Sendable {
    case layer(String)
    case light
    case sky
    case fog
  }

  struct Key: Hashable, Sendable {
    let owner: Owner
    let property: Property
  }

  private var courses: [Key: PropertyCourse] = [:]
  /// The time that frames show, in milliseconds.
  private var now = -Double.infinity

  var isEmpty: Bool { courses.isEmpty }

  // MARK: Edits

  /// Notes what an edit changed. A layer that is new, or draws other data than before, shows its values at
  /// once.
  mutating func change(from old: Style, to new: Style) {
    let known = Dictionary(old.layers.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var kept: Set<Owner> = [.light]
    if let before = old.sky, let after = new.sky {
      kept.insert(.sky)
      change(.sky, before, after)
    }
    if let before = old.fog, let after = new.fog {
      kept.insert(.fog)
      change(.fog, before, after)
    }
    for layer in new.layers {
      guard let before = known[layer.id], before.type == layer.type, before.source == layer.source,
        before.sourceLayer == layer.sourceLayer
      else { continue }
      kept.insert(.layer(layer.id))
      if before !== layer { change(.layer(layer.id), before.properties, layer.properties) }
    }
    change(.light, old.light, new.light)
    courses = courses.filter { kept.contains($0.key.owner) }
  }

  private mutating func change(_ owner: Owner, _ old: PropertySet, _ new: PropertySet) {
    for property in new.changes(from: old) {
      let key = Key(owner: owner, property: property)
      guard old[property].canChangeGradually(to: new[property]) else {
        courses[key] = nil
        continue
      }
      courses[key, default: PropertyCourse(from: old[property])].turn(to: new[property])
    }
  }

  mutating func removeAll() { courses.removeAll() }

  // MARK: Time

  /// Goes to the time of a frame. Changes that no frame has seen begin, with the transitions that the style
  /// has by now.
  mutating func advance(to now: Double, _ style: Style) {
    self.now = now
    guard !courses.isEmpty else { return }
    var left: [Key: PropertyCourse] = [:]
    for (key, var course) in courses {
      if course.waiting != nil { course.begin(at: now, Transitions.transition(key, style)) }
      course.advance(to: now)
      if !course.isOver { left[key] = course }
    }
    courses = left
  }

  private static func transition(_ key: Key, _ style: Style) -> StyleTransition {
    switch key.owner {
    case .light: style.light.transition(key.property, base: style.transition)
    case .sky: style.sky?.transition(key.property, base: style.transition) ?? style.transition
    case .fog: style.fog?.transition(key.property, base: style.transition) ?? style.transition
    case .layer(let id):
      style.layer(id)?.properties.transition(key.property, base: style.transition) ?? style.transition
    }
  }

  // MARK: Frames

  /// The style as it is seen now, at the point's zoom.
  func shown(_ style: Style, _ evaluator: Evaluator, at point: EvaluationPoint) -> Style {
    guard !courses.isEmpty else { return style }
    var layers: [String: [PropertyValue]] = [:]
    var (light, sky, fog): ([PropertyValue], [PropertyValue], [PropertyValue]) = ([], [], [])
    for (key, course) in courses {
      let value = course.value(at: now, evaluator, at: point)
      switch key.owner {
      case .layer(let id): layers[id, default: []].append(value)
      case .light: light.append(value)
      case .sky: sky.append(value)
      case .fog: fog.append(value)
      }
    }
    return style.showing(layers: layers, light: light, sky: sky, fog: fog)
  }
}
