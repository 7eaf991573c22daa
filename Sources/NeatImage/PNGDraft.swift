import NeatBase
import Synchronization

/// A PNG whose strips are compressed while nothing is known yet of the whole picture: as opaque pixels of many
/// colours and without filters, which maps mostly are. Each strip is looked at first; one that looks otherwise
/// waits until all is known. Where the picture is found to be of another kind, the draft comes to nothing.
///
/// Strips are compressed on any threads, each once: all when the file is asked for, or before, as their rows are drawn.
package final class PNGDraft: RowFollower, @unchecked Sendable {  // each strip writes a part of its own
  let source: PixelRows
  private let owner: AnyObject?
  private let strips: PNGStrips
  private let layout: PNGLayout
  private let parts: UnsafeMutablePointer<DeflatedStrip?>
  /// Whether a strip is found that a file of the kind cannot have.
  private let isOff = Atomic(false)
  /// Whether a strip was seen that has many colours: then the picture has, most likely.
  private let isColorful = Atomic(false)
  /// Strips that are of the kind if the picture has many colours.
  private let waiting = Locked<[Int]>([])
  /// That of the pixels as they are, where one was found.
  private var palette: Palette?
  /// By strip: whether it is compressed.
  private let isFinished: Locked<[Bool]>
  /// The file, as far as it is joined.
  private var joined: JoinedPNG?
  /// Whether the strips have been gone through.
  private let isBegun = Atomic(false)

  enum Outcome: ~Copyable {
    case file(FileBytes)
    /// Not of the kind: of so few colours, as its pixels are.
    case palette(Palette)
    /// Not of the kind for another reason.
    case other
  }

  /// nil for rows too long.
  /// - Parameter owner: keeps the pixels; nil: they are there until the draft is gone.
  package init?(_ rows: PixelRows, owner: AnyObject? = nil) {
    (source, self.owner) = (rows, owner)
    layout = PNGLayout(width: rows.width, height: rows.height, palette: nil, isOpaque: true)
    let mostRows = Cells.mostRows(width: rows.width)
    guard mostRows > 0 else { return nil }
    strips = PNGStrips(height: rows.height, rowBytes: layout.rowBytes + 1, mostRows: mostRows)
    parts = .allocate(capacity: strips.count)
    parts.initialize(repeating: nil, count: strips.count)
    isFinished = Locked(Array(repeating: false, count: strips.count))
  }

  deinit {
    freeParts()
    parts.deallocate()
  }

  private func freeParts() {
    for strip in 0..<strips.count {
      parts[strip]?.free()
      parts[strip] = nil
    }
  }

  /// Keeps nothing of strips that come to nothing.
  package func end() {
    guard isOff.load(ordering: .relaxed) else { return }
    freeParts()
    joined = nil
  }

  /// What is to be done once. First it is looked at whole: that takes longest where it has few colours, and saves
  /// the strips where it is of another kind. Then strips one by one; who is through looks again for those that had to
  /// wait. Then those that are compressed are joined. One strip alone is not worth waking a thread for, nor compressing
  /// before it is known what for.
  package var pieceCount: Int { strips.count == 1 ? 1 : 2 * strips.count + 2 }

  package func rows(of piece: Int) -> Range<Int> {
    guard (1...strips.count).contains(piece) else { return 0..<source.height }
    let rows = strips.rows(piece - 1)
    // Colours of the row above are found again.
    return max(0, rows.lowerBound - 1)..<rows.upperBound
  }

  package func work(_ piece: Int) {
    isBegun.store(true, ordering: .relaxed)
    Trace.span("strip", .image) { take(piece) }
  }

  private func take(_ piece: Int) {
    if piece == 0 {
      judge()
    } else if piece <= strips.count {
      compress(piece - 1)
    } else if piece == 2 * strips.count + 1 {
      gather()
    } else if isColorful.load(ordering: .relaxed), let strip = waiting.withLock({ $0.popLast() }) {
      finish(strip, strips.rows(strip))
    }
  }

  /// The file, once; no thread is at work on pieces.
  func file(_ executor: Executor) -> Outcome {
    if !isBegun.load(ordering: .relaxed) { executor.forEach(pieceCount) { [self] piece in work(piece) } }
    if !isOff.load(ordering: .relaxed) {
      let left = (0..<strips.count).filter { parts[$0] == nil }
      executor.forEach(left.count) { [self] place in finish(left[place], strips.rows(left[place])) }
    }
    if !isOff.load(ordering: .relaxed) { return .file(finishedFile()) }
    return palette.map { .palette($0) } ?? .other
  }

  /// Compresses a strip if it looks as expected.
  private func compress(_ strip: Int) {
    let rows = strips.rows(strip)
    if isOff.load(ordering: .relaxed) { return }
    switch look(rows) {
    case .expected: finish(strip, rows)
    case .pale: waiting.withLock { $0.append(strip) }
    case .other: break
    }
  }

  private func finish(_ strip: Int, _ rows: Range<Int>) {
    parts[strip] = DeflatedStrip(source, rows, isLast: strip == strips.count - 1)
    if parts[strip] == nil { return isOff.store(true, ordering: .relaxed) }
    isFinished.withLock { $0[strip] = true }
  }

  /// Colours of a few rows from which on a picture has most likely more than a palette.
  private static let manyColors = 24

  /// What a few rows of a strip look like.
  private enum Look {
    case expected
    /// Of so few colours that the picture may have a palette.
    case pale
    case other
  }

  private func look(_ rows: Range<Int>) -> Look {
    let places = stride(from: rows.lowerBound, to: rows.upperBound, by: max(1, rows.count / 4))
    guard source.isOpaque(at: places), source.isMostlyFlat(at: places) else { return .other }
    if isColorful.load(ordering: .relaxed) { return .expected }
    guard Palette.reaches(PNGDraft.manyColors, source, at: places) else { return .pale }
    isColorful.store(true, ordering: .relaxed)
    return .expected
  }

  /// Looks at the whole picture.
  private func judge() {
    if source.isMostlyFlat, source.isOpaque(at: source.sample) {
      palette = Palette(source)
      if palette == nil { return isColorful.store(true, ordering: .relaxed) }
    }
    isOff.store(true, ordering: .relaxed)
  }

  /// Joins the strips that are compressed by now, from the first one on: for a thread that has nothing else to do while
  /// another one compresses the last strip.
  private func gather() {
    if isOff.load(ordering: .relaxed) { return }
    let count = isFinished.withLock { $0.firstIndex(of: false) ?? $0.count }
    if count == 0 { return }
    let bytes = (0..<count).reduce(0) { $0 + (parts[$1]?.count ?? 0) }
    let rows = strips.rows(count - 1).upperBound
    // The rows that are to come take about as many bytes, and there is room for more.
    let expected = bytes + bytes / rows * (source.height - rows)
    join(strips: count, capacity: expected + expected / 8 + 256)
  }

  private func join(strips count: Int, capacity: Int) {
    var file = joined.take() ?? JoinedPNG(layout, capacity: capacity)
    for strip in file.stripCount..<count {
      guard let part = parts[strip] else { preconditionFailure("a strip that was not compressed") }
      file.append(part)
    }
    joined = consume file
  }

  private func finishedFile() -> FileBytes {
    join(strips: strips.count, capacity: (0..<strips.count).reduce(256) { $0 + (parts[$1]?.count ?? 0) })
    guard let file = joined.take() else { preconditionFailure("strips that nobody joined") }
    return file.ended()
  }
}

/// The file of a draft, as far as its strips are joined.
private struct JoinedPNG: ~Copyable {
  private var out: FileBytes
  private let chunk: OpenChunk
  private var strips: ZlibStrips
  private(set) var stripCount = 0

  init(_ layout: PNGLayout, capacity: Int) {
    out = FileBytes(capacity: capacity)
    writeHeaderChunks(layout, nil, into: &out)
    chunk = OpenChunk("IDAT", into: &out)
    strips = ZlibStrips(into: &out)
  }

  mutating func append(_ strip: DeflatedStrip) {
    strips.append(strip, into: &out)
    stripCount += 1
  }

  consuming func ended() -> FileBytes {
    strips.end(into: &out)
    chunk.end(strips.checksum, into: &out)
    writeChunk("IEND", into: &out) { _ in }
    return out
  }
}
