// The compressor of cells (CellStrip.swift), for speed first.
//
// On maps nearly every jump that depends on a pixel is taken by surprise, and that costs more than all else.
// So what can be asked for all cells is asked without jumps: bits say which are the same as the one to the
// left, or above; then where pairs of cells were before (PairMatches.swift). A walk chooses: literals up to
// the next cell at which a match may begin, in one step, and the longest match there. What comes of it is
// written by one step for literals and matches alike (CellTokens.swift).
import NeatBase

/// A strip of rows, and what was found in them.
struct CellStrip: ~Copyable {
  /// The longest match, in pixels: 258 bytes.
  private static let maxMatch = 86
  /// Cells of a run that is looked at once more: fewer than bits say at once.
  private static let long = 50

  private let tokens: PooledValues<CellToken>
  private var tokenCount = 0
  let sourceCount: Int
  /// Of the bytes before they were compressed.
  let adler: UInt32

  /// nil where the rows are not opaque.
  init?(_ source: PixelRows, _ rows: Range<Int>) {
    let cells = Cells(width: source.width, rows: rows.count)
    defer { cells.free() }
    guard let adler = cells.read(source, rows) else { return nil }
    self.adler = adler
    sourceCount = rows.count * (3 * source.width + 1)
    // Four are written at a time.
    tokens = PooledValues(cells.count + 4)
    find(cells)
  }

  /// Bytes that `write` needs at most.
  var capacity: Int { BitWriter.capacity(tokens: tokenCount) }

  /// Writes a block of the DEFLATE stream.
  func write(isLast: Bool, _ writer: inout BitWriter) {
    writer.put(UnsafeBufferPointer(start: tokens.base, count: tokenCount), isLast: isLast)
  }

  private mutating func find(_ cells: Cells) {
    // Where rows are longer than the window, what lies above is out of reach.
    let above = 3 * cells.pitch - 2 <= window ? cells.pitch : 1
    let left = CellBits(cells, equalTo: 1)
    let up = CellBits(cells, equalTo: above)
    // A filter byte alone is no match: three bytes are the least.
    for place in stride(from: 0, to: cells.count, by: cells.pitch) where up.bits(at: place) & 3 == 1 {
      up[place / 64] &= ~(1 << UInt64(place % 64))
    }
    let matches = CellBits(cells)
    let pairs = PairMatches(cells, left: left, up: up, matches: matches)
    // Literals end with the strip.
    matches[cells.count / 64] |= 1 << UInt64(cells.count % 64)
    walk(cells, left, up, pairs, matches, above: above == 1 ? 3 : 3 * above - 2)
  }

  /// - Parameter above: bytes back to the pixel above.
  private mutating func walk(
    _ cells: Cells, _ left: borrowing CellBits, _ up: borrowing CellBits, _ pairs: borrowing PairMatches,
    _ matches: borrowing CellBits, above: Int
  ) {
    let (tokens, lengths, distances) = (tokens.base, pairs.lengths.base, pairs.distances.base)
    let (start, end, pitch) = (cells.start, cells.end, cells.pitch)
    var here = start
    var made = tokens
    // The next row's first cell.
    var nextRow = start
    while true {
      let skip = min(matches.bits(at: here &- start).trailingZeroBitCount, 57)
      CellToken.put(cells.first + here, made)
      var put = 4
      while put < skip {
        CellToken.put(cells.first + (here &+ put), made + put)
        put &+= 4
      }
      made += skip
      here &+= skip
      if skip == 57 { continue }
      assert(here <= end && made - tokens <= end - start, "literals past the end")
      if here == end { break }
      let (leftRun, upRun) = (left.run(at: here &- start), up.run(at: here &- start))
      // Where a pair begins that was there before, runs have one cell at most.
      let found = Int(lengths[here])
      let run = max(leftRun, upRun)
      var count = max(run, found)
      if run >= CellStrip.long {
        let next = here &- start &+ CellStrip.long
        count = CellStrip.long &+ (upRun > leftRun ? up.run(at: next) : left.run(at: next))
        count = min(count, CellStrip.maxMatch, end &- here)
      }
      if found == PairMatches.seen { count = CellStrip.extended(cells, here, Int(pairs.lasts.base[here])) }
      let far = Int(distances[here])
      let near = upRun > leftRun ? above : 3
      let distance = found > 0 ? far : near
      let next = here &+ count
      var length = 3 &* count
      while nextRow < next {
        length &-= nextRow >= here ? 2 : 0
        nextRow &+= pitch
      }
      made[0] = CellToken(length: length, distance: distance)
      made += 1
      here = next
    }
    tokenCount = made - tokens
  }

  /// How many cells agree from two places on, where `seen` do.
  @inline(__always) private static func extended(_ cells: Cells, _ here: Int, _ last: Int) -> Int {
    let limit = min(maxMatch, cells.end &- here)
    var length = PairMatches.seen
    while length < limit {
      let more = cells.agreeing(here &+ length, last &+ length)
      length &+= more
      if more < 8 { break }
    }
    return min(length, limit)
  }
}
