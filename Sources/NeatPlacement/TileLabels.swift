// Labels of tile pictures: every tile that a label touches decides alike on it.
//
// Who comes first stands, and whether one stands can hang on another that is as far away as a chain of labels goes; a
// tile cannot look that far. So labels that may touch a line between tiles are decided by a rule that looks no further
// than it can see, wherever it is asked from:
//
// 1. The plane is cut into cells, whose edges lie on those of the tiles. For each cell the labels that are anchored in
//    it, or up to `window` pixels around it, are placed in their order. A label wins if it has its place then.
// 2. A label that touches a line between tiles stands if it wins, and meets none that comes before it and wins too.
// 3. All other labels of a tile lie within it. They are placed in their order, around those that stand by then.
//
// Why it holds, for a label and a tile T that it touches:
//
// - What is known of a label is the same wherever it is known. Each is placed around the corner of its own tile, by
//   numbers that no view has a part in, and rounded to 32nds of a pixel; the corners lie on such a grid of the world.
//   No edge of a view cuts a shape or keeps one from being met. The order is that of layers, keys, tiles and features.
// - A label that crosses a line takes no place, wherever it may stand, further than `reach` from its anchor, and its
//   glyphs and icon cover nothing further than `drawnReach`. So its anchor lies within `drawnReach` of T. One that it
//   meets is anchored within another 2 `reach`, and with its cell and the window around that within `margin` of T: a
//   picture of T knows all of these, and by 1 and 2 nothing else has a say. So all tiles that it touches decide alike.
// - Of two that overlap and both win the later one does not stand, so no two overlap.
// - What 3 places covers nothing outside of one tile, whose business alone it is. The tile knows all that stand there
//   by 2, and all that lie within it.
//
// A label that reaches further stands within a tile, or not at all. Those that may overlap anything stand wherever they
// are known.
import NeatBase

/// How the tiles of a picture lie in the view in which its labels are placed: their edges, in CSS pixels.
package struct TileGrid: Sendable, Equatable {
  /// Of a tile.
  package var edge: Double
  /// The corner of the first tile.
  package var origin: SIMD2<Double>
  /// The picture's far corner.
  package var end: SIMD2<Double>

  package init(edge: Double, origin: SIMD2<Double>, end: SIMD2<Double>) {
    (self.edge, self.origin, self.end) = (edge, origin, end)
  }

  /// Pixels from its anchor that a label may reach and still cross a line between tiles: by the places that it may
  /// take, and by what is drawn there.
  package static let reach = 124.0
  package static let drawnReach = 136.0
  /// Pixels around a cell whose labels say which of the cell's win.
  static let window = 64.0
  /// The soft edge of what is drawn, in pixels.
  static let softEdge: Float = 1

  /// The edge of a cell: a whole part of a tile's, of about `window` pixels.
  package static func cell(tileEdge: Double) -> Double {
    tileEdge / max(1, (tileEdge / window).rounded(.down))
  }

  /// Pixels around a picture of tiles whose labels must be known: a label that touches it is drawn so far from its
  /// anchor, one that it meets takes places as far from there as both reach, and has its cell and the window around it.
  package static func margin(tileEdge: Double) -> Int {
    Int(bounded: (drawnReach + 2 * reach + cell(tileEdge: tileEdge) + window).rounded(.up))
  }
}

/// Decides on the labels of a picture of tiles.
package final class TileLabels {
  /// A label, in the order of placement.
  private struct Candidate: BitwiseCopyable {
    /// Of `runs`.
    let run: Int32
    let instance: Int32
    let anchor: SIMD2<Double>
    /// All places that it may take; in grid pixels.
    let extent: CollisionRect
    /// These, and what is drawn there.
    let bounds: CollisionRect
    /// Whether it is near enough to its anchor to cross a line between tiles.
    let isShort: Bool
  }

  /// A tile's labels of a layer. An object, as candidates of all runs are looked at in turn.
  private final class Run {
    let run: LayerRun
    /// Where their states are.
    let layer: Int
    let bucket: Int

    init(run: LayerRun, layer: Int, bucket: Int) {
      (self.run, self.layer, self.bucket) = (run, layer, bucket)
    }
  }

  private struct Cell: Hashable {
    var x: Int
    var y: Int
  }

  private let view: PlacementView
  private let crossSourceCollisions: Bool
  private let grid: TileGrid
  private let cellEdge: Double
  private var runs: [Run] = []
  private var candidates: [Candidate] = []
  private var states: [[[SymbolState]]] = []
  /// Where labels are tried.
  private let trial: Placement
  private var cells: [Cell: [Int32]] = [:]
  /// What becomes of a cell's labels that are short.
  private var decided: [Cell: [Int32: PlacedLabel]] = [:]

  package init(view: PlacementView, crossSourceCollisions: Bool, grid: TileGrid) {
    assert(view.pitch == 0 && view.bearing == 0, "tiles are seen from straight above")
    self.view = view
    self.crossSourceCollisions = crossSourceCollisions
    self.grid = grid
    cellEdge = TileGrid.cell(tileEdge: grid.edge)
    trial = Placement(view: view, crossSourceCollisions: crossSourceCollisions, snaps: true)
  }

  /// Adds a layer's labels. Call with the style's symbol layers from the last one to the first.
  package func add(_ settings: SymbolPlacementSettings, _ buckets: [PlacementBucket]) {
    let layer = states.count
    states.append(
      buckets.map { [SymbolState](repeating: SymbolState(), count: $0.geometry.instances.count) })
    let buckets = buckets.map { bucket in
      var bucket = bucket
      bucket.tile = bucket.tile.aroundCorner
      return bucket
    }
    // Labels are met tile by tile, or in any order.
    var runNumbers = [Int32](repeating: -1, count: buckets.count)
    let near = -TileGrid.drawnReach
    let far = SIMD2(view.width, view.height) - near
    trial.forEachLabel(settings, buckets) { run, bucket, instance in
      let symbol = run.bucket.geometry.instances[instance]
      guard run.bucket.standsIn?.contains(where: { $0.holds(symbol.anchor) }) ?? true else { return }
      // It stands whatever else does.
      if run.alwaysShowsText { states[layer][bucket][instance].text = true }
      if run.alwaysShowsIcon { states[layer][bucket][instance].icon = true }
      let anchor = trial.snapped(symbol.anchor, run)
      // Too far away to touch the picture, or to count for one that does.
      guard anchor.x >= near, anchor.y >= near, anchor.x <= far.x, anchor.y <= far.y,
        let (extent, bounds) = trial.extent(symbol, run)
      else { return }
      let middle = SIMD2<Float>(anchor) + CollisionIndex.padding
      let isShort =
        extent.reach(from: middle) <= TileGrid.reach && bounds.reach(from: middle) <= TileGrid.drawnReach
      if runNumbers[bucket] < 0 {
        runNumbers[bucket] = Int32(clamping: runs.count)
        runs.append(Run(run: run, layer: layer, bucket: bucket))
      }
      candidates.append(
        Candidate(
          run: runNumbers[bucket], instance: Int32(truncatingIfNeeded: instance), anchor: anchor,
          extent: extent, bounds: bounds, isShort: isShort))
    }
  }

  /// What became of the labels of each layer, by bucket, and the placement in which they stand.
  package func place() -> (placement: Placement, states: [[[SymbolState]]]) {
    let placement = Placement(view: view, crossSourceCollisions: crossSourceCollisions, snaps: true)
    for (number, candidate) in candidates.enumerated() where candidate.isShort {
      cells[cell(candidate.anchor), default: []].append(Int32(number))
    }
    let crossing = candidates.indices.filter {
      candidates[$0].isShort && touches(candidates[$0].bounds) == .line
    }
    for (number, label) in standing(crossing) {
      let candidate = candidates[number]
      placement.insert(symbol(candidate), runs[Int(candidate.run)].run, label)
      keep(label.state, candidate)
    }
    for candidate in candidates where touches(candidate.bounds) == .tile {
      keep(placement.place(symbol(candidate), runs[Int(candidate.run)].run, id: 0), candidate)
    }
    return (placement, states)
  }

  private func keep(_ state: SymbolState, _ candidate: Candidate) {
    let run = runs[Int(candidate.run)]
    states[run.layer][run.bucket][Int(candidate.instance)] = state
  }

  private func symbol(_ candidate: Candidate) -> SymbolInstance {
    runs[Int(candidate.run)].run.bucket.geometry.instances[Int(candidate.instance)]
  }

  // MARK: Where labels lie

  private enum Place {
    case elsewhere
    /// Within one tile of the picture.
    case tile
    /// On a line between tiles, or on the edge of the picture.
    case line
  }

  private func touches(_ bounds: CollisionRect) -> Place {
    let p = CollisionIndex.padding
    let low = widen(SIMD2(bounds.x1, bounds.y1) - (p + TileGrid.softEdge))
    let high = widen(SIMD2(bounds.x2, bounds.y2) - (p - TileGrid.softEdge))
    guard high.x >= grid.origin.x, high.y >= grid.origin.y, low.x <= grid.end.x, low.y <= grid.end.y else {
      return .elsewhere
    }
    let first = ((low - grid.origin) / grid.edge).rounded(.up)
    let last = ((high - grid.origin) / grid.edge).rounded(.down)
    return first.x <= last.x || first.y <= last.y ? .line : .tile
  }

  private func cell(_ point: SIMD2<Double>) -> Cell {
    let cell = ((point - grid.origin) / cellEdge).rounded(.down)
    return Cell(x: Int(bounded: cell.x), y: Int(bounded: cell.y))
  }

  // MARK: The rule

  /// Those of some labels that stand, by their numbers.
  private func standing(_ crossing: [Int]) -> [(number: Int, label: PlacedLabel)] {
    guard !crossing.isEmpty else { return [] }
    var extents = CollisionGrid(
      width: Float(view.width) + 2 * CollisionIndex.padding,
      height: Float(view.height) + 2 * CollisionIndex.padding, isBounded: false)
    for (number, candidate) in candidates.enumerated() where candidate.isShort {
      extents.insert(
        candidate.extent, key: CollisionKey(bucket: 0, feature: UInt32(truncatingIfNeeded: number)))
    }
    var isAsked = [Bool](repeating: false, count: candidates.count)
    for number in crossing { isAsked[number] = true }
    var isNeeded = isAsked
    for number in crossing {
      for other in extents.query(candidates[number].extent) where Int(other.feature) < number {
        isNeeded[Int(other.feature)] = true
      }
    }
    let winners = Placement(view: view, crossSourceCollisions: crossSourceCollisions, snaps: true)
    var result: [(number: Int, label: PlacedLabel)] = []
    for number in candidates.indices where isNeeded[number] {
      let candidate = candidates[number]
      guard let label = winner(number) else { continue }
      let run = runs[Int(candidate.run)].run
      if isAsked[number], winners.hasRoom(label, run) { result.append((number, label)) }
      winners.insert(symbol(candidate), run, label)
    }
    return result
  }

  /// A label that wins in its cell; nil for one that does not.
  private func winner(_ number: Int) -> PlacedLabel? {
    let cell = cell(candidates[number].anchor)
    if let known = decided[cell] { return known[Int32(number)] }
    let low = grid.origin + SIMD2(Double(cell.x), Double(cell.y)) * cellEdge - TileGrid.window
    let high = low + (cellEdge + 2 * TileGrid.window)
    let cells = Int(bounded: (TileGrid.window / cellEdge).rounded(.up))
    var members: [Int32] = []
    for y in cell.y - cells...cell.y + cells {
      for x in cell.x - cells...cell.x + cells {
        for member in self.cells[Cell(x: x, y: y)] ?? [] {
          let anchor = candidates[Int(member)].anchor
          if anchor.x >= low.x, anchor.y >= low.y, anchor.x < high.x, anchor.y < high.y {
            members.append(member)
          }
        }
      }
    }
    members.sort()
    trial.removeAll()
    var won: [Int32: PlacedLabel] = [:]
    for member in members {
      let candidate = candidates[Int(member)]
      let (symbol, run) = (symbol(candidate), runs[Int(candidate.run)].run)
      let label = trial.evaluate(symbol, run, id: 0)
      guard label.state.text || label.state.icon else { continue }
      trial.insert(symbol, run, label)
      if self.cell(candidate.anchor) == cell { won[member] = label }
    }
    decided[cell] = won
    return won[Int32(number)]
  }
}
