import NeatBase
import NeatCamera

/// Puts ornaments into their corners, in device pixels. The first has its corner; where a later one would lie
/// over one that stands, it moves away from the top or the bottom past it, its own margin between them; where
/// there is no room left, it is not there.
struct OrnamentLayout {
  private let size: ViewSize
  private var taken: [Box] = []

  /// Left, top, right, bottom.
  struct Box: Equatable {
    var x0, y0, x1, y1: Int

    func meets(_ other: Box) -> Bool { x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1 }
  }

  init(_ size: ViewSize) {
    self.size = size
    taken.reserveCapacity(OrnamentKind.allCases.count)
  }

  /// - Parameter isFirst: it is there even where it does not fit, and is cut at the map's edges.
  mutating func add(_ place: OrnamentPlace, width: Int, height: Int, isFirst: Bool = false) -> Box? {
    let margin = (device(place.margins.x), device(place.margins.y))
    let x = place.position.isLeft ? margin.0 : size.deviceWidth - margin.0 - width
    var y = place.position.isTop ? margin.1 : size.deviceHeight - margin.1 - height
    var box = Box(x0: x, y0: y, x1: x + width, y1: y + height)
    // Each turn goes past one of them for good.
    while let other = taken.first(where: { $0.meets(box) }) {
      y = place.position.isTop ? other.y1 + margin.1 : other.y0 - margin.1 - height
      (box.y0, box.y1) = (y, y + height)
    }
    let isWithin = box.x0 >= 0 && box.y0 >= 0 && box.x1 <= size.deviceWidth && box.y1 <= size.deviceHeight
    guard isWithin || isFirst else { return nil }
    taken.append(box)
    return box
  }

  private func device(_ logical: Double) -> Int { Int(saturating: (logical * size.pixelRatio).rounded()) }
}
