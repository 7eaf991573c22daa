import NeatBase
import NeatCamera
import NeatLayout
import NeatStyle
import NeatText
import NeatTile

/// One style with its sources, images, glyphs and laid-out tiles: what a renderer or a map keeps between
/// frames.
///
/// It does no input or output and starts no thread. `needs(for:)` says which resources a view lacks,
/// `deliver` takes them in, `draw` draws. All functions may be called from any thread, also at the same time:
/// what is loaded is immutable and shared, the tables that lead to it are under one lock that is never held
/// while something is decoded, laid out or drawn.
package final class MapCore: Sendable {
  package struct Options: Sendable {
    /// Bytes of decoded tiles kept for one source, and of layouts for the map.
    package var cacheBytes = 64 << 20
    /// Bytes that the packed body of one resource may unpack to.
    package var unpackedLimitBytes = 256 << 20
    /// What the map holds is taken from it.
    package var memory = MemoryBudget()
    /// What one evaluation of an expression may take.
    package var evaluation = EvaluationBudget()
    /// What the expressions of one image, or one query, may take together.
    package var work = WorkBudget.standard
    package var crossSourceCollisions = true
    /// Whether the edges of extrusions and models are smooth.
    package var smoothEdges = true
    /// Whether letters of labels along lines that a sharp bend lays on each other are moved apart.
    package var spreadLetters = true
    /// What `@2x` images are asked for by, and the scale of everything laid out in pixels.
    package var pixelRatio = 1.0
    package var fileAccess = FileAccess.all
    /// Milliseconds, by which failures age.
    package var now: @Sendable () -> UInt64 = { MonotonicClock.milliseconds }
    /// Seconds since 1970, of what came when.
    package var date: @Sendable () -> Int64 = { SystemClock.microseconds / 1_000_000 }

    package init() {}
  }

  struct State {
    var style: StyleState
    var sources: [String: SourceState] = [:]
    var layouts = LayoutTable()
    var clock = ViewClock()
    var log = ProblemLog()
    /// Zooms below the view's at which tiles are asked for first; 0: none are.
    var prefetchLevels: UInt8 = 0
    /// Whether tiles below one that is to come stand in for it: of a map that is looked at while it loads.
    var showsTilesBelow = false
    /// Whether skirts hang down from the edges of the ground's tiles.
    var hasTerrainSkirts = true
    /// Metres above the sea; nil: the camera's centre lies on the ground.
    var centerElevation: Double?
    /// The first thing that could not be read for want of memory, since a picture last began.
    var shortage: MapProblem?

    /// Begins with a source, in place of one of its name.
    mutating func begin(_ source: SourceSpec) {
      sources[source.id] = SourceState(spec: source, base: style.base, number: ContentID.next())
    }
  }

  let state: Locked<State>
  /// Changes of sources that the next frame's preparation makes.
  let pending = Locked<[SourceEdit]>([])
  package let options: Options
  package let glyphs: GlyphStore
  let meshResources: MeshResources
  let frameMemories: FrameMemories
  let viewMemory = ViewMemory()

  /// A map of a style. `base` is where relative addresses start: the style's own address, or empty.
  package init(style: Style, base: String, options: Options = Options(), glyphs: GlyphStore = GlyphStore()) {
    self.options = options
    self.glyphs = glyphs
    meshResources = MeshResources(options.memory)
    frameMemories = FrameMemories(options.memory)
    var state = State(style: StyleState(style, base: base))
    state.style.glyphServer = glyphs.server(state.style.glyphTemplate)
    for source in style.sources { state.begin(source) }
    for issue in style.issues {
      state.log.add(MapProblem(resource: "style", message: issue.description, code: .style))
    }
    self.state = Locked(state)
    options.memory.addReserve { [weak self] in
      self?.dropUnused()
      return self != nil
    }
  }

  /// A map with a state of its own beside another, with its glyphs and options.
  init(_ state: State, _ other: MapCore) {
    options = other.options
    glyphs = other.glyphs
    meshResources = MeshResources(other.options.memory)
    frameMemories = FrameMemories(other.options.memory)
    self.state = Locked(state)
  }

  package var style: Style { state.withLock { $0.style.document } }
  package var base: String { state.withLock { $0.style.base } }
  package var problems: [MapProblem] { state.withLock { $0.log.problems } }
  package var problemCount: Int { state.withLock { $0.log.problems.count } }

  package func report(_ problem: MapProblem) {
    state.withLock { $0.log.add(problem) }
    logProblems()
  }

  /// Whether the style says anything of the camera.
  package var hasStyleCamera: Bool {
    let style = style
    return style.center != nil || style.zoom != nil || style.bearing != nil || style.pitch != nil
      || style.roll != nil
  }

  /// The camera that the style asks for, held within what a camera can be; the style's issues tell where it
  /// was not.
  package var styleCamera: Camera {
    let style = style
    var camera = Camera()
    if let center = style.center { camera.center = center }
    camera.zoom = style.zoom ?? 0
    camera.bearing = style.bearing ?? 0
    camera.pitch = CameraRange.hold(style.pitch ?? 0, CameraRange.pitch)
    camera.roll = style.roll ?? 0
    return camera.held()
  }
}
