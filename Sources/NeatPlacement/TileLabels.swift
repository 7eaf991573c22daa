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
// Why it holds: by 1 a win depends on the labels around the label's cell and on nothing else, and so by 2 does whether
// it stands; two tiles that both touch it know all of these labels (`margin` is as wide as they lie apart), with the
// same boxes to the bit (`CollisionIndex.snaps`), so they decide alike. Of two that overlap and both win the later one
// does not stand, so no two overlap. What 3 places lies in one tile, whose business alone it is. A label that reaches
// further from its anchor than `reach` could be met by others that a tile does not know: it stands within a tile, or
// not at all.
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

  /// Pixels from its anchor that a label may reach and still cross a line between tiles.
  package static let reach = 128.0
  /// Pixels around a cell whose labels say which of the cell's win.
  static let window = 64.0
  /// Pixels that ink may lie outside of a label's boxes.
  static let ink: Float = 16

  /// The edge of a cell: a whole part of a tile's, of about `window` pixels.
  package static func cell(tileEdge: Double) -> Double {
    tileEdge / max(1, (tileEdge / window).rounded(.down))
  }

  /// Pixels around a picture of tiles whose labels must be known: a label that touches it reaches so far, one that it
  /// meets as far again on both sides, and that one's cell and window.
  package static func margin(tileEdge: Double) -> Int {
    Int(bounded: (3 * reach + cell(tileEdge: tileEdge) + window).rounded(.up))
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
    // Labels are met tile by tile, or in any order.
    var runNumbers = [Int32](repeating: -1, count: buckets.count)
    let far = SIMD2(view.width, view.height) + TileGrid.reach
    trial.forEachLabel(settings, buckets) { run, bucket, instance in
      let symbol = run.bucket.geometry.instances[instance]
      // It stands whatever else does.
      if run.alwaysShowsText { states[layer][bucket][instance].text = true }
      if run.alwaysShowsIcon { states[layer][bucket][instance].icon = true }
      let anchor = trial.snapped(symbol.anchor, run)
      // Too far away to touch the picture, or to count for one that does.
      guard anchor.x >= -TileGrid.reach, anchor.y >= -TileGrid.reach, anchor.x <= far.x, anchor.y <= far.y,
        let extent = trial.extent(symbol, run)
      else { return }
      let (low, high) = (SIMD2(extent.x1, extent.y1), SIMD2(extent.x2, extent.y2))
      let middle = SIMD2<Float>(anchor) + CollisionIndex.padding
      let reach = max((middle - low).max(), (high - middle).max())
      if runNumbers[bucket] < 0 {
        runNumbers[bucket] = Int32(clamping: runs.count)
        runs.append(Run(run: run, layer: layer, bucket: bucket))
      }
      candidates.append(
        Candidate(
          run: runNumbers[bucket], instance: Int32(truncatingIfNeeded: instance), anchor: anchor,
          extent: extent, isShort: Double(reach) <= TileGrid.reach))
    }
  }

  /// What became of the labels of each layer, by bucket, and the placement in which they stand.
  package func place() -> (placement: Placement, states: [[[SymbolState]]]) {
    let placement = Placement(view: view, crossSourceCollisions: crossSourceCollisions, snaps: true)
    for (number, candidate) in candidates.enumerated() where candidate.isShort {
      cells[cell(candidate.anchor), default: []].append(Int32(number))
    }
    let crossing = candidates.indices.filter {
      candidates[$0].isShort && touches(candidates[$0].extent) == .line
    }
    for (number, label) in standing(crossing) {
      let candidate = candidates[number]
      placement.insert(symbol(candidate), runs[Int(candidate.run)].run, label)
      keep(label.state, candidate)
    }
    for candidate in candidates where touches(candidate.extent) == .tile {
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

  private func touches(_ extent: CollisionRect) -> Place {
    let p = CollisionIndex.padding
    let low = widen(SIMD2(extent.x1, extent.y1) - (p + TileGrid.ink))
    let high = widen(SIMD2(extent.x2, extent.y2) - (p - TileGrid.ink))
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
      height: Float(view.height) + 2 * CollisionIndex.padding)
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

extension Placement {
  /// Forgets what stands.
  func removeAll() { index.removeAll() }

  /// Where a symbol is anchored on the screen.
  func snapped(_ anchor: SIMD2<Float>, _ run: LayerRun) -> SIMD2<Double> {
    let clip = run.bucket.tile.matrix.clip(widen(anchor))
    return clip.w > 0 ? CollisionIndex.snap(view.screen(clip)) : .zero
  }

  /// The bounds of all places that a symbol's text and icon may take, in grid pixels; nil for one that takes none.
  func extent(_ symbol: SymbolInstance, _ run: LayerRun) -> CollisionRect? {
    let geometry = run.bucket.geometry
    var bounds: CollisionRect?
    func add(_ rect: CollisionRect?) {
      guard let rect else { return }
      let known = bounds ?? rect
      bounds = CollisionRect(
        min(known.x1, rect.x1), min(known.y1, rect.y1), max(known.x2, rect.x2), max(known.y2, rect.y2))
    }
    for (number, icon) in [
      (symbol.textBox, symbol.iconBox), (symbol.verticalTextBox, symbol.verticalIconBox),
    ] {
      var shifts: [SIMD2<Float>?] = [nil]
      if number >= 0 {
        let box = geometry.boxes[Int(number)]
        let choices = geometry.anchorOffsets[Int(symbol.anchorOffsetStart)..<Int(symbol.anchorOffsetEnd)]
        if !choices.isEmpty {
          shifts = choices.map {
            variableAnchorShift(
              $0, width: box.x2 - box.x1, height: box.y2 - box.y1, textBoxScale: symbol.textBoxScale)
          }
        }
        for shift in shifts {
          add(index.rect(box, anchor: symbol.anchor, frame: run.textFrame, shift: shift))
        }
      }
      guard icon >= 0 else { continue }
      if run.settings.hasIconTextFit {
        // It moves with the text.
        for shift in shifts + [nil] {
          add(
            index.rect(geometry.boxes[Int(icon)], anchor: symbol.anchor, frame: run.iconFrame, shift: shift))
        }
      } else {
        add(index.rect(geometry.boxes[Int(icon)], anchor: symbol.anchor, frame: run.iconFrame, shift: nil))
      }
    }
    for circle in placeCircles(symbol, run, overlap: .always)?.circles ?? [] {
      add(CollisionRect(circle.x - circle.z, circle.y - circle.z, circle.x + circle.z, circle.y + circle.z))
    }
    return bounds
  }

  /// Whether a label that was placed elsewhere meets nothing here that it may not cover.
  func hasRoom(_ label: PlacedLabel, _ run: LayerRun) -> Bool {
    if let text = label.text, !index.hasRoom(text.rect, mode: run.settings.textOverlap, group: run.group) {
      return false
    }
    if let icon = label.icon, !index.hasRoom(icon.rect, mode: run.settings.iconOverlap, group: run.group) {
      return false
    }
    return !(label.circles?.circles ?? []).contains {
      index.hitTestCircle($0, mode: run.settings.textOverlap, group: run.group)
    }
  }
}
