import NeatBase
import NeatLayout
import NeatStyle

// The budgets of evaluations. What is over one takes the property's default, and is a line in the image's
// report.
extension MapCore {
  /// Milliseconds past the deadline for laying out, and for evaluating, what came in time.
  private static let graceMS: UInt64 = 150

  /// The budget of one image's layouts.
  func imageWork(isOver: @escaping @Sendable () -> Bool = { false }) -> WorkLedger {
    WorkLedger("image", options.work, graceMS: MapCore.graceMS, isOver: isOver)
  }

  /// An evaluator of expressions without features, for one call.
  func evaluator(_ state: State, for subject: String = "image") -> Evaluator {
    let evaluator = Evaluator(globalState: state.style.globalState, budget: options.evaluation)
    evaluator.ledger = WorkLedger(subject, options.work)
    return evaluator
  }

  /// The evaluator of a query.
  func queryEvaluator() -> Evaluator {
    ExpressionWork(options.evaluation, WorkLedger("query", options.work)).evaluator()
  }

  /// Reads a source's data; its filter and its clusters have a budget of their own.
  func geojsonTiles(
    _ bytes: [UInt8], _ source: SourceSpec.GeoJSONSource, unpackedLimit: Int? = nil
  ) throws(NeatError) -> GeoJSONTiles {
    let work = ExpressionWork(options.evaluation, WorkLedger("source", options.work))
    let tiles = try GeoJSONTiles(
      bytes: bytes, source: source, unpackedLimit: unpackedLimit, work: work, memory: options.memory)
    for message in tiles.overruns {
      report(MapProblem(resource: "clusterProperties", message: message, code: .limitExceeded, part: .source))
    }
    return tiles
  }
}

extension Report {
  /// Adds a layer's expression that went past a budget: once, in however many tiles.
  mutating func add(_ overrun: PropertyOverrun, of layer: StyleLayer) {
    var entry = Missing(
      .style, "layers.\(layer.id).\(overrun.place)", .limitExceeded, overrun.message, isFailure: true)
    (entry.layer, entry.source) = (layer.id, layer.source)
    add(entry)
  }
}

extension FrameBuilder {
  /// Adds the expressions that went past a budget while the frame was made.
  mutating func reportOverruns() {
    for overrun in ([memory] + memory.others).flatMap({ $0.takeOverruns() }) {
      for layer in style.layers {
        for found in layer.overruns(overrun) { report.add(found, of: layer) }
      }
      for (name, properties) in [("sky", style.sky), ("fog", style.fog), ("light", style.light)] {
        for place in properties?.places(of: overrun) ?? [] {
          report.add(
            Missing(.style, "\(name).\(place)", .limitExceeded, overrun.message, isFailure: true))
        }
      }
    }
  }
}
