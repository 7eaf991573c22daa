// Where the glyphs of a map live. Everything a reader follows (stack, page of 256 characters, slot, glyph) is
// reached through atomics that are written once the memory behind them is complete, so a look-up takes no
// lock. Writers (ranges, fonts) take one.
import NeatBase
import Synchronization

/// The glyphs of all font stacks: ranges that a glyph server sent, and glyphs drawn from font files where it
/// has none. Safe to use from any thread. Glyphs stay where they are until the store goes.
package final class GlyphStore: @unchecked Sendable {  // tables of atomics; all that varies is under `lock`
  /// Most font stacks a store knows, over all its servers; further ones share one empty stack.
  package static let maxStacks = 1024
  /// Most glyphs a store holds.
  package static let maxGlyphs = chunkCount * chunkSize
  /// Characters in a range.
  package static let rangeSize = 256
  /// Ranges that a glyph server can be asked for: the basic plane.
  package static let servedRanges = 256
  /// Most characters that fonts are looked for beyond those added: each goes through all that the system has.
  package static let maxSoughtCharacters = 65_536
  /// Most fonts that can be added.
  package static let maxFonts = 255

  static let chunkSize = 1024
  static let chunkCount = 4096

  /// Bytes of bitmaps that the store takes before it refuses more.
  package let maxBytes: Int
  /// What bitmaps and tables are taken from; nil: they are not counted.
  let memory: MemoryBudget?
  /// Which ranges servers are not asked for: fonts draw them.
  let rasterization: GlyphRasterization

  let stackTable: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<StackPages>?>>
  let chunkTable: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Glyph>?>>
  let hasFonts = Atomic<Bool>(false)
  let lock = Locked<Void>(())

  // All below only under the lock.
  private var stackIDs: [FontStackKey: FontStackID] = [:]
  var stackNames: [String] = []
  private var servers: [String: GlyphServerID] = [:]
  var glyphCount = 0
  var blocks: [UnsafeMutablePointer<UInt8>] = []
  var heldBytes = 0
  /// Of the budget, some bytes ahead of those held.
  private var holds: [MemoryHold] = []
  private var reservedBytes = 0
  var fonts: [StoredFont] = []
  /// Looks for the face of a family that is nearest to a style, beyond the fonts that were added.
  var finder: (@Sendable (FontName) -> FontFace?)?
  /// Looks for a face that has a character, and what it found, by the number of the font.
  var characterFinder: (@Sendable (UInt32) -> FontFace?)?
  var soughtCharacters: [UInt32: Int?] = [:]
  var stackFonts: [FontStackID: StackFonts] = [:]
  var fontGlyphs: [UInt64: Int32] = [:]
  /// Why ranges could not be had, and since when, by the clock of those who asked.
  var faults: [RangeOfStack: (error: NeatError, since: UInt64)] = [:]

  package init(
    maxBytes: Int = 256 << 20, rasterization: GlyphRasterization = .whereNeeded, memory: MemoryBudget? = nil
  ) {
    self.maxBytes = maxBytes
    self.memory = memory
    self.rasterization = rasterization
    stackTable = .allocate(capacity: GlyphStore.maxStacks)
    for index in 0..<GlyphStore.maxStacks { (stackTable + index).initialize(to: Atomic(nil)) }
    chunkTable = .allocate(capacity: GlyphStore.chunkCount)
    for index in 0..<GlyphStore.chunkCount { (chunkTable + index).initialize(to: Atomic(nil)) }
    _ = addStack(FontStackKey(name: "", server: 0))
  }

  deinit {
    for index in 0..<GlyphStore.maxStacks {
      if let stack = stackTable[index].load(ordering: .relaxed) {
        stack.pointee.free()
        stack.deallocate()
      }
    }
    for index in 0..<GlyphStore.chunkCount { chunkTable[index].load(ordering: .relaxed)?.deallocate() }
    for block in blocks { block.deallocate() }
    stackTable.deallocate()
    chunkTable.deallocate()
  }

  // MARK: Font stacks

  /// The number of a glyph server, given the template of its addresses; 0 for none.
  package func server(_ template: String?) -> GlyphServerID {
    guard let template else { return 0 }
    return lock.withLock { _ in
      if let known = servers[template] { return known }
      let id = GlyphServerID(servers.count + 1)
      servers[template] = id
      return id
    }
  }

  /// The number of a font stack as a server draws it, given its names joined by commas. What one server sent
  /// is not taken for another's.
  package func fontStack(_ name: String, server: GlyphServerID = 0) -> FontStackID {
    let key = FontStackKey(name: name, server: server)
    return lock.withLock { _ in stackIDs[key] ?? addStack(key) }
  }

  /// The names of a font stack joined by commas; empty for a number that the store did not give.
  package func name(of stack: FontStackID) -> String {
    lock.withLock { _ in stackNames.indices.contains(Int(stack)) ? stackNames[Int(stack)] : "" }
  }

  private func addStack(_ key: FontStackKey) -> FontStackID {
    guard stackNames.count < GlyphStore.maxStacks else { return 0 }
    let id = FontStackID(stackNames.count)
    assert(stackIDs[key] == nil, "a font stack has one number")
    let pages = UnsafeMutablePointer<StackPages>.allocate(capacity: 1)
    pages.initialize(to: StackPages())
    for range in 0..<GlyphStore.servedRanges where rasterization.isOfFonts(range) {
      pages.pointee.setState(range, .missing)
    }
    stackNames.append(key.name)
    stackIDs[key] = id
    stackTable[Int(id)].store(pages, ordering: .releasing)
    return id
  }

  @inline(__always)
  func pages(of stack: FontStackID) -> UnsafeMutablePointer<StackPages>? {
    guard stack >= 0 && stack < GlyphStore.maxStacks else { return nil }
    return stackTable[Int(stack)].load(ordering: .acquiring)
  }

  // MARK: Reading

  /// The glyph of a character, or nil where neither a loaded range nor a font has it.
  package func glyph(fontStack: FontStackID, codepoint: UInt32) -> Glyph? {
    let found = handle(fontStack: fontStack, codepoint: codepoint)
    return found < 0 ? nil : glyph(found)
  }

  /// The number of a character's glyph, or -1.
  @inline(__always)
  package func handle(fontStack: FontStackID, codepoint: UInt32) -> Int32 {
    guard codepoint <= 0x10FFFF, let stack = pages(of: fontStack) else { return -1 }
    if let page = stack.pointee.page(Int(codepoint >> 8)) {
      let slot = page[Int(codepoint & 255)].load(ordering: .acquiring)
      if slot > 0 { return slot &- 1 }
      if slot < 0 { return -1 }
    }
    guard hasFonts.load(ordering: .relaxed) else { return -1 }
    return handleFromFonts(fontStack, codepoint)
  }

  /// The glyph of a handle that this store gave. Traps on any other number.
  @inline(__always)
  package func glyph(_ handle: Int32) -> Glyph {
    glyphPointer(handle).pointee
  }

  @inline(__always)
  func glyphPointer(_ handle: Int32) -> UnsafePointer<Glyph> {
    precondition(handle >= 0 && handle < GlyphStore.maxGlyphs)
    let chunk = chunkTable[Int(handle) / GlyphStore.chunkSize].load(ordering: .acquiring)!
    return UnsafePointer(chunk + Int(handle) % GlyphStore.chunkSize)
  }

  /// Bytes held by bitmaps and tables.
  package var byteCount: Int { lock.withLock { _ in heldBytes } }

  // MARK: Writing, under the lock

  /// Keeps a glyph under the next number; nil when the store is full.
  func add(_ glyph: Glyph) -> Int32? {
    guard glyphCount < GlyphStore.maxGlyphs else { return nil }
    let index = glyphCount / GlyphStore.chunkSize
    let chunk: UnsafeMutablePointer<Glyph>
    if let existing = chunkTable[index].load(ordering: .relaxed) {
      chunk = existing
    } else {
      chunk = .allocate(capacity: GlyphStore.chunkSize)
      heldBytes += GlyphStore.chunkSize * MemoryLayout<Glyph>.stride
      chunkTable[index].store(chunk, ordering: .releasing)
    }
    assert(index < GlyphStore.chunkCount, "a full store takes no glyph")
    var stored = glyph
    stored.handle = Int32(glyphCount)
    (chunk + glyphCount % GlyphStore.chunkSize).initialize(to: stored)
    glyphCount += 1
    return stored.handle
  }

  /// Bytes of the budget that are taken at a time: glyphs are small, and come one by one.
  private static let holdStep = 256 << 10

  /// Whether the budget has so many bytes more. Nothing is dropped for them: maps ask for glyphs under their locks.
  private func reserve(_ count: Int) -> Bool {
    let lacking = heldBytes + count - reservedBytes
    guard let memory, lacking > 0 else { return true }
    guard let hold = memory.takeSpare(max(lacking, GlyphStore.holdStep)) ?? memory.takeSpare(lacking) else {
      return false
    }
    reservedBytes += hold.count
    holds.append(hold)
    return true
  }

  /// Room for bytes that live as long as the store, with 16 bytes after them so that wide loads stay inside;
  /// nil past `maxBytes`, and where the budget has no room.
  func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    guard count <= maxBytes - heldBytes, reserve(count + 16) else { return nil }
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: count + 16)
    block.initialize(repeating: 0, count: count + 16)
    blocks.append(block)
    heldBytes += count + 16
    assert(heldBytes >= count, "bytes held do not fall")
    return block
  }
}

/// A font stack as one server draws it.
private struct FontStackKey: Hashable {
  var name: String
  var server: GlyphServerID
}

/// Whether a range has been asked for and answered.
enum RangeState: UInt8, AtomicRepresentable {
  case unknown, loaded, missing
}

/// One font stack: a page for each 256 characters, a slot for each. Slot values: 0 unknown, -1 absent, else
/// the glyph's handle + 1.
struct StackPages: ~Copyable {
  static let pageCount = 0x110000 / GlyphStore.rangeSize
  typealias Slot = Atomic<Int32>

  private let pages: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Slot>?>>
  private let states: UnsafeMutablePointer<Atomic<RangeState>>

  init() {
    pages = .allocate(capacity: StackPages.pageCount)
    states = .allocate(capacity: StackPages.pageCount)
    for index in 0..<StackPages.pageCount {
      (pages + index).initialize(to: Atomic(nil))
      (states + index).initialize(to: Atomic(.unknown))
    }
  }

  @inline(__always)
  func page(_ range: Int) -> UnsafeMutablePointer<Slot>? {
    assert(range >= 0 && range < StackPages.pageCount, "no such range")
    return pages[range].load(ordering: .acquiring)
  }

  @inline(__always)
  func state(_ range: Int) -> RangeState {
    assert(range >= 0 && range < StackPages.pageCount, "no such range")
    return states[range].load(ordering: .relaxed)
  }

  func setState(_ range: Int, _ state: RangeState) {
    assert(range >= 0 && range < StackPages.pageCount, "no such range")
    states[range].store(state, ordering: .releasing)
  }

  /// The range's page, made if there is none. Under the store's lock.
  func makePage(_ range: Int) -> UnsafeMutablePointer<Slot> {
    if let page = page(range) { return page }
    let page = UnsafeMutablePointer<Slot>.allocate(capacity: GlyphStore.rangeSize)
    for index in 0..<GlyphStore.rangeSize { (page + index).initialize(to: Atomic(0)) }
    pages[range].store(page, ordering: .releasing)
    return page
  }

  /// Makes absent characters unknown again, so that new fonts are asked for them.
  func forgetAbsent() {
    for range in 0..<StackPages.pageCount {
      guard let page = page(range) else { continue }
      for index in 0..<GlyphStore.rangeSize where page[index].load(ordering: .relaxed) < 0 {
        page[index].store(0, ordering: .releasing)
      }
    }
  }

  func free() {
    for index in 0..<StackPages.pageCount { page(index)?.deallocate() }
    pages.deallocate()
    states.deallocate()
  }
}
