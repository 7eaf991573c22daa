import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

extension GeoJSONData {
  /// `masks`, a bit for each of the zooms of each feature, narrowed by what features say of themselves; nil:
  /// all.
  func zoomMasks(_ masks: [UInt32]?, _ zooms: ClosedRange<UInt8>) -> [UInt32]? {
    if zoomHints.isEmpty { return masks }
    let all = zooms.reduce(UInt32(0)) { $0 | 1 << UInt32($1) }
    var masks = masks ?? [UInt32](repeating: all, count: featureCount)
    for hint in zoomHints {
      let low = UInt32.max &<< UInt32(min(hint.zooms.lowerBound, 31))
      let high = hint.zooms.upperBound >= 31 ? .max : (UInt32(1) &<< UInt32(hint.zooms.upperBound + 1)) &- 1
      masks[hint.feature] &= low & high
    }
    return masks
  }
}

/// Which features of a layer go into the tiles of which zooms.
struct TilerFilter: Sendable {
  private let filter: CompiledFilter
  private let zooms: ClosedRange<UInt8>
  /// As it was written.
  let text: String

  /// nil where there is no filter. Throws `expression` naming the layer.
  static func make(_ json: JSON?, _ layer: String, _ options: TilerOptions) throws(NeatError) -> TilerFilter?
  {
    guard let json, !json.isNull else { return nil }
    let filter = try CompiledFilter.compile(json).mapError {
      NeatError(.expression, "the filter of layer \"\(layer)\": \($0.neatError.message)")
    }.get()
    return TilerFilter(filter: filter, zooms: options.zooms, text: json.text)
  }

  private init(filter: CompiledFilter, zooms: ClosedRange<UInt8>, text: String) {
    self.filter = filter
    self.zooms = zooms
    self.text = text
  }

  /// A bit for each zoom, of each feature.
  func zooms(of data: GeoJSONData) -> [UInt32] {
    var masks = [UInt32](repeating: 0, count: data.featureCount)
    let layer = data.propertiesLayer()
    let evaluator = Evaluator()
    let all = zooms.reduce(UInt32(0)) { $0 | 1 << UInt32($1) }
    for zoom in filter.isZoomConstant ? zooms.lowerBound...zooms.lowerBound : zooms {
      let place = EvaluationPoint.layer(layer, zoom: Double(zoom))
      let bits = filter.isZoomConstant ? all : 1 << UInt32(zoom)
      for feature in 0..<data.featureCount where filter.matches(evaluator, at: place.feature(feature)) {
        masks[feature] |= bits
      }
    }
    return masks
  }
}
