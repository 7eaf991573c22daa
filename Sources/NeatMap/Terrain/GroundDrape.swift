// How the pictures that are draped over the tiles of the ground come to be. Of each only the blocks that are seen
// are drawn, row by row of them, which threads take as they come: a tile of the distance shows a corner of itself,
// and where a camera moves on, most frames need a few blocks. What a frame before drew of the same picture is copied.
import NeatBase
import NeatRaster

/// A tile's picture: kept from a frame before, or how to draw it.
struct GroundDrape: Sendable {
  let commands: [DrawCommand]
  /// Nil where the picture shows something that passes.
  let key: GroundPictureKey?
  let content: [any AnyObject & Sendable]
  /// The picture of a frame before.
  let known: GroundPictures.Entry?
  /// What is seen.
  let blocks: GroundBlocks

  /// One whose tile shows nothing.
  static let none = GroundDrape(commands: [], key: nil, content: [], known: nil, blocks: .none)

  /// Whether nothing of it has to be drawn.
  var isThere: Bool { blocks.isEmpty || (known.map { $0.blocks.holds(blocks) } ?? commands.isEmpty) }

  /// The picture that is there.
  var entry: GroundPictures.Entry? { blocks.isEmpty ? nil : known }
}

/// A picture that is being drawn.
private struct GroundCanvas: Sendable {
  private let drape: GroundDrape
  private let picture: GroundPicture
  /// What is kept, and what is seen.
  private let blocks: GroundBlocks

  init(_ drape: GroundDrape, edge: Int, _ pictures: GroundPictures) throws(NeatError) {
    self.drape = drape
    blocks = drape.known.map { $0.blocks.union(drape.blocks) } ?? drape.blocks
    picture = GroundPicture(
      edge: edge, blocks, try pictures.store(GroundPicture.capacity(edge: edge, blocks)))
  }

  /// Rows of blocks that are there.
  var rows: [Int] { (0..<GroundBlocks.side).filter { !texels(row: $0).isEmpty } }

  private func texels(row: Int) -> Range<Int> {
    GroundBlocks.texels(row..<row + 1, edge: picture.edge).clamped(to: picture.rows)
  }

  private func texels(columns: Range<Int>) -> Range<Int> {
    GroundBlocks.texels(columns, edge: picture.edge)
  }

  /// One thread draws all of a row: pixels are written four at a time.
  func draw(_ row: Int, _ workers: BandWorkers) {
    let rows = texels(row: row)
    picture.clear(rows)
    let all = blocks.columns(row), there = drape.known?.blocks.columns(row) ?? 0..<0
    if there.isEmpty {
      draw(rows, texels(columns: all), workers)
    } else {
      draw(rows, texels(columns: all.lowerBound..<there.lowerBound), workers)
      draw(rows, texels(columns: there.upperBound..<all.upperBound), workers)
      // One without a picture is transparent.
      if let before = drape.known?.picture { picture.copy(rows, texels(columns: there), from: before) }
    }
  }

  private func draw(_ rows: Range<Int>, _ columns: Range<Int>, _ workers: BandWorkers) {
    guard !rows.isEmpty, !columns.isEmpty else { return }
    workers.draw(picture.band(rows), hasSmoothEdges: false) { worker in
      worker.ground = .columns(columns)
      for command in drape.commands {
        // What a hillshade makes of a tile is kept with it.
        if case .hillshade(let relief) = command {
          relief.shaded().draw(worker)
        } else {
          command.draw(worker)
        }
      }
    }
  }

  func finished(_ pictures: GroundPictures) -> GroundPictures.Entry {
    let cells = GroundCells(picture, blocks), isBare = cells?.isEmpty == true
    if isBare { pictures.give(picture) }
    return GroundPictures.Entry(
      picture: isBare ? nil : picture, cells: cells, blocks: blocks, content: drape.content)
  }
}

/// Draws what is not there yet of the pictures of a frame, and keeps it for the next ones. Throws `outOfMemory`.
func drawnPictures(_ drapes: [GroundDrape], edge: Int, _ memories: FrameMemories, _ executor: Executor)
  throws(NeatError) -> [GroundPictures.Entry?]
{
  var entries = drapes.map(\.entry)
  let missing = drapes.indices.filter { !drapes[$0].isThere }
  guard !missing.isEmpty else { return entries }
  shadeReliefs(missing.map { drapes[$0] }, executor)
  let canvases = try missing.map { place throws(NeatError) in
    try GroundCanvas(drapes[place], edge: edge, memories.groundPictures)
  }
  let rows = canvases.enumerated().flatMap { number, canvas in canvas.rows.map { (number, $0) } }
  executor.forEach(rows.count) { index in
    let (number, row) = rows[index]
    Trace.span("drape", .frame) { canvases[number].draw(row, memories.workers) }
  }
  let finished = Locked([GroundPictures.Entry?](repeating: nil, count: canvases.count))
  executor.forEach(canvases.count) { number in
    let entry = canvases[number].finished(memories.groundPictures)
    finished.withLock { $0[number] = entry }
  }
  for (place, entry) in zip(missing, finished.withLock { $0 }) {
    entries[place] = entry
    if let entry, let key = drapes[place].key { memories.groundPictures.keep(entry, key) }
  }
  return entries
}

/// Makes the reliefs that pictures show, each once.
private func shadeReliefs(_ drapes: [GroundDrape], _ executor: Executor) {
  var reliefs: [HillshadeDraw] = []
  for case .hillshade(let draw) in drapes.lazy.flatMap(\.commands)
  where !reliefs.contains(where: { $0.dem.tile === draw.dem.tile && $0.key == draw.key }) {
    reliefs.append(draw)
  }
  executor.forEach(reliefs.count) { [reliefs] index in _ = reliefs[index].shaded() }
}
