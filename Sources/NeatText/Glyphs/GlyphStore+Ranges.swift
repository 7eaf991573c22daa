import NeatBase
import Synchronization

extension GlyphStore {
  /// Takes a glyph server's answer for `range` (first character / 256). Glyphs outside the range are not
  /// kept. Throws a `font` error for malformed bytes and `limitExceeded` past a limit; the range then counts
  /// as missing, since `now`.
  package func load(range: Int, fontStack: FontStackID, pbf: [UInt8], now: UInt64 = 0) throws(NeatError) {
    guard range >= 0 && range < StackPages.pageCount, let stack = pages(of: fontStack) else {
      throw NeatError(.invalidArgument, "no glyph range \(range) in font stack \(fontStack)")
    }
    do throws(NeatError) {
      let parsed = try GlyphRange(parsing: pbf)
      // Where others may drop something for it, they do that now.
      _ = try memory?.take(parsed.bytes.count + 16, for: "a range of glyphs")
      try store(parsed, range, stack)
      lock.withLock { _ in faults[RangeOfStack(stack: fontStack, range: range)] = nil }
    } catch {
      markMissing(range: range, fontStack: fontStack, fault: error, now: now)
      throw error.naming("\(name(of: fontStack))/\(range * 256)-\(range * 256 + 255).pbf")
    }
  }

  private func store(_ parsed: GlyphRange, _ range: Int, _ stack: UnsafeMutablePointer<StackPages>)
    throws(NeatError)
  {
    let error = lock.withLock { _ -> NeatError? in
      guard let block = allocate(parsed.bytes.count) else {
        return noRoom
      }
      parsed.bytes.withUnsafeBufferPointer {
        block.update(from: $0.baseAddress ?? UnsafePointer(block), count: $0.count)
      }
      let page = stack.pointee.makePage(range)
      for entry in parsed.glyphs where Int(entry.id >> 8) == range {
        let hasBitmap = entry.bitmapCount > 0
        let border = Int32(2 * Glyph.border)
        assert(
          !hasBitmap || entry.bitmapOffset + entry.bitmapCount <= parsed.bytes.count, "bytes of no glyph")
        let glyph = Glyph(
          handle: 0, codepoint: entry.id, metrics: entry.metrics,
          bitmapWidth: hasBitmap ? Int32(saturating: entry.metrics.width) + border : 0,
          bitmapHeight: hasBitmap ? Int32(saturating: entry.metrics.height) + border : 0,
          pixels: hasBitmap ? UnsafePointer(block + entry.bitmapOffset) : nil)
        guard let handle = add(glyph) else {
          return NeatError(.limitExceeded, "more than \(GlyphStore.maxGlyphs) glyphs")
        }
        page[Int(entry.id & 255)].store(handle + 1, ordering: .releasing)
      }
      stack.pointee.setState(range, .loaded)
      return nil
    }
    if let error { throw error }
  }

  /// Why `allocate` gave nothing. Under the lock.
  private var noRoom: NeatError {
    if heldBytes < maxBytes, let memory {
      return NeatError(
        .outOfMemory, "glyphs take \(heldBytes) bytes, and the memory limit of \(memory.limit) has no more")
    }
    return NeatError(.limitExceeded, "glyphs take more than \(maxBytes) bytes")
  }

  /// Whether a range came, or is known not to be had.
  package func isSettled(range: Int, fontStack: FontStackID) -> Bool {
    guard range >= 0 && range < StackPages.pageCount, let stack = pages(of: fontStack) else { return true }
    return stack.pointee.state(range) != .unknown
  }

  /// Notes that there is no such range to be had: it is not asked for again, and fonts stand in for it.
  /// `fault`: why, where somebody was asked for it.
  package func markMissing(range: Int, fontStack: FontStackID, fault: NeatError? = nil, now: UInt64 = 0) {
    guard range >= 0 && range < StackPages.pageCount, let stack = pages(of: fontStack) else { return }
    // In one step: another thread may have loaded it, or let its fault be forgotten, between two.
    lock.withLock { _ in
      guard stack.pointee.state(range) != .loaded else { return }
      if let fault { faults[RangeOfStack(stack: fontStack, range: range)] = (fault, now) }
      stack.pointee.setState(range, .missing)
    }
  }

  /// Lets ranges that could not be had, since a time or longer, for reasons that pass be asked for again.
  /// Returns whether there are any.
  package func forgetFaults(since time: UInt64, where isPassing: (NeatError) -> Bool) -> Bool {
    lock.withLock { _ in
      let passing = faults.filter { $0.value.since <= time && isPassing($0.value.error) }.keys
      for key in passing {
        faults[key] = nil
        pages(of: key.stack)?.pointee.setState(key.range, .unknown)
      }
      return !passing.isEmpty
    }
  }

  /// The ranges (first character / 256) that a text needs and that have neither been loaded nor marked
  /// missing, in the order of their first use. Only ranges of the basic plane: glyph servers have no others.
  /// With `vertical`, also those of upright punctuation.
  package func missingRanges(for text: String, fontStack: FontStackID, vertical: Bool = false) -> [Int] {
    guard let stack = pages(of: fontStack) else { return [] }
    var result: [Int] = []
    func need(_ codepoint: UInt32) {
      let range = Int(codepoint >> 8)
      guard range < GlyphStore.servedRanges, stack.pointee.state(range) == .unknown, !result.contains(range)
      else { return }
      result.append(range)
    }
    var hasArabic = false
    for scalar in text.unicodeScalars {
      need(scalar.value)
      if scalar.value >= 0x600 && isArabicJoining(scalar.value) { hasArabic = true }
      if vertical {
        let upright = verticalForm(scalar.value)
        if upright != 0 { need(upright) }
      }
    }
    if hasArabic {
      for codepoint in presentationForms(of: text) { need(codepoint) }
    }
    return result
  }

  /// Puts one glyph in place: what a host draws itself. The bitmap is (width + 6) * (height + 6) bytes, or
  /// empty for a glyph without a shape.
  package func insert(codepoint: UInt32, fontStack: FontStackID, metrics: GlyphMetrics, bitmap: [UInt8] = [])
    throws(NeatError)
  {
    guard codepoint <= 0x10FFFF, let stack = pages(of: fontStack) else {
      throw NeatError(.invalidArgument, "no character \(codepoint) in font stack \(fontStack)")
    }
    let limit = 0...Float(GlyphRange.maxGlyphSize)
    guard limit.contains(metrics.width) && limit.contains(metrics.height) else {
      throw NeatError(.limitExceeded, "glyph \(codepoint) is larger than \(GlyphRange.maxGlyphSize) pixels")
    }
    let width = Int(bounded: metrics.width) + 2 * Glyph.border
    let height = Int(bounded: metrics.height) + 2 * Glyph.border
    guard bitmap.isEmpty || bitmap.count == width * height else {
      throw NeatError(
        .invalidArgument,
        "glyph \(codepoint) has a bitmap of \(bitmap.count) bytes; its size asks for \(width * height)")
    }
    let kept = lock.withLock { _ -> Bool in
      var glyph = Glyph(
        handle: 0, codepoint: codepoint, metrics: metrics, bitmapWidth: 0, bitmapHeight: 0, pixels: nil)
      if !bitmap.isEmpty {
        guard let block = allocate(bitmap.count) else { return false }
        bitmap.withUnsafeBufferPointer { block.update(from: $0.baseAddress!, count: $0.count) }
        glyph.bitmapWidth = Int32(width)
        glyph.bitmapHeight = Int32(height)
        glyph.pixels = UnsafePointer(block)
      }
      guard let handle = add(glyph) else { return false }
      stack.pointee.makePage(Int(codepoint >> 8))[Int(codepoint & 255)].store(
        handle + 1, ordering: .releasing)
      return true
    }
    if !kept { throw lock.withLock({ _ in noRoom }) }
  }
}
