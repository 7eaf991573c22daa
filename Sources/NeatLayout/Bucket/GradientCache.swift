import NeatBase

/// The colours along a bucket's lines, as they were last: frames ask for the same again and again.
package final class GradientCache: Sendable {
  package struct Colors: Sendable {
    /// Rows of `width` premultiplied colours.
    package let colors: [UInt32]
    package let width: Int
    /// The row of each line of the bucket's mesh; empty where one row serves for all.
    package let rowOfLine: [Int32]

    package init(colors: [UInt32], width: Int, rowOfLine: [Int32] = []) {
      (self.colors, self.width, self.rowOfLine) = (colors, width, rowOfLine)
    }
  }

  /// What the colours were read from, which is kept, so that nothing else takes its place.
  private final class Entry: Sendable {
    nonisolated(unsafe) let origin: AnyObject
    let colors: Colors

    init(_ origin: AnyObject, _ colors: Colors) { (self.origin, self.colors) = (origin, colors) }
  }

  private let entry = Locked<Entry?>(nil)

  init() {}

  package func colors(of origin: AnyObject, _ make: () -> Colors) -> Colors {
    if let known = entry.withLock({ $0 }), known.origin === origin { return known.colors }
    let made = Entry(origin, make())
    entry.withLock { $0 = made }
    return made.colors
  }
}
