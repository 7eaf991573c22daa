import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatLoop
import NeatMap
import NeatRaster
import NeatResource
import NeatStyle
import NeatText

/// Draws pictures of one style, for servers: one style, one set of caches, any number of threads drawing at
/// the same time.
package final class Renderer: Sendable {
  package let environment: MapEnvironment
  let style: Style
  let base: String
  private let memoryNeeds: PictureMemory.Needs
  /// One map for each pixel ratio: sprites and everything laid out in pixels depend on it.
  private let cores = Locked<[(pixelRatio: Double, core: MapCore)]>([])
  /// Ratios that are kept at the same time: few enough to look through.
  private static let coreLimit = 4
  /// How many archives had been replaced at the last picture.
  private let replacedArchiveCount: Locked<UInt64>

  package init(style: Style, base: String, environment: MapEnvironment) {
    self.style = style
    memoryNeeds = PictureMemory.Needs(style)
    self.base = WorkingFolder.absolute(base)
    self.environment = environment
    replacedArchiveCount = Locked(environment.loader.replacedArchiveCount)
  }

  /// Throws what the options' fonts are refused for.
  package convenience init(
    style: Style, base: String, options: MapEnvironment.Options = MapEnvironment.Options()
  ) throws(NeatError) {
    self.init(style: style, base: base, environment: try MapEnvironment(options))
  }

  /// Reads a style, and loads those that it takes in, each in no more than the time that one request may take.
  package static func read(
    _ bytes: [UInt8], base: String, options: MapEnvironment.Options = MapEnvironment.Options()
  ) throws(NeatError) -> Renderer {
    let environment = try MapEnvironment(options)
    let style = try environment.loader.style(
      bytes, base: WorkingFolder.absolute(base), access: options.fileAccess(base: base),
      executor: environment.executor)
    return Renderer(style: style, base: base, environment: environment)
  }

  /// The same in the child of a fork: nothing is taken over but what never changes.
  package func remade() throws(NeatError) -> Renderer {
    try Renderer(style: style, base: base, options: environment.options)
  }

  /// Loads a style from its address, and those that it takes in, each in no more than the time that one request may
  /// take.
  package static func load(
    _ url: String, options: MapEnvironment.Options = MapEnvironment.Options()
  ) throws(NeatError) -> Renderer {
    let environment = try MapEnvironment(options)
    switch environment.loader.load(ResourceRequest(kind: .style, url: url)) {
    case .data(let bytes):
      let style: Style
      do throws(NeatError) {
        style = try environment.loader.style(
          bytes, base: WorkingFolder.absolute(url), access: options.fileAccess(base: url),
          executor: environment.executor)
      } catch {
        throw error.naming(url)
      }
      return Renderer(style: style, base: url, environment: environment)
    case .missing, .empty: throw NeatError(.notFound, "no such style", resource: url)
    case .failed(let error): throw error.naming(url)
    }
  }

  /// The map that draws at a pixel ratio.
  package func core(pixelRatio: Double) -> MapCore {
    cores.withLock { cores in
      if let known = cores.first(where: { $0.pixelRatio == pixelRatio }) { return known.core }
      if cores.count >= Renderer.coreLimit { cores.removeAll() }
      let core = environment.makeCore(style, base: base, pixelRatio: pixelRatio)
      cores.append((pixelRatio, core))
      return core
    }
  }

  package var styleCamera: Camera {
    var camera = core(pixelRatio: 1).styleCamera
    camera.pitch = CameraRange.hold(camera.pitch, CameraRange.usualPitch)
    return camera
  }

  /// What pictures of a zoom are laid onto.
  package func projection(zoom: Double) -> MapProjection { core(pixelRatio: 1).projection(zoom: zoom) }

  /// A renderer has no limits that could be raised: its cameras tilt as far as a map's do before anything is said.
  private static func check(_ camera: Camera) throws(NeatError) {
    try CameraRange.check("camera: pitch", try camera.checked().pitch, CameraRange.usualPitch)
  }

  package var styleValue: Style { style }

  /// Loads what the view needs, no longer than until the deadline, and draws it. What the style itself needs is
  /// loaded into the renderer's caches, what an overlay needs is forgotten with the picture. Throws `outOfMemory`
  /// before it begins where it will not fit, or where something of it could not be read for want of memory; and what
  /// is wrong with the overlay.
  package func draw(
    _ camera: Camera, _ size: ViewSize, _ options: PictureOptions = PictureOptions(),
    deadline: Deadline = .never
  ) throws(NeatError) -> Picture {
    let size = try size.checked()
    try Renderer.check(camera)
    // Ornaments come over the picture when it is drawn.
    let mayFollow =
      options.isOneFile && options.ornaments.isEmpty && environment.pictureThreads.habit.isFormed
    let spare = mayFollow ? pngEncodingBytes(width: size.deviceWidth, height: size.deviceHeight) : 0
    let besides = (options.overlay?.imageByteCount ?? 0) + options.ornaments.imageByteCount
    return try environment.reserving(memoryNeeds, size, besides: besides, spare: spare) {
      executor, hasSpare throws(NeatError) in
      refresh()
      let core = core(pixelRatio: size.pixelRatio)
      let client = client(deadline)
      let drafting = { [self] bitmap in hasSpare && executor.width > 1 ? draft(of: bitmap) : nil }
      var picture: Picture
      if let overlay = options.overlay {
        let transform = try core.transform(camera, size, labelMargin: options.labelMargin)
        picture = try core.keepingView { () throws(NeatError) in
          try core.load(transform, client: client, executor: executor)
          return try core.laying(overlay).draw(
            camera: camera, size: size, labelMargin: options.labelMargin, debug: options.debug,
            client: client, executor: executor, drafting: drafting)
        }
      } else {
        picture = try core.draw(
          camera: camera, size: size, labelMargin: options.labelMargin, labelGrid: options.labelGrid,
          debug: options.debug, client: client, executor: executor, drafting: drafting)
      }
      if !options.ornaments.isEmpty {
        try addOrnaments(options.ornaments, to: &picture, camera, size, core, client, executor)
      }
      try core.checkShortage(picture.report)
      return picture
    }
  }

  /// Begins the PNG of a picture that is to be drawn, where it will most likely be asked for.
  private func draft(of bitmap: Bitmap) -> PNGDraft? {
    guard let expected = environment.pictureThreads.habit.expectFile(of: bitmap) else { return nil }
    let rows = PixelRows(bitmap.pixels, width: bitmap.width, height: bitmap.height)
    // One strip alone gains nothing.
    return PNGDraft(rows, owner: expected).flatMap { $0.pieceCount > 1 ? $0 : nil }
  }

  /// Loads what the view needs, no longer than until the deadline, and gives it as a GPU draws it.
  package func meshFrame(_ camera: Camera, _ size: ViewSize, deadline: Deadline = .never) throws(NeatError)
    -> MeshFrame
  {
    let size = try size.checked()
    try Renderer.check(camera)
    return try environment.reserving(memoryNeeds, size, hasPixels: false) { executor throws(NeatError) in
      refresh()
      let core = core(pixelRatio: size.pixelRatio)
      let frame = try core.renderMeshes(
        camera: camera, size: size, client: client(deadline), executor: executor)
      try core.checkShortage(frame.report)
      return frame
    }
  }

  /// Loads what the view needs, and gives the features drawn in an area of it.
  package func query(_ camera: Camera, _ size: ViewSize, _ area: QueryArea, options: QueryOptions)
    throws(NeatError) -> QueryAnswer
  {
    let size = try size.checked()
    try Renderer.check(camera)
    return try environment.reserving(memoryNeeds, size, hasPixels: false) { executor throws(NeatError) in
      refresh()
      let core = core(pixelRatio: size.pixelRatio)
      let transform = try core.transform(camera, size)
      return try core.keepingView { () throws(NeatError) in
        try core.load(transform, client: client(.never), executor: executor)
        try core.checkShortage()
        return core.query(transform, area, options: options)
      }
    }
  }

  /// Draws one tile of the pyramid.
  package func drawTile(_ tile: TileID, edge: Int, pixelRatio: Double, deadline: Deadline = .never)
    throws(NeatError) -> Picture
  {
    try drawTiles(tile, count: 1, edge: edge, pixelRatio: pixelRatio, deadline: deadline).picture
  }

  /// Tiles an edge of a square of them.
  package static let tileCountLimit = 64

  /// Draws a square of tiles as one picture, with one margin around it. `edge`: device pixels of each.
  package func drawTiles(
    _ first: TileID, count: Int, edge: Int, pixelRatio: Double, deadline: Deadline = .never
  ) throws(NeatError) -> (picture: Picture, edge: Int) {
    guard first.isValid else { throw NeatError(.invalidArgument, "\(first) is no tile") }
    guard (1...Renderer.tileCountLimit).contains(count),
      count <= 1 << Int(first.z) - Int(max(first.x, first.y))
    else {
      throw NeatError(.invalidArgument, "there are no \(count) x \(count) tiles from \(first) on")
    }
    let size = ViewSize(width: count * edge, height: count * edge, pixelRatio: pixelRatio)
    let pixels = Double(edge) * pixelRatio
    guard count == 1 || pixels.rounded() == pixels else {
      throw NeatError(
        .invalidArgument, "\(edge) logical pixels of a tile at ratio \(pixelRatio) are no whole number")
    }
    var options = PictureOptions()
    options.labelGrid = Double(edge)
    options.isOneFile = count == 1
    options.labelMargin = MapCore.labelMargin(tileEdge: Double(edge))
    let picture = try draw(
      Camera.tiles(first, count: count, edge: Double(edge)), size, options, deadline: deadline)
    return (picture, picture.bitmap.width / count)
  }

  /// Milliseconds after which what a server did not give, for reasons that pass, is asked for again.
  package static let askAgainAfterMS: UInt64 = 10_000

  /// Before a picture: archives that were replaced are opened anew, and what failed a while ago is asked for
  /// again.
  private func refresh() {
    let replaced = replacedArchiveCount.withLock { environment.loader.replacedArchives(since: &$0) }
    let cores = cores.withLock { $0.map(\.core) }
    for core in cores { core.forgetShortage() }
    if !replaced.isEmpty { for core in cores { core.dropArchives(replaced) } }
    let now = environment.options.now()
    guard now >= Renderer.askAgainAfterMS else { return }
    let time = now - Renderer.askAgainAfterMS
    let glyphsToo = environment.glyphs.forgetFaults(since: time) { $0.code.isPassing }
    for core in cores { core.forgetPassingFaults(since: time, glyphsToo: glyphsToo) }
  }

  /// Whoever waits for it is no picture at work.
  private func client(_ deadline: Deadline) -> ResourceClient {
    ResourceClient(
      isOver: { deadline.isOver },
      taking: { [loader = environment.loader] requests, executor, besides, take in
        loader.load(
          requests, deadline: deadline, executor, besides: besides,
          waiting: { wait in PicturesAtWork.current.waiting { wait() } },
          take: { index, result in
            Renderer.log(requests[index], result)
            take(index, result)
          })
      })
  }

  /// Drops decoded tiles, layouts and atlases that no picture under way needs; the next one loads what it needs.
  package func reduceMemoryUse() {
    for core in cores.withLock({ $0.map(\.core) }) { core.reduceMemory(keeping: nil) }
    ProcessMemory.giveBack()
  }

  private static func log(_ request: ResourceRequest, _ result: ResourceResult) {
    guard Log.isHeard(.info) else { return }
    let words: String
    switch result {
    case .failed(let error): words = error.message
    // Tiles are missing where data is sparse.
    case .missing where request.tile == nil: words = "not found"
    case .missing, .empty, .data: return
    }
    Log.write(.info, .request, "\(request.kind.name) \(Log.short(request.url)): \(words)")
  }

  /// Whom the data is owed to, as far as it is known without loading anything.
  package var attributions: [String] { core(pixelRatio: 1).attributions }

  /// The same, after loading what is not known yet, as far as it comes in time.
  package func loadAttributions(deadline: Deadline) throws(NeatError) -> [String] {
    let core = core(pixelRatio: 1)
    core.forgetShortage()
    _ = try PicturesAtWork.current.working { () throws(NeatError) in
      try core.load(client: client(deadline), executor: .inline) { core.attributionNeeds }
    }
    try core.checkShortage()
    return core.attributions
  }

  /// What went wrong so far without failing a picture. One that lacks memory fails.
  package var problems: [MapProblem] {
    if cores.withLock(\.isEmpty) { _ = core(pixelRatio: 1) }
    var seen: Set<MapProblem> = []
    return cores.withLock { $0.flatMap(\.core.problems) }.filter {
      $0.code != .outOfMemory && seen.insert($0).inserted
    }
  }
}
