import NeatBase
import NeatCamera
import NeatMap

/// What a map knows of its ornaments.
struct MapOrnaments {
  var options = Ornaments()
  /// Of the host's pictures.
  fileprivate var hold: MemoryHold?
  var fade = CompassFade()
  /// The pointer that is down on the compass.
  var press: Int64?
  /// Of the style that is there.
  fileprivate var painter: OrnamentPainter?
  fileprivate var words: OrnamentWords?
  /// What the words are of.
  fileprivate var version: UInt64 = 0
  /// Whether nothing is still to come for the words.
  fileprivate var isSettled = false
  /// What the words lack; nil: nobody has looked yet.
  fileprivate var lacks: Report?

  /// Another style.
  mutating func forget() {
    painter = nil
    forgetWords()
  }

  /// What the sources say, or the glyphs to say it with, may be others.
  mutating func forgetWords() {
    words = nil
    lacks = nil
    isSettled = false
  }
}

// Ornaments are drawn over each frame when the host takes it: they lay out no tile, and a frame that is there
// serves on.
extension LiveMap {
  package var ornamentOptions: Ornaments { ornaments.options }

  /// Throws `invalidArgument` for margins out of their range, `outOfMemory`, and changes nothing.
  package func setOrnaments(_ options: Ornaments) throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    let options = try options.checked()
    guard options != ornaments.options else { return }
    ornaments.hold = try environment.memory.take(options.imageByteCount, for: "the images of ornaments")
    ornaments.options = options
    ornaments.forgetWords()
    if options.compass.place.visibility == .hidden { ornaments.press = nil }
    if core != nil { invalidate() } else { leadCompass() }
  }

  /// Where ornaments stand as the camera is, the topmost last.
  package func ornamentPictures() throws(NeatError) -> [OrnamentPicture] {
    pictures(try loadedCore(), camera, size)
  }

  /// The topmost ornament at a place in logical pixels; nil: none.
  package func ornament(at place: SIMD2<Double>) throws(NeatError) -> OrnamentKind? {
    try ornamentPictures().last { $0.contains(place, pixelRatio: size.pixelRatio) }?.kind
  }

  // MARK: Drawing

  func drawOrnaments(on picture: inout Picture, _ core: MapCore, _ view: Transform?) {
    guard !ornaments.options.isEmpty else { return }
    picture.draw(pictures(core, view?.camera ?? camera, view?.size ?? size))
    guard let words = ornaments.words else { return }
    var lacks = ornaments.lacks ?? Report()
    if ornaments.lacks == nil { core.reportOrnaments(ornaments.options, words, in: &lacks) }
    ornaments.lacks = lacks
    guard lacks.count > 0 else { return }
    var report = picture.report
    for missing in lacks.entries { report.add(missing) }
    picture = Picture(bitmap: picture.bitmap, report: report)
  }

  func addOrnaments(to frame: MeshFrame, _ core: MapCore, _ view: Transform?) -> MeshFrame {
    guard !ornaments.options.isEmpty else { return frame }
    let size = view?.size ?? size
    return frame.adding(pictures(core, view?.camera ?? camera, size), size)
  }

  private func pictures(_ core: MapCore, _ camera: Camera, _ size: ViewSize) -> [OrnamentPicture] {
    let painter = ornaments.painter ?? OrnamentPainter(core.glyphs)
    ornaments.painter = painter
    let opacity = ornaments.options.compass.place.visibility == .adaptive ? ornaments.fade.opacity : 0
    return painter.pictures(ornaments.options, words(core), camera, size, compassOpacity: opacity)
  }

  // MARK: Words

  private func words(_ core: MapCore) -> OrnamentWords {
    let version = core.ornamentVersion
    if let words = ornaments.words, ornaments.version == version { return words }
    let words = core.ornamentWords(ornaments.options)
    ornaments.version = version
    // Most edits of a style change nothing of them.
    if let known = ornaments.words, known.isSame(as: words) { return known }
    ornaments.forgetWords()
    ornaments.words = words
    return words
  }

  /// What the words lack is asked for with what the view lacks.
  func addOrnamentNeeds(to needs: inout [Need], _ core: MapCore) {
    guard !ornaments.options.isEmpty else { return }
    let words = words(core)
    guard !ornaments.isSettled else { return }
    let more = core.ornamentNeeds(ornaments.options, words)
    ornaments.isSettled = more.isEmpty
    for need in more where !needs.contains(need) { needs.append(need) }
  }

  // MARK: Compass

  /// Where the compass leads, by the camera.
  func leadCompass() {
    guard ornaments.options.compass.place.visibility == .adaptive else {
      return ornaments.fade.lead(to: false, isWatched: false)
    }
    let isWanted = CompassFade.isWanted(bearing: camera.bearing)
    ornaments.fade.lead(to: isWanted, isWatched: takesFrames && !isUnwatched)
    if ornaments.fade.isMoving { startFrames() }
  }

  /// Brings the compass to the time of a frame; whether it has changed.
  func advanceCompass() -> Bool {
    guard ornaments.fade.isMoving else { return false }
    ornaments.fade.advance(toMS: frameTime)
    stopWhereNothingMoves()
    return true
  }

  /// Whether the compass has a pointer: from its coming down on it until it goes up.
  func ornamentsTake(_ pointer: GestureInput.Pointer) throws(NeatError) -> Bool {
    guard ornaments.options.compass.place.visibility != .hidden, core != nil, !isDestroyed else {
      return false
    }
    if pointer.phase == .down {
      guard ornaments.press == nil, pointer.button == .primary, pointer.modifiers.isEmpty,
        try isOnCompass(pointer.position)
      else { return false }
      try pointer.check()
      ornaments.press = pointer.id
      return true
    }
    guard ornaments.press == pointer.id else { return false }
    try pointer.check()
    guard pointer.phase != .move else { return true }
    ornaments.press = nil
    guard pointer.phase == .up, try isOnCompass(pointer.position) else { return true }
    try turnNorth()
    return true
  }

  private func isOnCompass(_ place: SIMD2<Double>) throws(NeatError) -> Bool {
    // One that goes out is not there any more.
    guard ornaments.options.compass.place.visibility == .visible || ornaments.fade.isShown else {
      return false
    }
    return try ornament(at: place) == .compass
  }

  /// Milliseconds that the map takes to turn north.
  static let northMS = 300.0
  /// Who moves the camera then.
  static let compassOwner = "compass"

  private func turnNorth() throws(NeatError) {
    cancelAnimations()
    guard !isDestroyed else { return }
    var change = CameraChange()
    change.bearing = 0
    try ease(to: change, durationMS: LiveMap.northMS, curve: .easeOut, owner: LiveMap.compassOwner)
  }
}
