import NeatBase
import NeatJSON
import NeatResource
import NeatStore
import NeatTile

/// Options that come as JSON: of jobs, resources, downloads. Members of the wrong kind are errors that name them.
struct JSONOptions {
  let json: JSON

  /// What all that write an archive take.
  private static let common = ["archive", "plain", "maxTiles", "overwrite", "resume"]
  static let copy = common + ["bbox", "minzoom", "maxzoom", "verify"]
  /// How features become tiles.
  static let tiler = [
    "minzoom", "maxzoom", "buffer", "tolerance", "extent", "lineMetrics", "generateId", "promoteId",
    "include", "exclude", "dropRate", "baseZoom", "drop", "coalesce", "maxTileBytes", "maxTileFeatures",
    "memory", "threads",
  ]
  static let tile = common + tiler + ["metadata", "filters"]
  static let writer = common + ["format", "job"]

  init(_ bytes: [UInt8], known: [String]) throws(NeatError) {
    json = bytes.isEmpty ? .object([]) : try JSON.parse(bytes)
    guard json.isObject else { throw NeatError(.invalidArgument, "options are no JSON object") }
    try json.refuseMembers(besides: known, of: "options")
  }

  /// An object whose members are known to be known.
  init(checked json: JSON) { self.json = json }

  private func wrong(_ name: String, _ what: String) -> NeatError {
    NeatError(.invalidArgument, "\"\(name)\" is not \(what)")
  }

  func bool(_ name: String) throws(NeatError) -> Bool? {
    guard let value = json[name], !value.isNull else { return nil }
    guard let bool = value.bool else { throw wrong(name, "true or false") }
    return bool
  }

  func text(_ name: String) throws(NeatError) -> String? {
    guard let value = json[name], !value.isNull else { return nil }
    guard let text = value.string else { throw wrong(name, "a text") }
    return text
  }

  func number(_ name: String) throws(NeatError) -> Double? {
    guard let value = json[name], !value.isNull else { return nil }
    guard let number = value.number, number.isFinite else { throw wrong(name, "a number") }
    return number
  }

  func whole(_ name: String, _ range: ClosedRange<Int>) throws(NeatError) -> Int? {
    guard let number = try number(name) else { return nil }
    guard let whole = Int(exactly: number), range.contains(whole) else {
      throw wrong(name, "a whole number within \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  func zooms(_ all: ClosedRange<Int>) throws(NeatError) -> ClosedRange<UInt8>? {
    let low = try whole("minzoom", 0...30)
    let high = try whole("maxzoom", 0...30)
    if low == nil && high == nil { return nil }
    let range = (low ?? all.lowerBound, high ?? all.upperBound)
    guard range.0 <= range.1 else {
      throw NeatError(.invalidArgument, "minzoom \(range.0) is above maxzoom \(range.1)")
    }
    return UInt8(range.0)...UInt8(range.1)
  }

  func texts(_ name: String) throws(NeatError) -> [String]? {
    guard let value = json[name], !value.isNull else { return nil }
    let texts = value.elements.compactMap(\.string)
    guard value.isArray, texts.count == value.count else { throw wrong(name, "an array of texts") }
    return texts
  }

  func bounds() throws(NeatError) -> (west: Double, south: Double, east: Double, north: Double)? {
    guard let value = json["bbox"], !value.isNull else { return nil }
    let numbers = value.elements.compactMap(\.number)
    guard value.count == 4, numbers.count == 4 else {
      throw wrong("bbox", "an array of west, south, east and north")
    }
    return (numbers[0], numbers[1], numbers[2], numbers[3])
  }

  func archiveFormat() throws(NeatError) -> ArchiveFormat? {
    switch try text("archive") {
    case nil: nil
    case "pmtiles": .pmtiles
    case "mbtiles": .mbtiles
    default: throw wrong("archive", "\"pmtiles\" or \"mbtiles\"")
    }
  }

  func target(_ path: String) throws(NeatError) -> ArchiveTarget {
    guard !path.isEmpty else { throw NeatError(.invalidArgument, "the target is empty") }
    var target = ArchiveTarget(path: path)
    target.format = try archiveFormat()
    target.isPlain = try bool("plain") ?? false
    target.resumes = try bool("resume") ?? true
    target.overwrites = try bool("overwrite") ?? false
    target.tileLimit = try whole("maxTiles", 1...1 << 40).map { UInt64($0) }
    return target
  }
}
