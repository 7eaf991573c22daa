// What drawing moves, counted where it is written. Only builds with `-Xswiftc -DNEATLINE_TALLY` count
// (`scripts/bench-limit` makes one); in all others `add` is empty and leaves nothing behind. Counts are right
// where one thread draws.

package enum Tally {
  package enum Kind: Int, CaseIterable, Sendable {
    /// Pixels of fills that are stored, those that are blended, and in how many spans.
    case fillStored, fillBlended, fillSpans
    /// Hairlines about fills, each pixel blended with its coverage.
    case outline
    /// Points of polygons brought to the frame, edges that cross a row of the band, and crossings with rows.
    case fillPoints, fillEdges, fillCrossings
    /// Pixels that lines are computed and blended for, four by four, those of them that are covered, and in
    /// how many spans.
    case lineComputed, lineCovered, lineSpans
    /// Points of lines brought to the frame.
    case linePoints
    /// Pixels that glyphs are looked up for, and those of them, four by four, that are blended.
    case glyphSampled, glyphBlended, glyphCovered
    /// Pixels of icons.
    case icon
  }

  /// Whether this build counts.
  package static var isOn: Bool {
    #if NEATLINE_TALLY
      true
    #else
      false
    #endif
  }

  @inline(__always) static func add(_ kind: Kind, _ amount: @autoclosure () -> Int) {
    #if NEATLINE_TALLY
      counts[kind.rawValue] += amount()
    #endif
  }

  #if NEATLINE_TALLY
    private nonisolated(unsafe) static let counts = {
      let counts = UnsafeMutablePointer<Int>.allocate(capacity: Kind.allCases.count)
      counts.initialize(repeating: 0, count: Kind.allCases.count)
      return counts
    }()
  #endif

  /// What was counted since the last call; all 0 where nothing counts.
  package static func take() -> [Kind: Int] {
    var result: [Kind: Int] = [:]
    for kind in Kind.allCases {
      #if NEATLINE_TALLY
        result[kind] = counts[kind.rawValue]
        counts[kind.rawValue] = 0
      #else
        result[kind] = 0
      #endif
    }
    return result
  }
}
