// Where to break a label: the widths of its lines should be close to that of lines of equal length, as in
// Knuth and Plass's paragraphs with badness = raggedness squared plus penalties (the rules are MapLibre's).
// Each possible break looks back for its best predecessor. Looking back from the nearest, lines only get
// longer: once a line is wider than the target, raggedness grows, and the search ends where raggedness plus
// the least badness of all earlier breaks cannot win any more. So the work stays linear in practice instead
// of quadratic.

import NeatBase

/// A place where a line may end.
private struct Break {
  /// Number of items before it.
  var index: Int
  /// Width of the text up to it, white space not counted.
  var x: Double
  var prior: Int
  var badness: Double
  /// The least badness of this and all earlier breaks.
  var leastBadness: Double
}

private struct BreakSearch {
  let target: Double
  /// Whether widths never shrink, so that the search may stop early.
  let isMonotonic: Bool
  var breaks: [Break] = []

  /// The best way to end a line at `index`.
  func evaluate(_ index: Int, x: Double, penalty: Double, isLast: Bool) -> Break {
    var best = badness(x, penalty, isLast)
    var prior = -1
    var candidate = breaks.count - 1
    var least = Double.infinity
    var found = -1
    while candidate >= 0 {
      let width = x - breaks[candidate].x
      let own = badness(width, penalty, isLast)
      let total = own + breaks[candidate].badness
      if total < least {
        least = total
        found = candidate
      }
      if isMonotonic && width >= target && own + breaks[candidate].leastBadness >= least { break }
      candidate -= 1
    }
    // At equal badness the later break wins, and any break wins over none.
    if found >= 0 && least <= best {
      best = least
      prior = found
    }
    let before = breaks.last?.leastBadness ?? .infinity
    return Break(index: index, x: x, prior: prior, badness: best, leastBadness: min(best, before))
  }

  @inline(__always)
  private func badness(_ width: Double, _ penalty: Double, _ isLast: Bool) -> Double {
    let raggedness = (width - target) * (width - target)
    if isLast { return width < target ? raggedness / 2 : raggedness * 2 }
    return raggedness + abs(penalty) * penalty
  }
}

extension Label {
  /// The width of an item with what follows it.
  @inline(__always)
  private func width(_ item: LabelItem, _ spacing: Double) -> Double {
    Double(item.advance) * styles[Int(item.section)].scale + (item.isSpaced ? spacing : 0)
  }

  /// The numbers of items before each line's end, the last included.
  func lineBreaks(spacing: Double, maxWidth: Double) -> [Int] {
    let count = items.count
    var total = 0.0
    for item in items { total += width(item, spacing) }
    if total > 0 && total <= maxWidth && spacing >= 0 && !properties.contains(.paragraphEnd) {
      return [count]
    }

    let lines = max(1, (total / maxWidth).rounded(.up))
    var search = BreakSearch(target: total / lines, isMonotonic: spacing >= 0)
    let wordEnds = wordEnds()
    let hasZeroWidthSpaces = items.contains { $0.code == 0x200B }
    var x = 0.0
    for index in 0..<count {
      let item = items[index]
      if !item.properties.contains(.whitespace) { x += width(item, spacing) }
      guard index + 1 < count else { break }
      let next = items[index + 1].code
      let opensNext = next == 0x28 && index + 2 < count
      let ideographic = item.properties.contains(.ideographicBreak)
      guard
        ideographic || opensNext || item.kind == .image || item.properties.contains(.breakable)
          || !wordEnds.isEmpty && wordEnds[index + 1]
      else { continue }
      let penalty = breakPenalty(item.code, next, ideographic: ideographic && hasZeroWidthSpaces)
      search.breaks.append(search.evaluate(index + 1, x: x, penalty: penalty, isLast: false))
    }
    var result = [count]
    var prior = search.evaluate(count, x: x, penalty: 0, isLast: true).prior
    while prior >= 0 {
      result.append(search.breaks[prior].index)
      prior = search.breaks[prior].prior
    }
    result.reverse()
    return result
  }
}

private func breakPenalty(_ code: UInt32, _ next: UInt32, ideographic: Bool) -> Double {
  var penalty = 0.0
  if code == 0xA { penalty -= 10000 }
  // Breaks between ideographs are worse than those at the hints that some tiles carry.
  if ideographic { penalty += 150 }
  // An opening parenthesis should not end a line, a closing one not begin it.
  if code == 0x28 || code == 0xFF08 { penalty += 50 }
  if next == 0x29 || next == 0xFF09 { penalty += 50 }
  return penalty
}
