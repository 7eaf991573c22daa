import NeatRaster
import NeatStyle

/// Dashes that frames drew with, ready to draw with again: a layer has the same in all of its tiles, and until
/// the next whole zoom.
struct DashMemory {
  private struct Entry {
    /// What the lengths were read from.
    let origin: AnyObject
    let zoom: Double
    let isRound: Bool
    let dash: LineDash?
  }

  private static let limit = 64

  private var entries: [Entry] = []

  /// The dash of a property at a whole zoom. `make`: from its lengths, where it is not known yet.
  mutating func dash(
    _ property: PropertyValue, zoom: Double, isRound: Bool, _ make: () -> LineDash?
  ) -> LineDash? {
    guard let origin = property.origin, !property.isDataDriven, property.globalStateKeys.isEmpty else {
      return make()
    }
    for entry in entries where entry.origin === origin && entry.zoom == zoom && entry.isRound == isRound {
      return entry.dash
    }
    let dash = make()
    if entries.count >= DashMemory.limit { entries.removeAll(keepingCapacity: true) }
    entries.append(Entry(origin: origin, zoom: zoom, isRound: isRound, dash: dash))
    return dash
  }
}
