import NeatBase

/// Where the two cells from one on were before, for cells that do not begin a run of two: those that a match
/// of some other distance may begin with.
///
/// All of them are looked up before any match is chosen, in loops without a jump that depends on what is
/// found. To look only where no match reaches would be less work, but each step would wait for the one
/// before, or guess it.
struct PairMatches: ~Copyable {
  private static let hashBits = 15
  /// As far back as a distance reaches, in cells: all but the first may be of three bytes.
  private static let reach = window / 3
  /// Cells of a match that may be longer.
  static let seen = 10

  /// For each cell: how many agree, `seen` at most; 0 where none do.
  let lengths: PooledValues<UInt8>
  /// Where there is a length: bytes back to what it repeats, and its place.
  let distances: PooledValues<UInt16>
  let lasts: PooledValues<UInt16>

  /// - Parameters:
  ///   - runs: cells that are the same as those to the left, and above.
  ///   - matches: takes all cells at which a match may begin.
  init(
    _ cells: Cells, left: borrowing CellBits, up: borrowing CellBits, matches: borrowing CellBits
  ) {
    lengths = PooledValues(cells.end)
    distances = PooledValues(cells.end)
    lasts = PooledValues(cells.end)
    lengths.base.initialize(repeating: 0, count: cells.end)
    let places = PooledValues<UInt16>(cells.count + 1)
    let count = look(cells, left, up, matches, places.base)
    assert(count <= cells.count, "more matches than cells")
    for index in 0..<count {
      let here = Int(places.base[index])
      let last = Int(lasts.base[here])
      let length = min(2 &+ cells.agreeing(here &+ 2, last &+ 2), cells.end &- here)
      lengths.base[here] = UInt8(truncatingIfNeeded: length)
      let distance = cells.bytes(from: here, backTo: last)
      assert(distance > 2 && distance <= window, "a match that cannot be written")
      distances.base[here] = UInt16(truncatingIfNeeded: distance)
    }
  }

  /// Writes down the places whose pair was there before, within reach.
  private func look(
    _ cells: Cells, _ left: borrowing CellBits, _ up: borrowing CellBits, _ matches: borrowing CellBits,
    _ places: UnsafeMutablePointer<UInt16>
  ) -> Int {
    let slots = PooledValues<UInt16>(1 << PairMatches.hashBits)
    let table = slots.base
    table.initialize(repeating: 0, count: 1 << PairMatches.hashBits)
    let lasts = lasts.base
    var made = 0
    for word in 0..<cells.count / 64 + 1 {
      var rest = ~(left.pairs(word) | up.pairs(word))
      if word == cells.count / 64 { rest &= (1 &<< UInt64(cells.count & 63)) &- 1 }
      let first = cells.start &+ 64 &* word
      var found: UInt64 = 0
      while rest != 0 {
        let bit = rest.trailingZeroBitCount
        rest &= rest &- 1
        let here = first &+ bit
        let key = cells.pair(here)
        let slot = Int(
          truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(64 - PairMatches.hashBits))
        let last = Int(table[slot])
        table[slot] = UInt16(truncatingIfNeeded: here)
        lasts[here] = UInt16(truncatingIfNeeded: last)
        places[made] = UInt16(truncatingIfNeeded: here)
        // 0 where the pair is the same and within reach. The next place takes this one's room where it is
        // not.
        let tooFar = (PairMatches.reach &- (here &- last)) &>> 63
        let miss = cells.pair(last) ^ key | UInt64(truncatingIfNeeded: tooFar)
        let isFound = ~(miss | (0 &- miss)) &>> 63
        made &+= Int(truncatingIfNeeded: isFound)
        found |= isFound &<< UInt64(truncatingIfNeeded: bit)
      }
      matches[word] = left[word] | up[word] | found
    }
    return made
  }
}
