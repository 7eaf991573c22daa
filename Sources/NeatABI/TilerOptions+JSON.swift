import NeatBase
import NeatJSON
import NeatLoop
import NeatResource
import NeatTile

extension JSONOptions {
  /// What of the options says how features become tiles.
  func tilerOptions() throws(NeatError) -> TilerOptions {
    var tiler = TilerOptions()
    tiler.zooms = try zooms(0...14) ?? tiler.zooms
    tiler.cut.buffer = try number("buffer") ?? tiler.cut.buffer
    tiler.cut.tolerance = try number("tolerance") ?? tiler.cut.tolerance
    tiler.cut.extent = try whole("extent", 1...65536) ?? tiler.cut.extent
    tiler.cut.lineMetrics = try bool("lineMetrics") ?? false
    tiler.cut.generateId = try bool("generateId") ?? false
    tiler.cut.promoteId = try text("promoteId")
    tiler.attributes = try attributes()
    tiler.dropRate = try number("dropRate") ?? tiler.dropRate
    tiler.baseZoom = try whole("baseZoom", 0...30).map { UInt8($0) }
    tiler.limits.bytes = try whole("maxTileBytes", 1024...1 << 30) ?? tiler.limits.bytes
    tiler.limits.features = try whole("maxTileFeatures", 1...1 << 30) ?? tiler.limits.features
    tiler.thinning = try thinning()
    return tiler
  }

  private func attributes() throws(NeatError) -> AttributeChoice {
    let (included, excluded) = (try texts("include"), try texts("exclude"))
    guard included == nil || excluded == nil else {
      throw NeatError(.invalidArgument, "either \"include\" or \"exclude\", not both")
    }
    return included.map { .only(Set($0)) } ?? excluded.map { .without(Set($0)) } ?? .all
  }

  private func thinning() throws(NeatError) -> TileThinning? {
    let (drop, coalesce) = (try text("drop"), try text("coalesce"))
    guard drop == nil || coalesce == nil else {
      throw NeatError(.invalidArgument, "either \"drop\" or \"coalesce\", not both")
    }
    guard let name = drop ?? coalesce else { return nil }
    guard let choice = TileThinning.Choice(rawValue: name) else {
      throw NeatError(
        .invalidArgument,
        "\"\(drop == nil ? "coalesce" : "drop")\" is not \"densest\", \"fraction\" or \"smallest\"")
    }
    return TileThinning(choice, coalesces: coalesce != nil)
  }

  /// Bytes of records that are held.
  func memory() throws(NeatError) -> Int {
    try whole("memory", 1 << 20...1 << 40) ?? VectorTiler.defaultMemory
  }

  func threads() throws(NeatError) -> Int {
    let count = try whole("threads", 0...WorkerPool.maxWidth) ?? 0
    return count == 0 ? WorkerPool.processorCount : count
  }

  /// Filters by layer.
  func filters() throws(NeatError) -> [String: JSON] {
    guard let value = json["filters"], !value.isNull else { return [:] }
    guard value.isObject else { throw NeatError(.invalidArgument, "\"filters\" is not an object") }
    return Dictionary(value.members.map { ($0.key, $0.value) }) { $1 }
  }

  /// Thresholds by zoom, as `requiredThresholds` finds them.
  func thresholds() throws(NeatError) -> [Double]? {
    guard let value = json["thresholds"], !value.isNull else { return nil }
    let numbers = value.elements.compactMap(\.number)
    guard value.isArray, numbers.count == value.count, numbers.allSatisfy({ $0 >= 0 }) else {
      throw NeatError(.invalidArgument, "\"thresholds\" is not an array of numbers from 0 on")
    }
    return numbers
  }

  /// What an archive says about itself.
  func metadata() throws(NeatError) -> JSON {
    guard let metadata = json["metadata"], !metadata.isNull else { return .object([]) }
    guard metadata.isObject else { throw NeatError(.invalidArgument, "\"metadata\" is not an object") }
    return metadata
  }
}
