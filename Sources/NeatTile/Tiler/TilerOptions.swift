import NeatBase

/// How features become tiles.
package struct TilerOptions: Sendable {
  package var zooms: ClosedRange<UInt8> = 0...14
  /// How geometry is cut; `maxZoom` is that of `zooms`.
  package var cut = GeoJSONTileOptions()
  package var attributes = AttributeChoice.all
  /// Of points, below `baseZoom` (nil: the deepest): each zoom holds one of so many of the next deeper one. 1:
  /// all. At most 16.
  package var dropRate = 1.0
  package var baseZoom: UInt8?
  package var limits = TileLimits()
  /// What happens to tiles past the limits; nil: they are written, and counted.
  package var thinning: TileThinning?

  package init() {}

  /// Throws `invalidArgument` naming what is out of range.
  package func check() throws(NeatError) {
    guard zooms.upperBound <= StyleZoom.maximum else {
      throw NeatError(.invalidArgument, "zoom \(zooms.upperBound) is beyond \(StyleZoom.maximum)")
    }
    guard dropRate >= 1, dropRate <= 16 else {
      throw NeatError(.invalidArgument, "dropRate must be 1 to 16, not \(dropRate)")
    }
    guard limits.bytes >= 1024, limits.features >= 1 else {
      throw NeatError(
        .invalidArgument, "the limits of a tile are at least 1024 bytes and 1 feature, not \(limits)")
    }
    try cutOptions.check()
  }

  /// All of it as a text, the same in every process.
  package var text: String {
    """
    zooms \(zooms), \(cut), attributes \(attributes.text), drop rate \(dropRate) from \(baseZoom ?? zooms.upperBound), \
    limits \(limits), \(thinning.map { "\($0.choice.rawValue) \($0.coalesces)" } ?? "no thinning")
    """
  }

  package var cutOptions: GeoJSONTileOptions {
    var options = cut
    options.maxZoom = Int(zooms.upperBound)
    return options
  }

  /// Whether records say where a feature is and how large.
  var keepsMeasures: Bool { thinning != nil }

  /// The part of the points that a zoom holds, 0...1.
  func pointShare(_ zoom: UInt8) -> Double {
    let base = baseZoom ?? zooms.upperBound
    var share = 1.0
    for _ in min(zoom, base)..<base { share /= dropRate }
    return share
  }
}

/// The largest tiles that are as wished, as tippecanoe has them.
package struct TileLimits: Sendable, Equatable {
  /// Packed.
  package var bytes = 500_000
  package var features = 200_000

  package init() {}
}

/// What makes tiles smaller that are past their limits.
package struct TileThinning: Sendable, Equatable {
  package enum Choice: String, Sendable {
    /// Features near to others along the Hilbert curve.
    case densest
    /// Any, as their hashes fall.
    case fraction
    /// The shortest lines and the smallest polygons; points, which have no size, before both, as their hashes
    /// fall.
    case smallest
  }

  package var choice: Choice
  /// Whether a feature's geometry goes to the one before it on the curve, instead of away.
  package var coalesces: Bool

  package init(_ choice: Choice, coalesces: Bool = false) {
    self.choice = choice
    self.coalesces = coalesces
  }
}

/// Which properties tiles have.
package enum AttributeChoice: Sendable, Equatable {
  case all
  case only(Set<String>)
  case without(Set<String>)

  /// The names in an order that does not change.
  var text: String {
    switch self {
    case .all: "all"
    case .only(let names): "only \(names.sorted())"
    case .without(let names): "without \(names.sorted())"
    }
  }

  package func takes(_ name: String) -> Bool {
    switch self {
    case .all: true
    case .only(let names): names.contains(name)
    case .without(let names): !names.contains(name)
    }
  }
}
