import NeatBase
import NeatPlacement
import NeatStyle

/// A tile's bucket with what is the same for all of its symbols in a frame.
struct SymbolFramePart {
  let bucket: SymbolBucket
  let states: [SymbolState]
  let standing: [Int32]
  let ids: [UInt32]
  let tile: PlacementTile
  let layer: StyleLayer
  let text: SymbolSide
  let icon: SymbolSide

  init(_ input: SymbolFrameTile, view: PlacementView, evaluator: Evaluator) {
    bucket = input.bucket
    states = input.states
    (standing, ids) = (input.standing, input.ids)
    assert(states.count == bucket.geometry.instances.count, "a state for each symbol")
    tile = input.tile
    layer = input.layer
    let layout = bucket.layout
    let camera = EvaluationPoint.camera(zoom: view.zoom)
    text = SymbolSide(
      plane: LabelPlane(
        view: view, tile: tile, pitchWithMap: layout.textPitchWithMap, rotateWithMap: layout.textRotateWithMap
      ),
      size: bucket.textSize.frameSize(zoom: view.zoom, evaluator),
      translation: tile.translation(
        layer[.textTranslate].numbers2(evaluator, at: camera),
        viewportAnchor: layer[.textTranslateAnchor].enumIndex(evaluator, at: camera) == 1, view: view),
      turns: layout.textRotateWithMap && !layout.textPitchWithMap && !layout.textAlongLine, unit: oneEm)
    icon = SymbolSide(
      plane: LabelPlane(
        view: view, tile: tile, pitchWithMap: layout.iconPitchWithMap, rotateWithMap: layout.iconRotateWithMap
      ),
      size: bucket.iconSize.frameSize(zoom: view.zoom, evaluator),
      translation: tile.translation(
        layer[.iconTranslate].numbers2(evaluator, at: camera),
        viewportAnchor: layer[.iconTranslateAnchor].enumIndex(evaluator, at: camera) == 1, view: view),
      turns: layout.iconRotateWithMap && !layout.iconPitchWithMap && !layout.iconAlongLine, unit: 1)
  }
}

/// What texts or icons of a bucket share in a frame.
struct SymbolSide {
  let plane: LabelPlane
  let size: FrameSize
  let translation: SIMD2<Double>
  /// Whether upright symbols turn with the map on the screen.
  let turns: Bool
  /// Units of size: one em for text, 1 for icons.
  let unit: Double
}

/// Where a symbol stands in its label plane.
struct SymbolPose {
  var point: SIMD2<Double>
  var scale: Double
  var gammaScale: Float
  var cosine: Double
  var sine: Double
  /// How much longer the ground's units are than at the camera's centre, for what lies on a globe.
  var stretch = 1.0
  /// What the shifts of variable anchors are scaled by; on a tilted map they shrink with the distance, where letters
  /// grow.
  var shiftScale: Double

  init(point: SIMD2<Double>, scale: Double, gammaScale: Float, angle: Double) {
    self.point = point
    self.scale = scale
    self.gammaScale = gammaScale
    shiftScale = scale
    cosine = angle == 0 ? 1 : cos(angle)
    sine = angle == 0 ? 0 : sin(angle)
  }

  mutating func turn(_ angle: Double) {
    cosine = cos(angle)
    sine = sin(angle)
  }

  @inline(__always) func place(_ x: Double, _ y: Double) -> SIMD2<Double> {
    SIMD2(
      point.x + (x * cosine - y * sine) * stretch, point.y + (x * sine + y * cosine) * stretch)
  }
}

struct SymbolFrameBuilder {
  enum Side { case text, icon }

  let view: PlacementView
  let evaluator: Evaluator
  let fade: LabelFade?
  let spreadsLetters: Bool
  let featureState: ((SymbolBucket, Int) -> FeatureState?)?
  var frame: SymbolFrame
  private let edge: SIMD2<Float>
  /// The ink of the bucket at hand where it does not depend on features; -1 until it is known.
  private var sharedInk: Int32 = -1
  /// The layer of the bucket at hand, without a feature.
  private var point: EvaluationPoint
  private var isDataDriven = false
  private var usesState = false
  /// Images within texts are sampled smoothly where the text is tilted or its size changes with zoom.
  private(set) var smoothsTextImages = false

  init(
    view: PlacementView, evaluator: Evaluator, fade: LabelFade?,
    featureState: ((SymbolBucket, Int) -> FeatureState?)?, spreadsLetters: Bool, frame: consuming SymbolFrame
  ) {
    self.spreadsLetters = spreadsLetters
    self.view = view
    self.frame = frame
    self.fade = fade
    self.evaluator = evaluator
    self.featureState = featureState
    point = .camera(zoom: view.zoom)
    edge = SIMD2(Float(view.width * view.pixelRatio), Float(view.height * view.pixelRatio))
  }

  // MARK: Ink

  mutating func begin(_ part: SymbolFramePart, _ side: Side) {
    sharedInk = -1
    let sizeKind = part.bucket.textSize.value.kind
    smoothsTextImages =
      view.pitch != 0 || part.text.plane.pitchWithMap || sizeKind == .camera || sizeKind == .composite
    isDataDriven = false
    usesState = false
    for property in side == .text ? SymbolFrameBuilder.textInk : SymbolFrameBuilder.iconInk {
      let value = part.layer[property]
      isDataDriven = isDataDriven || value.isDataDriven
      usesState = usesState || (featureState != nil && value.isFeatureStateDependent)
    }
    // Only features need to know where they lie.
    point =
      isDataDriven
      ? .layer(part.bucket.tileLayer, tile: part.bucket.tile.canonical, zoom: view.zoom)
      : .camera(zoom: view.zoom)
  }

  private static let textInk: [Property] = [
    .textColor, .textHaloColor, .textHaloWidth, .textHaloBlur, .textOpacity,
  ]
  private static let iconInk: [Property] = [
    .iconColor, .iconHaloColor, .iconHaloWidth, .iconHaloBlur, .iconOpacity,
  ]

  mutating func ink(_ part: SymbolFramePart, feature: Int32, _ side: Side) -> Int32 {
    if !isDataDriven, sharedInk >= 0 { return sharedInk }
    let state = usesState ? featureState?(part.bucket, Int(feature)) : nil
    let point = point.feature(isDataDriven ? Int(feature) : -1, state: state)
    let layer = part.layer, e = evaluator
    let ink =
      side == .text
      ? SymbolInk(
        fill: layer[.textColor].color(e, at: point), halo: layer[.textHaloColor].color(e, at: point),
        haloWidth: Float(layer[.textHaloWidth].number(e, at: point)),
        haloBlur: Float(layer[.textHaloBlur].number(e, at: point)),
        opacity: Float(layer[.textOpacity].number(e, at: point)))
      : SymbolInk(
        fill: layer[.iconColor].color(e, at: point), halo: layer[.iconHaloColor].color(e, at: point),
        haloWidth: Float(layer[.iconHaloWidth].number(e, at: point)),
        haloBlur: Float(layer[.iconHaloBlur].number(e, at: point)),
        opacity: Float(layer[.iconOpacity].number(e, at: point)))
    if let last = frame.inks.last, last == ink { return Int32(frame.inks.count - 1) }
    frame.inks.append(ink)
    if !isDataDriven { sharedInk = Int32(frame.inks.count - 1) }
    return Int32(frame.inks.count - 1)
  }

  mutating func ink(_ base: Int32, fill: Color) -> Int32 {
    assert(base >= 0 && base < frame.inks.count, "inks are numbered")
    var ink = frame.inks[Int(base)]
    ink.fill = fill
    if let known = frame.inks.lastIndex(of: ink) { return Int32(known) }
    frame.inks.append(ink)
    return Int32(frame.inks.count - 1)
  }

  /// How far a label has come in.
  func opacity(_ part: SymbolFramePart, _ number: Int, _ side: Side) -> Float {
    var shown: Float = 1
    if let fade, !part.ids.isEmpty {
      shown = side == .text ? fade.text(part.ids[number]) : fade.icon(part.ids[number])
    }
    guard let ground = part.tile.matrix.ground, shown > 0 else { return shown }
    let anchor = part.bucket.geometry.instances[number].anchor
    let place = part.tile.matrix.clip(SIMD2(Double(anchor.x), Double(anchor.y)))
    return min(shown, ground.visibility(place))
  }

  /// The ink of a label that has come in so far; those that go together share it.
  mutating func ink(_ base: Int32, opacity: Float) -> Int32 {
    guard opacity < 1 else { return base }
    var ink = frame.inks[Int(base)]
    ink.opacity *= opacity
    if frame.inks.last != ink { frame.inks.append(ink) }
    return Int32(frame.inks.count - 1)
  }

  // MARK: Poses

  /// The pose of a symbol that does not follow a line; nil behind the camera.
  func pose(_ symbol: PlacedSymbol, _ side: SymbolSide) -> SymbolPose? {
    let place = SIMD2(Double(symbol.anchor.x), Double(symbol.anchor.y)) + side.translation
    let clip = side.plane.matrix.clip(place)
    guard clip.w > 0, let point = side.plane.project(place) else { return nil }
    let pitched = side.plane.pitchWithMap
    let ratio = drawnRatio(clip.w, pitched)
    var angle = 0.0
    if side.turns {
      let other = side.plane.matrix.clip(place + SIMD2(1, 0))
      if other.w > 0 {
        let direction = view.screen(other) - view.screen(clip)
        angle = atan2(direction.y, direction.x)
      }
    }
    let size = Double(side.size.size(symbol)) / side.unit
    var pose = SymbolPose(
      point: point, scale: size * ratio, gammaScale: gammaScale(clip.w, pitched), angle: angle)
    if pitched {
      // As far away as the symbol would stand without its translation.
      let w = side.translation == .zero ? clip.w : side.plane.matrix.clip(place - side.translation).w
      pose.shiftScale = size * view.perspectiveRatio(w)
    }
    if pitched { pose.stretch = side.plane.matrix.stretch(place) }
    return pose
  }

  /// How much larger than at the middle of the screen a symbol is drawn in its plane.
  private func drawnRatio(_ w: Double, _ pitched: Bool) -> Double {
    let distance = pitched ? w / view.cameraToCenterDistance : view.cameraToCenterDistance / w
    return min(max(0.5 + 0.5 * distance, 0), 4)
  }

  func gammaScale(_ w: Double, _ pitched: Bool) -> Float {
    pitched ? Float(w / (max(cos(view.pitch), 1e-6) * view.cameraToCenterDistance)) : 1
  }

  /// Device pixels of four offsets from a pose; nil where the quad lies outside of the screen or behind the
  /// camera.
  @inline(__always)
  func quad(
    _ pose: SymbolPose, _ plane: LabelPlane, _ tl: SIMD2<Double>, _ tr: SIMD2<Double>, _ bl: SIMD2<Double>,
    _ br: SIMD2<Double>
  ) -> ScreenQuad? {
    var a = pose.place(tl.x, tl.y), b = pose.place(tr.x, tr.y), c = pose.place(bl.x, bl.y),
      d = pose.place(br.x, br.y)
    var depths = SIMD4<Float>.one
    if plane.pitchWithMap {
      guard let pa = plane.deepScreen(a), let pb = plane.deepScreen(b), let pc = plane.deepScreen(c),
        let pd = plane.deepScreen(d)
      else { return nil }
      (a, b, c, d) = (pa.point, pb.point, pc.point, pd.point)
      depths = SIMD4(1, Float(pb.depth / pa.depth), Float(pc.depth / pa.depth), Float(pd.depth / pa.depth))
    }
    let ratio = view.pixelRatio
    func narrow(_ p: SIMD2<Double>) -> SIMD2<Float> { SIMD2(Float(p.x * ratio), Float(p.y * ratio)) }
    let quad = ScreenQuad(
      topLeft: narrow(a), topRight: narrow(b), bottomLeft: narrow(c), bottomRight: narrow(d), depths: depths)
    let low = quad.low, high = quad.high
    guard high.x >= 0, high.y >= 0, low.x <= edge.x, low.y <= edge.y else { return nil }
    return quad
  }

  /// Poses of a symbol's glyphs along its line, for labels near the screen that have room; nil for what is
  /// not drawn.
  /// - Parameter letter: what each glyph covers, where they are moved apart on bends.
  mutating func walk(
    _ part: SymbolFramePart, _ side: SymbolSide, _ symbol: PlacedSymbol, offsets: UnsafeBufferPointer<Float>,
    keepUpright: Bool, letter: ((Int) -> LetterBox)? = nil
  ) -> (outcome: LineLabelOutcome, scale: Double, gammaScale: Float) {
    let place = SIMD2(Double(symbol.anchor.x), Double(symbol.anchor.y)) + side.translation
    let clip = side.plane.matrix.clip(place)
    guard clip.w > 0 else { return (.notEnoughRoom, 0, 1) }
    let point = view.screen(clip)
    // Labels further out than this are not seen.
    let margin = view.lineMargin
    guard point.x >= -margin, point.y >= -margin, point.x <= view.width + margin,
      point.y <= view.height + margin
    else {
      return (.notEnoughRoom, 0, 1)
    }
    let ratio = view.perspectiveRatio(clip.w)
    let size = Double(side.size.size(symbol))
    let scale = side.plane.pitchWithMap ? size / ratio : size * ratio
    // Along the line of a globe glyphs stand as far apart as the ground is large at the anchor.
    let stretch = side.plane.pitchWithMap ? side.plane.matrix.stretch(place) : 1
    // Letters on a tilted map grow more with the distance than the steps between them.
    let drawn = size * drawnRatio(clip.w, side.plane.pitchWithMap) / side.unit
    let letters = letter.map { Letters(scale: drawn * stretch, box: $0) }
    frame.lineGlyphs.removeAll(keepingCapacity: true)
    let outcome = part.bucket.geometry.lineVertices.withUnsafeBufferPointer { vertices -> LineLabelOutcome in
      guard
        let walk = LineWalk(
          plane: side.plane, vertices: vertices, symbol: symbol, translation: side.translation)
      else {
        return .notEnoughRoom
      }
      let first = walk.place(
        offsets: offsets, fontScale: scale * stretch / oneEm, keepUpright: keepUpright, flip: false,
        letters: letters, into: &frame.lineGlyphs)
      guard first == .needsFlipping else { return first }
      return walk.place(
        offsets: offsets, fontScale: scale * stretch / oneEm, keepUpright: keepUpright, flip: true,
        letters: letters, into: &frame.lineGlyphs)
    }
    return (outcome, drawn, gammaScale(clip.w, side.plane.pitchWithMap))
  }
}
