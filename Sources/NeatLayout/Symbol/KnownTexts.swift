import NeatBase
import NeatStyle
import NeatTile

/// Texts by the values of the properties that they are made of: most features of a layer share theirs with others,
/// pieces of one street above all, and a tile stores each value once. The last one of each place is remembered, so
/// that no tile makes a search long.
struct KnownTexts {
  /// Properties at most.
  private static let maxKeys = 3
  private static let maxPlaces = 1024

  private struct Entry {
    var values: SIMD4<Int32>
    /// Nil for features without text.
    var text: SymbolText?
  }

  /// Of each property the values of the features; nil for one that the layer does not have.
  private let first, second, third: UnsafePointer<Int32>?
  private var entries: [Entry]

  /// Nil where the text depends on more than a few properties.
  init?(_ text: PropertyValue, in layer: TileLayer) {
    guard let keys = text.expression?.keysAlone, (1...KnownTexts.maxKeys).contains(keys.count) else {
      return nil
    }
    func column(_ key: Int) -> UnsafePointer<Int32>? {
      key < keys.count ? layer.keyIndex(keys[key]).map(layer.column) : nil
    }
    (first, second, third) = (column(0), column(1), column(2))
    var places = 16
    while places < min(layer.featureCount, KnownTexts.maxPlaces) { places *= 2 }
    // No value has such a number.
    entries = Array(repeating: Entry(values: SIMD4(repeating: -2), text: nil), count: places)
  }

  /// Where the text of a feature is kept.
  struct Place {
    fileprivate var values: SIMD4<Int32>
    fileprivate var index: Int
  }

  func place(of feature: Int) -> Place {
    let values = SIMD4(first?[feature] ?? -1, second?[feature] ?? -1, third?[feature] ?? -1, -1)
    var hash = UInt64(UInt32(bitPattern: values.x)) &* 0x9E37_79B9_7F4A_7C15
    hash ^= UInt64(UInt32(bitPattern: values.y)) &* 0xC2B2_AE3D_27D4_EB4F
    hash ^= UInt64(UInt32(bitPattern: values.z)) &* 0x1656_67B1_9E37_79F9
    return Place(values: values, index: Int(truncatingIfNeeded: hash >> 40) & (entries.count - 1))
  }

  /// What is known of it; nil where nothing is.
  subscript(place: Place) -> SymbolText?? {
    entries[place.index].values == place.values ? .some(entries[place.index].text) : nil
  }

  mutating func keep(_ text: SymbolText?, at place: Place) {
    entries[place.index] = Entry(values: place.values, text: text)
  }
}
