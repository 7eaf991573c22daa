// How the pictures that are draped over the tiles of the ground come to be. Of each only the rows that are seen
// are drawn, in strips that threads take as they come: where a camera moves on, most frames need a part of one
// picture. What a frame before drew of the same picture is copied.
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
  /// Rows that are seen.
  let rows: Range<Int>

  /// One whose tile shows nothing.
  static let none = GroundDrape(commands: [], key: nil, content: [], known: nil, rows: 0..<0)

  /// Whether nothing of it has to be drawn.
  var isThere: Bool { rows.isEmpty || (known.map { $0.holds(rows) } ?? commands.isEmpty) }

  /// The picture that is there.
  var entry: GroundPictures.Entry? { rows.isEmpty ? nil : known }

  /// Rows of a tile's picture that are seen, and one beside them.
  /// - Parameter seen: as parts of the tile.
  static func rows(_ seen: ClosedRange<Float>?, edge: Int) -> Range<Int> {
    guard let seen else { return 0..<0 }
    let first = max(0, Int(bounded: (seen.lowerBound * Float(edge)).rounded(.down)) - 1)
    return first..<max(first, min(edge, Int(bounded: (seen.upperBound * Float(edge)).rounded(.up)) + 1))
  }
}

extension GroundPictures.Entry {
  /// Whether all these rows are drawn.
  func holds(_ wanted: Range<Int>) -> Bool {
    rows.lowerBound <= wanted.lowerBound && rows.upperBound >= wanted.upperBound
  }
}

/// A picture that is being drawn.
private struct GroundCanvas: Sendable {
  let drape: GroundDrape
  let texture: Texture
  /// Rows of what is kept, and of what is seen.
  let rows: Range<Int>

  init(_ drape: GroundDrape, edge: Int) {
    self.drape = drape
    texture = Texture(transparent: edge, edge)
    rows =
      drape.known.map {
        min($0.rows.lowerBound, drape.rows.lowerBound)..<max($0.rows.upperBound, drape.rows.upperBound)
      } ?? drape.rows
  }

  /// Parts of the rows: those of the picture before by themselves.
  var strips: [Range<Int>] {
    let known = drape.known?.rows ?? rows.lowerBound..<rows.lowerBound
    let height = max(texture.height / 8, 64)
    var strips = known.isEmpty ? [] : [known]
    for part in [rows.lowerBound..<known.lowerBound, known.upperBound..<rows.upperBound] {
      for first in stride(from: part.lowerBound, to: part.upperBound, by: height) {
        strips.append(first..<min(first + height, part.upperBound))
      }
    }
    return strips
  }

  func draw(_ strip: Range<Int>, _ workers: BandWorkers) {
    let edge = texture.width
    let pixels = texture.canvas + strip.lowerBound * edge
    if let known = drape.known, known.rows == strip {
      // One without a texture is transparent.
      if let before = known.texture {
        pixels.update(from: before.pixels + strip.lowerBound * edge, count: strip.count * edge)
      }
      return
    }
    let band = Band(
      pixels: pixels, stride: edge, width: edge, y0: strip.lowerBound, y1: strip.upperBound)
    workers.draw(band, hasSmoothEdges: false) { worker in
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

  func finished() -> GroundPictures.Entry {
    let cells = GroundCells(texture, rows: rows)
    return GroundPictures.Entry(
      texture: cells?.isEmpty == true ? nil : texture, cells: cells, rows: rows, content: drape.content)
  }
}

/// Draws what is not there yet of the pictures of a frame, and keeps it for the next ones.
func drawnPictures(_ drapes: [GroundDrape], edge: Int, _ memories: FrameMemories, _ executor: Executor)
  -> [GroundPictures.Entry?]
{
  var entries = drapes.map(\.entry)
  let missing = drapes.indices.filter { !drapes[$0].isThere }
  guard !missing.isEmpty else { return entries }
  shadeReliefs(missing.map { drapes[$0] }, executor)
  let canvases = missing.map { GroundCanvas(drapes[$0], edge: edge) }
  let strips = canvases.enumerated().flatMap { number, canvas in canvas.strips.map { (number, $0) } }
  executor.forEach(strips.count) { index in
    let (number, strip) = strips[index]
    Trace.span("drape", .frame) { canvases[number].draw(strip, memories.workers) }
  }
  let finished = Locked([GroundPictures.Entry?](repeating: nil, count: canvases.count))
  executor.forEach(canvases.count) { number in
    let entry = canvases[number].finished()
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
