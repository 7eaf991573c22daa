import NeatBase
import Synchronization

/// A font file that stands in for a glyph server.
struct StoredFont {
  var face: FontFace
  var name: String
  var isFallback: Bool
}

/// The fonts that serve one stack, first choice first, and the ascender that all of them are set by so that
/// they share a baseline.
struct StackFonts {
  var indices: [Int]
  var ascender: Int
}

extension GlyphStore {
  /// Adds a font. It serves the stacks that name it (`name`, or the font's own full name), in their order,
  /// and with `isFallback` after those every stack. Throws `limitExceeded` past `maxFonts`.
  package func addFont(_ face: FontFace, name: String? = nil, isFallback: Bool = true) throws(NeatError) {
    let added = lock.withLock { _ -> Bool in
      guard fonts.count < GlyphStore.maxFonts else { return false }
      fonts.append(StoredFont(face: face, name: name ?? face.name, isFallback: isFallback))
      stackFonts.removeAll()
      for index in stackNames.indices { pages(of: FontStackID(index))?.pointee.forgetAbsent() }
      hasFonts.store(true, ordering: .releasing)
      return true
    }
    if !added {
      throw NeatError(.limitExceeded, "more than \(GlyphStore.maxFonts) fonts", resource: name ?? face.name)
    }
  }

  /// From now on faces that stacks name and that were not added are looked for, and faces for characters that
  /// no font of a stack has; calls come under the store's lock, for characters once for each.
  package func findFonts(
    _ finder: @escaping @Sendable (FontName) -> FontFace?, character: (@Sendable (UInt32) -> FontFace?)? = nil
  ) {
    lock.withLock { _ in
      self.finder = finder
      characterFinder = character
      soughtCharacters = [:]
      stackFonts.removeAll()
      for index in stackNames.indices { pages(of: FontStackID(index))?.pointee.forgetAbsent() }
      hasFonts.store(true, ordering: .releasing)
    }
  }

  /// The fonts of a stack: for each of its names the fonts of that name, else the nearest face of its family;
  /// then those that serve every stack, each behind the face of its family that is nearest to what the stack
  /// asks for. Under the lock.
  func resolveFonts(_ stack: FontStackID) -> StackFonts {
    if let known = stackFonts[stack] { return known }
    var indices: [Int] = []
    func append(_ index: Int) { if !indices.contains(index) { indices.append(index) } }
    let names = stackNames.indices.contains(Int(stack)) ? stackNames[Int(stack)] : ""
    let parts = names.split(separator: ",").map { String(trimmed($0)) }
    for wanted in parts {
      let exact = fonts.indices.filter { fonts[$0].name == wanted }
      exact.forEach(append)
      if exact.isEmpty, let index = nearest(FontName(wanted)) { append(index) }
    }
    let ascender = indices.first.map { fonts[$0].face.ascender } ?? 26
    let style = parts.first.map { FontName($0).style } ?? FontStyle()
    for index in fonts.indices where fonts[index].isFallback {
      if !style.isPlain {
        var name = fonts[index].face.fullName
        name.style = style
        if let sibling = nearest(name) { append(sibling) }
      }
      append(index)
    }
    let result = StackFonts(indices: indices, ascender: ascender)
    stackFonts[stack] = result
    return result
  }

  /// The face of a family that is nearest to a style: of equals the one added first, before those that are
  /// looked for. Under the lock.
  private func nearest(_ name: FontName) -> Int? {
    var best: (index: Int, distance: Int)?
    for (index, font) in fonts.enumerated() where font.face.fullName.family == name.family {
      let distance = font.face.fullName.style.distance(to: name.style)
      if distance < best?.distance ?? .max { best = (index, distance) }
    }
    if best?.distance != 0, fonts.count < GlyphStore.maxFonts, let face = finder?(name),
      face.fullName.style.distance(to: name.style) < best?.distance ?? .max
    {
      // Under another of its family's names it may have been found before.
      if let known = fonts.firstIndex(where: { $0.face === face }) { return known }
      fonts.append(StoredFont(face: face, name: face.name, isFallback: false))
      return fonts.count - 1
    }
    return best?.index
  }

  /// A font for a character that no font of a stack has. It serves the characters it was found for and no
  /// others: which font draws a character does not depend on which one was asked for first. Under the lock.
  private func seek(_ codepoint: UInt32) -> Int? {
    if let known = soughtCharacters[codepoint] { return known }
    guard let characterFinder, soughtCharacters.count < GlyphStore.maxSoughtCharacters else { return nil }
    var index: Int?
    if let face = characterFinder(codepoint) {
      index = fonts.firstIndex { $0.face === face }
      if index == nil, fonts.count < GlyphStore.maxFonts {
        fonts.append(StoredFont(face: face, name: face.name, isFallback: false))
        index = fonts.count - 1
      }
    }
    soughtCharacters[codepoint] = .some(index)
    return index
  }

  /// The faces that serve a stack, first choice first, and the ascender that all of them are set by.
  func faces(of stack: FontStackID) -> (faces: [FontFace], ascender: Int) {
    lock.withLock { _ in
      let chain = resolveFonts(stack)
      return (chain.indices.map { fonts[$0].face }, chain.ascender)
    }
  }

  /// Names of the fonts that were added or found, in their order, each once.
  package var fontNames: [String] {
    lock.withLock { _ in
      var seen: Set<String> = []
      return fonts.map(\.name).filter { seen.insert($0).inserted }
    }
  }

  /// A character's glyph as far as it is known already.
  func loadedGlyph(_ stack: FontStackID, _ codepoint: UInt32) -> Glyph? {
    guard codepoint <= 0x10FFFF, let page = pages(of: stack)?.pointee.page(Int(codepoint >> 8)) else {
      return nil
    }
    let slot = page[Int(codepoint & 255)].load(ordering: .acquiring)
    return slot > 0 ? glyph(slot - 1) : nil
  }

  /// Draws a character from the stack's fonts and notes the outcome; -1 where no font has it.
  func handleFromFonts(_ stack: FontStackID, _ codepoint: UInt32) -> Int32 {
    lock.withLock { _ -> Int32 in
      guard let pages = pages(of: stack) else { return -1 }
      let slots = pages.pointee.makePage(Int(codepoint >> 8))
      let known = slots[Int(codepoint & 255)].load(ordering: .relaxed)
      if known != 0 { return known > 0 ? known - 1 : -1 }
      let chain = resolveFonts(stack)
      var handle: Int32 = -1
      for index in chain.indices {
        let glyphIndex = fonts[index].face.glyphIndex(codepoint)
        guard glyphIndex != 0 else { continue }
        handle = drawn(font: index, glyphIndex: glyphIndex, ascender: chain.ascender, codepoint: codepoint)
        if handle >= 0 { break }
      }
      if handle < 0, let index = seek(codepoint) {
        handle = drawn(
          font: index, glyphIndex: fonts[index].face.glyphIndex(codepoint), ascender: chain.ascender,
          codepoint: codepoint)
      }
      slots[Int(codepoint & 255)].store(handle < 0 ? -1 : handle + 1, ordering: .releasing)
      return handle
    }
  }

  /// The first font of a stack that has a character, by its number in the store; nil where none has.
  /// - Parameter inColor: fonts whose glyphs have colours come first.
  func fontIndex(_ stack: FontStackID, _ codepoint: UInt32, inColor: Bool = false) -> (
    index: Int, face: FontFace
  )? {
    guard hasFonts.load(ordering: .relaxed) else { return nil }
    return lock.withLock { _ in
      let found = resolveFonts(stack).indices.filter { fonts[$0].face.glyphIndex(codepoint) != 0 }
      if let index = (inColor ? found.first { fonts[$0].face.hasColors } : nil) ?? found.first {
        return (index, fonts[index].face)
      }
      return seek(codepoint).map { ($0, fonts[$0].face) }
    }
  }

  /// The handle of a font's glyph by its index in the font, as shaping gives it; -1 where it cannot be drawn.
  func handle(fontStack: FontStackID, font: Int, glyphIndex: UInt32) -> Int32 {
    lock.withLock { _ in
      drawn(font: font, glyphIndex: glyphIndex, ascender: resolveFonts(fontStack).ascender, codepoint: 0)
    }
  }

  /// Draws a font's glyph, once. Under the lock.
  private func drawn(font: Int, glyphIndex: UInt32, ascender: Int, codepoint: UInt32) -> Int32 {
    let key = UInt64(glyphIndex) | UInt64(font) << 32 | UInt64(UInt8(truncatingIfNeeded: ascender)) << 48
    if let known = fontGlyphs[key] { return known }
    let face = fonts[font].face
    var handle: Int32 = -1
    if let picture = face.colorPicture(glyphIndex: glyphIndex) {
      handle = keep(picture, ascender: ascender, codepoint: codepoint)
    } else if let picture = try? face.distanceField(glyphIndex: glyphIndex) {
      handle = keep(picture, ascender: ascender, codepoint: codepoint)
    }
    fontGlyphs[key] = handle
    return handle
  }

  private func keep(_ picture: GlyphPicture, ascender: Int, codepoint: UInt32) -> Int32 {
    var glyph = Glyph(
      handle: 0, codepoint: codepoint, metrics: picture.metrics, bitmapWidth: 0, bitmapHeight: 0, pixels: nil,
      isFromFont: true)
    glyph.metrics.top -= Float(ascender)
    if !picture.pixels.isEmpty {
      guard let block = allocate(picture.pixels.count) else { return -1 }
      picture.pixels.withUnsafeBufferPointer { block.update(from: $0.baseAddress!, count: $0.count) }
      glyph.bitmapWidth = Int32(picture.width)
      glyph.bitmapHeight = Int32(picture.height)
      glyph.pixels = UnsafePointer(block)
    }
    return add(glyph) ?? -1
  }

  private func keep(_ picture: ColorPicture, ascender: Int, codepoint: UInt32) -> Int32 {
    guard let block = allocate(picture.pixels.count * 4) else { return -1 }
    // Blocks are aligned for any type.
    let texels = UnsafeMutableRawPointer(block).bindMemory(to: UInt32.self, capacity: picture.pixels.count)
    picture.pixels.withUnsafeBufferPointer { texels.update(from: $0.baseAddress!, count: $0.count) }
    var glyph = Glyph(
      handle: 0, codepoint: codepoint, metrics: picture.metrics, bitmapWidth: Int32(picture.width),
      bitmapHeight: Int32(picture.height), pixels: nil, isFromFont: true)
    glyph.metrics.top -= Float(ascender)
    (glyph.colors, glyph.texelsPerUnit) = (UnsafePointer(texels), picture.texelsPerUnit)
    return add(glyph) ?? -1
  }
}

private func trimmed(_ text: Substring) -> Substring {
  var result = text
  while result.first == " " { result.removeFirst() }
  while result.last == " " { result.removeLast() }
  return result
}
