/// Time as a map counts it, in views: what each view uses is stamped with its number, and what a view that is
/// being drawn uses is not dropped.
struct ViewClock: Sendable {
  /// The number of the last view that began.
  private(set) var now: UInt64 = 0
  /// Views that are being drawn, by their number when they began.
  private var underWay: [UInt64] = []

  /// What was used before this view may be dropped.
  var oldestInUse: UInt64 { underWay.min() ?? now }

  /// Whether no view is being drawn besides the one that asks.
  var isOfOneView: Bool { underWay.count <= 1 }

  /// A view looks at what is there.
  mutating func tick() { now += 1 }

  /// A view begins whose tiles are to stay until it ends; its number.
  mutating func begin() -> UInt64 {
    now += 1
    underWay.append(now)
    return now
  }

  mutating func end(_ view: UInt64) {
    guard let index = underWay.firstIndex(of: view) else { return assertionFailure("no such view") }
    underWay.remove(at: index)
  }
}
