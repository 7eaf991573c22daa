import NeatBase
import NeatLayout
import NeatStyle
import NeatText
import NeatTile

/// A tile while it is laid out. The pieces of all tiles of a view are shared among the threads, the longest
/// first: tiles are of very different sizes, and there may be fewer of them than threads.
struct LayoutRun: Sendable {
  let input: LayoutInput
  let tile: VectorTile
  private(set) var parts = LayoutParts()
  /// By the layer's place in the style.
  var notes: [Int: LayerNotes] = [:]
  /// Glyph ranges without which its texts are not laid out.
  var awaited: [GlyphRangeKey] = []
  private let pieces: [LayoutPiece]
  private var symbols: [Int: MadeSymbols] = [:]

  /// Reads those of the tile's layers that are shown and were not read.
  /// - Parameter draft: what is laid out already.
  init(_ input: LayoutInput, _ tile: VectorTile, _ draft: LayoutParts?) {
    self.input = input
    self.tile = tile
    if let draft {
      parts = draft
      pieces = []
    } else {
      let layouter = TileLayouter(input, tile)
      pieces = layouter.pieces(&parts.faults)
      parts.layerCount = layouter.layers().count
    }
  }

  private var words: String { "\(input.source) \(input.id.canonical)" }

  /// The tile as it is laid out.
  func entry() -> LayoutEntry {
    var notes = notes
    var buckets = parts.buckets
    for (layer, made) in symbols {
      buckets[layer] = made.bucket
      if let end = made.end {
        notes[layer, default: LayerNotes()].fault = end
        notes[layer]?.isUnfinished = true
      }
      if !made.overruns.isEmpty { notes[layer, default: LayerNotes()].overruns += made.overruns }
      guard !made.images.isEmpty || !made.gaps.isEmpty else { continue }
      notes[layer, default: LayerNotes()].images = made.images
      if !made.gaps.isEmpty { notes[layer]?.gaps = made.gaps }
    }
    for (layer, fault) in parts.faults { notes[layer, default: LayerNotes()].fault = fault }
    for layer in parts.unfinished { notes[layer, default: LayerNotes()].isUnfinished = true }
    for (layer, overruns) in parts.overruns { notes[layer, default: LayerNotes()].overruns = overruns }
    return LayoutEntry(
      layout: TileLayout(id: input.id, buckets: buckets), notes: notes, parts: input.parts)
  }
}

/// What became of a symbol layer's request.
private struct MadeSymbols: Sendable {
  /// Nil where nothing is shown.
  let bucket: LayerBucket?
  /// Those that it names, there or not.
  let images: Set<String>
  let gaps: SymbolGaps
  /// Why it was not laid out to its end.
  let end: NeatError?
  let overruns: [PropertyOverrun]
}

// MARK: Work on several tiles

extension LayoutRun {
  /// A piece of work on one of the tiles.
  private struct Task: Sendable {
    let run: Int
    let place: Int
    let weight: Int

    /// The longest first; a fixed order among equals.
    static func inOrder(_ tasks: [Task]) -> [Task] {
      tasks.sorted { ($1.weight, $0.run, $0.place) < ($0.weight, $1.run, $1.place) }
    }
  }

  /// Lays out what needs no glyphs, and finds which glyphs the rest takes.
  /// - Parameter isWanted: which pieces of it are worked on.
  static func layOutParts(
    _ runs: inout [LayoutRun], _ glyphs: GlyphStore, _ executor: Executor,
    _ isWanted: (LayoutRun, LayoutPiece) -> Bool
  ) {
    let tasks = Task.inOrder(
      runs.enumerated().flatMap { run, tile in
        tile.pieces.enumerated().filter { isWanted(tile, $0.element) }.map {
          Task(run: run, place: $0.offset, weight: $0.element.weight)
        }
      })
    let results = ParallelResults<LayoutParts>(count: tasks.count)
    executor.forEach(tasks.count) { [runs] index in
      let run = runs[tasks[index].run]
      let piece = run.pieces[tasks[index].place]
      results.set(
        index,
        Trace.span("layout", .data, "\(run.words) \(piece.data.name)") {
          TileLayouter(run.input, run.tile).parts(of: piece, glyphs)
        })
    }
    for (index, task) in tasks.enumerated() {
      if let made = results[index] { runs[task.run].parts.add(made) }
    }
    for run in runs.indices { runs[run].parts.requests.sort { $0.index < $1.index } }
  }

  /// Lays out the symbols of the tiles that wait for no glyphs; their requests are no more then.
  static func layOutSymbols(
    _ runs: inout [LayoutRun], _ images: [String: ImagePosition], _ glyphs: GlyphStore, _ pixelRatio: Double,
    _ executor: Executor
  ) {
    let tasks = Task.inOrder(
      runs.enumerated().flatMap { run, tile in
        tile.awaited.isEmpty
          ? tile.parts.requests.enumerated().map {
            Task(run: run, place: $0, weight: $1.request.featureCount)
          } : []
      })
    // Whoever lays one out also lets it go: thousands of small pieces of memory.
    let requests = ParallelResults<SymbolLayoutRequest>(count: tasks.count)
    var layers: [Int] = []
    for (index, task) in tasks.enumerated() {
      let (layer, request) = runs[task.run].parts.requests[task.place]
      requests.set(index, request)
      layers.append(layer)
    }
    for run in runs.indices where runs[run].awaited.isEmpty { runs[run].parts.requests = [] }
    let results = ParallelResults<MadeSymbols>(count: tasks.count)
    executor.forEach(tasks.count) { [runs, layers] index in
      guard let request = requests.take(index) else { return }
      let run = runs[tasks[index].run]
      results.set(
        index,
        Trace.span("symbols", .data, "\(run.words) \(request.layer.id)") {
          let layouter = TileLayouter(run.input, run.tile)
          var bucket: LayerBucket?
          var end = layouter.end
          if end == nil {
            do throws(NeatError) {
              try MemoryReserve.hold()
              bucket = layouter.symbolBucket(request, images: images, glyphs: glyphs, pixelRatio: pixelRatio)
              end = layouter.end
            } catch {
              end = error
            }
          }
          let overruns = layouter.takeOverruns(of: [layers[index]])[layers[index]] ?? []
          return MadeSymbols(
            bucket: end == nil ? bucket : nil, images: request.needs.images,
            gaps: request.gaps(glyphs), end: end, overruns: overruns)
        })
    }
    for (index, task) in tasks.enumerated() { runs[task.run].symbols[layers[index]] = results[index] }
  }
}

extension TileLayouter {
  fileprivate func parts(of piece: LayoutPiece, _ glyphs: GlyphStore) -> LayoutParts {
    var parts = LayoutParts()
    if end != nil {
      parts.leave(piece, end)
      return parts
    }
    do throws(NeatError) { try MemoryReserve.hold() } catch {
      parts.leave(piece, error)
      return parts
    }
    if piece.isOfSymbols {
      if let request = symbolRequest(piece, glyphs) { parts.requests = [(piece.layers[0], request)] }
    } else {
      addGeometry(piece, to: &parts.buckets, &parts.faults)
    }
    parts.overruns = takeOverruns(of: piece.layers)
    if end != nil { parts.leave(piece, end) }
    return parts
  }
}

extension LayoutParts {
  /// Leaves what is not made of a piece: the work has ended on the way.
  fileprivate mutating func leave(_ piece: LayoutPiece, _ end: NeatError?) {
    for layer in piece.layers where buckets[layer] == nil {
      faults[layer] = end
      unfinished.insert(layer)
    }
    requests = []
  }

  /// Adds those of other layers.
  fileprivate mutating func add(_ other: LayoutParts) {
    unfinished.formUnion(other.unfinished)
    overruns.merge(other.overruns) { $1 }
    buckets.merge(other.buckets) { $1 }
    faults.merge(other.faults) { $1 }
    requests += other.requests
  }
}
