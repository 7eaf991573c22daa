import NeatBase
import NeatJSON

extension Style {
  /// Parts that the layers are read in for each thread: few enough that each keeps its own issues, enough
  /// that no thread waits long for another.
  private static let partsPerThread = 8

  /// Layers that follow one another, as one thread reads them.
  private struct LayerPart: Sendable {
    /// For each item its layer, if it is one, and how many issues there are then.
    var layers: [(layer: StyleLayer?, issueCount: Int)] = []
    var log = IssueLog()
  }

  static func layers(_ json: JSON, _ executor: Executor, _ log: inout IssueLog) -> [StyleLayer] {
    guard json.isArray else {
      log.add(json, "layers", "array expected, \(json.typeName) found")
      return []
    }
    if json.count > Limits.layers { log.add(json, "layers", Limits.message("layers", Limits.layers)) }
    let items = Array(json.elements.prefix(Limits.layers))
    let parts = readLayers(items, executor, log.compilation)
    var layers: [StyleLayer] = []
    layers.reserveCapacity(items.count)
    var ids: Set<String> = []
    var index = 0
    for part in parts {
      var issueCount = 0
      for (layer, end) in part.layers {
        log.add(part.log.issues[issueCount..<end])
        issueCount = end
        defer { index += 1 }
        guard let layer else { continue }
        guard ids.insert(layer.id).inserted else {
          log.add(items[index], "layers[\(index)]", "duplicate layer id \"\(layer.id)\"")
          continue
        }
        layers.append(layer)
      }
    }
    assert(index == items.count, "a result for each item")
    return layers
  }

  private static func readLayers(_ items: [JSON], _ executor: Executor, _ compilation: CompilationBudget)
    -> [LayerPart]
  {
    var parents: [String: JSON] = [:]
    if items.contains(where: { $0["ref"] != nil }) {
      for item in items { if let id = item["id"]?.string { parents[id] = item } }
    }
    let partCount = min(items.count, executor.width * partsPerThread)
    let results = ParallelResults<LayerPart>(count: partCount)
    let filters = FilterTable()
    executor.forEach(partCount) { [parents] place in
      var part = LayerPart()
      part.log.compilation = compilation
      for index in items.count * place / partCount..<items.count * (place + 1) / partCount {
        let layer = StyleLayer.read(
          items[index], key: "layers[\(index)]", parents: parents, filters: filters, issues: &part.log)
        part.layers.append((layer, part.log.issues.count))
      }
      results.set(place, part)
    }
    return (0..<partCount).compactMap { results[$0] }
  }
}

/// The filters of a style's layers: those that read the same are one, which is compiled once, and whose
/// layers show that they draw the same features.
final class FilterTable: Sendable {
  /// A filter as the style writes it. An array of bytes hashes each of them by itself.
  private struct Text: Hashable {
    let bytes: [UInt8]

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  private let known = Locked<[Text: CompiledFilter]>([:])

  func compile(_ json: JSON, _ budget: CompilationBudget) -> Result<CompiledFilter, ExpressionErrors> {
    let text = Text(bytes: json.sourceBytes)
    if let filter = known.withLock({ $0[text] }) { return .success(filter) }
    return CompiledFilter.compile(json, budget: budget).map { made in
      known.withLock { known in
        // Another thread may have been first.
        if let other = known[text] { return other }
        known[text] = made
        return made
      }
    }
  }
}
