// Bringing shapes to a frame's pixels is a third of what a picture of a city costs before its first pixel. It goes
// tile by tile of each layer, and one knows nothing of the other: threads take them as they come, each into memory of
// its own, while one of them does what has to be done in order. Commands then stand in the style's order again.

import NeatBase
import NeatLayout
import NeatStyle
import Synchronization

/// What a layer draws of one tile.
private struct Piece: BitwiseCopyable {
  /// Places in the layers of the frame and in the tiles of the layer's source.
  let layer, tile: Int32
  /// Points, about.
  let cost: Int32
}

/// Where the commands of a piece stand.
private struct PieceCommands: BitwiseCopyable {
  var worker: Int32 = 0
  var first: Int32 = 0
  var end: Int32 = 0
}

extension FrameBuilder {
  /// Points below which waking threads costs more than they save.
  private static let leastCost = 2000
  private static let maxWorkers = 8

  /// Places labels and adds the layers, of which it notes how they are made.
  mutating func add(_ layers: inout [LayerInFrame], _ executor: Executor) {
    if executor.width > 1, terrain == nil {
      for place in layers.indices { layers[place].isInPieces = isInPieces(layers[place]) }
      let pieces = self.pieces(layers)
      if pieces.count > 1, pieces.reduce(0, { $0 + Int($1.cost) }) >= FrameBuilder.leastCost {
        return add(layers, pieces, executor)
      }
    }
    terrain?.prepare(executor, hasLabels: layers.contains { $0.style.type == .symbol })
    begin()
    if let terrain {
      addOverTerrain(layers, terrain)
    } else {
      for layer in layers { add(layer) }
    }
  }

  private mutating func begin() {
    Trace.span("labels", .frame) { placeSymbols() }
    addSky()
    addFogSky()
    addSkyLayers()
    skyCount = commands.count
  }

  /// Whether the layer's tiles are made each by itself. Patterns have images that are made once, and what is missing
  /// of them is reported in the layers' order.
  private func isInPieces(_ layer: LayerInFrame) -> Bool {
    if !isChanging, facts.isPlain[layer.index] { return !layer.drawsEdge }
    return switch layer.style.type {
    case .fill where layer.drawsEdge: false
    case .fill: !layer.style.isSet(.fillPattern) && layerOpacity(layer) == 1
    case .line: !layer.style.isSet(.linePattern) && layerOpacity(layer) == 1
    case .circle: true
    default: false
    }
  }

  private func pieces(_ layers: [LayerInFrame]) -> [Piece] {
    var pieces: [Piece] = []
    // Of one source after the other: most layers draw from the source of the one before.
    var source: Int32?
    var shapes: [[LayerShapes]] = []
    var next: [Int] = []
    for (place, layer) in layers.enumerated() where layer.isInPieces {
      if facts.sourceNumbers[layer.index] != source {
        source = facts.sourceNumbers[layer.index]
        shapes = layer.style.source.flatMap { tiles[$0] }?.map { $0.layout?.shapes ?? [] } ?? []
        next = Array(repeating: 0, count: shapes.count)
      }
      let index = Int32(clamping: layer.index)
      for tile in shapes.indices {
        // Layers in pieces stand in the style's order.
        while next[tile] < shapes[tile].count, shapes[tile][next[tile]].layer < index { next[tile] += 1 }
        guard next[tile] < shapes[tile].count, shapes[tile][next[tile]].layer == index else { continue }
        pieces.append(
          Piece(
            layer: Int32(clamping: place), tile: Int32(clamping: tile),
            cost: shapes[tile][next[tile]].pointCount))
      }
    }
    return pieces
  }

  private mutating func add(_ layers: [LayerInFrame], _ pieces: [Piece], _ executor: Executor) {
    let width = min(executor.width, FrameBuilder.maxWorkers)
    for _ in 0..<width { memory.others.append(memories.take()) }
    // The largest first, so that none is left over for one thread while the others wait.
    let order = FrameBuilder.byCost(pieces)
    // Before which of the commands that are made in order each layer in pieces stands.
    var stops: [Int] = []
    let made = withUnsafeTemporaryAllocation(of: PieceCommands.self, capacity: pieces.count) { made in
      made.initialize(repeating: PieceCommands())
      withUnsafeMutablePointer(to: &self) { builder in
        withUnsafeMutablePointer(to: &stops) { stops in
          // One index does what goes in order; the others read what that one does not change.
          nonisolated(unsafe) let (base, made, stops, ordered) = (builder.pointee, made, stops, builder)
          let next = Atomic(0)
          executor.forEach(width + 1) { index in
            if index == 0 { return ordered.pointee.addInOrder(layers, &stops.pointee) }
            let worker = index - 1
            var builder = base
            builder.memory = base.memory.others[worker]
            builder.evaluator = builder.memory.evaluator(
              globalState: base.evaluator.globalState ?? [:], base.evaluator.budget, base.evaluator.ledger)
            Trace.span("shapes", .frame) {
              while true {
                let turn = next.add(1, ordering: .relaxed).oldValue
                if turn >= order.count { break }
                let place = Int(order[turn])
                let piece = pieces[place]
                let first = builder.commands.count
                builder.add(piece, layers[Int(piece.layer)])
                made[place] = PieceCommands(
                  worker: Int32(worker), first: Int32(first), end: Int32(builder.commands.count))
              }
            }
          }
        }
      }
      return Array(made)
    }
    join(pieces, made, stops)
  }

  /// The places of the pieces, those of the largest first.
  private static func byCost(_ pieces: [Piece]) -> [UInt32] {
    // Numbers are sorted in a third of the time that it takes to compare what they stand for.
    var keys = pieces.indices.map { place in
      UInt64(Int32.max &- max(0, pieces[place].cost)) << 32 | UInt64(UInt32(clamping: place))
    }
    keys.sort()
    return keys.map { UInt32(truncatingIfNeeded: $0) }
  }

  /// What goes in the layers' order: all but those in pieces.
  private mutating func addInOrder(_ layers: [LayerInFrame], _ stops: inout [Int]) {
    begin()
    for layer in layers {
      stops.append(commands.count)
      if !layer.isInPieces { add(layer) }
    }
  }

  private mutating func add(_ piece: Piece, _ layer: LayerInFrame) {
    guard let tile = layer.style.source.flatMap({ tiles[$0] })?[Int(piece.tile)] else { return }
    add(tile, layer)
  }

  /// Puts commands into the layers' order.
  private mutating func join(_ pieces: [Piece], _ made: [PieceCommands], _ stops: [Int]) {
    var ordered = memory.takeSpare()
    var copied = 0
    for (piece, found) in zip(pieces, made) {
      let stop = stops[Int(piece.layer)]
      ordered.append(contentsOf: commands[copied..<stop])
      copied = stop
      ordered.append(contentsOf: memory.others[Int(found.worker)].commands[Int(found.first)..<Int(found.end)])
    }
    ordered.append(contentsOf: commands[copied...])
    memory.replaceCommands(ordered)
  }
}
