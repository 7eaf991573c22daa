import NeatBase
import NeatTile
import Testing

/// The tiles of GeoJSON, through records.
struct TinyTiler {
  var options = TilerOptions()
  var batches: [TileBatch] = []

  init(_ json: String, zooms: ClosedRange<UInt8> = 0...0, _ change: (inout TilerOptions) -> Void = { _ in })
    throws
  {
    options.zooms = zooms
    change(&options)
    let data = try GeoJSONData(parsing: Array(json.utf8))
    keys = data.keys
    var runs: [RecordRun] = []
    try TileCutter(options, layer: 0, part: 0).cut(
      data, first: 0, keys: (0..<UInt32(keys.count)).map { $0 }, shows: nil
    ) { run throws(NeatError) in runs.append(run) }
    try #require(runs.count <= 1)
    var builder = TileBatchBuilder(thins: options.thinning != nil)
    for run in runs {
      for index in 0..<run.count { try builder.add(run.records[index].key, run.body(index)) }
    }
    if builder.tileCount > 0 { batches = [builder.finish()] }
  }

  private let keys: [String]

  /// Each tile by its number.
  func outcomes(threshold: Double = 0) throws -> [UInt64: TileOutcome] {
    var maker = try TileMaker(options, layerNames: ["layer"], keyNames: keys)
    var result: [UInt64: TileOutcome] = [:]
    for batch in batches {
      for index in 0..<batch.count {
        result[batch.tile(index)] = try maker.make(batch, index, threshold: threshold)
      }
    }
    return result
  }

  /// The layer of the world's tile.
  func world(threshold: Double = 0) throws -> TileLayer {
    let outcome = try #require(try outcomes(threshold: threshold)[0])
    return try #require(try decodeMVT(outcome.bytes ?? []).layers.first)
  }

  func requiredThreshold() throws -> Double {
    var maker = try TileMaker(options, layerNames: ["layer"], keyNames: keys)
    return try maker.requiredThreshold(batches[0], 0)
  }
}

func collection(_ features: [String]) -> String {
  #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
}

func point(_ lon: Double, _ lat: Double, _ properties: String = "") -> String {
  #"{"type":"Feature","properties":{\#(properties)},"geometry":{"type":"Point","coordinates":[\#(lon),\#(lat)]}}"#
}

func square(_ lon: Double, _ lat: Double, _ edge: Double, _ properties: String = "") -> String {
  let (east, north) = (lon + edge, lat + edge)
  return
    #"{"type":"Feature","properties":{\#(properties)},"geometry":{"type":"Polygon","coordinates":[[[\#(lon),\#(lat)],[\#(east),\#(lat)],[\#(east),\#(north)],[\#(lon),\#(north)],[\#(lon),\#(lat)]]]}}"#
}
