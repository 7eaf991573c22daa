import CFreeType
import CHarfBuzz
import NeatBase

/// One face of a font file (TrueType, OpenType, collections), scaled to 24 units an em. Safe to use from any
/// thread.
package final class FontFace: Sendable {
  /// Largest font file that is opened, in bytes.
  package static let maxBytes = 128 << 20
  /// Most points in a glyph's outline.
  package static let maxOutlinePoints = 8192

  /// Family and style, such as "Noto Sans Regular".
  package let name: String
  /// The family and what the face is of it: by its OS/2 table, else by its names.
  package let fullName: FontName
  /// Height above the baseline in 24ths of an em, rounded up as FreeType does.
  package let ascender: Int
  package let glyphCount: Int
  /// Whether glyphs have colours of their own.
  package let hasColors: Bool
  /// Whether there are outlines. FreeType gives none of fonts with sbix.
  private let isScalable: Bool

  private nonisolated(unsafe) let bytes: UnsafeMutablePointer<UInt8>
  private nonisolated(unsafe) let library: FT_Library
  private nonisolated(unsafe) let face: FT_Face
  /// Immutable once made, so HarfBuzz allows its use from any thread.
  nonisolated(unsafe) let font: OpaquePointer
  /// FreeType's glyph slot belongs to one caller at a time.
  private let lock = Locked<Void>(())

  /// Opens the face numbered `index` of a file. Throws a `font` error naming `resource` where it is no font,
  /// and `unsupported` for one that has neither outlines nor colours: a font of bitmaps.
  package init(parsing file: [UInt8], index: Int = 0, resource: String? = nil) throws(NeatError) {
    func fail(_ message: String, _ code: ErrorCode = .font) -> NeatError {
      NeatError(code, message, resource: resource)
    }
    guard file.count <= FontFace.maxBytes else {
      throw fail("font of \(file.count) bytes; at most \(FontFace.maxBytes) are opened", .limitExceeded)
    }
    guard !file.isEmpty else { throw fail("font file is empty") }
    guard index >= 0 && index < 65536 else { throw fail("no face \(index) in a font file", .invalidArgument) }
    var library: FT_Library?
    guard FT_Init_FreeType(&library) == 0, let library else {
      throw fail("FreeType does not start", .outOfMemory)
    }
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: file.count)
    file.withUnsafeBufferPointer { bytes.initialize(from: $0.baseAddress!, count: $0.count) }
    var face: FT_Face?
    let status = FT_New_Memory_Face(library, bytes, FT_Long(file.count), FT_Long(index), &face)
    guard status == 0, let face else {
      FT_Done_FreeType(library)
      bytes.deallocate()
      // FT_Err_Out_Of_Memory.
      if status & 0xFF == 0x40 { throw fail("no memory to read a font", .outOfMemory) }
      throw fail("not a font that FreeType reads (error \(status))")
    }
    isScalable = face.pointee.face_flags & FreeTypeFlag.scalable != 0
    hasColors = face.pointee.face_flags & FreeTypeFlag.color != 0
    guard isScalable || hasColors, let ppem = FontFace.setSize(face, isScalable: isScalable) else {
      FT_Done_Face(face)
      FT_Done_FreeType(library)
      bytes.deallocate()
      throw fail("the font has no outlines, only bitmaps: no text is drawn with it", .unsupported)
    }
    let blob = hb_blob_create(
      UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self), UInt32(file.count),
      HB_MEMORY_MODE_READONLY, nil, nil)
    let hbFace = hb_face_create(blob, UInt32(index))
    let font = hb_font_create(hbFace)!
    hb_blob_destroy(blob)
    hb_face_destroy(hbFace)
    guard font != hb_font_get_empty() else {
      FT_Done_Face(face)
      FT_Done_FreeType(library)
      bytes.deallocate()
      throw fail("no memory to read a font", .outOfMemory)
    }
    let scale = Int32(saturating: oneEm * 64)
    hb_font_set_scale(font, scale, scale)
    hb_font_make_immutable(font)

    let family = face.pointee.family_name.map { String(cString: $0) } ?? ""
    let style = face.pointee.style_name.map { String(cString: $0) } ?? ""
    self.name = style.isEmpty ? family : "\(family) \(style)"
    self.fullName = FontName(family: family, style: FontFace.style(face, FontName(self.name).style))
    let height = Float(face.pointee.size.pointee.metrics.ascender / 64)
    self.ascender =
      isScalable ? Int(bounded: height) : Int(bounded: (height * Float(oneEm) / ppem).rounded(.up))
    self.glyphCount = Int(face.pointee.num_glyphs)
    self.bytes = bytes
    self.library = library
    self.face = face
    self.font = font
  }

  deinit {
    hb_font_destroy(font)
    FT_Done_Face(face)
    FT_Done_FreeType(library)
    bytes.deallocate()
  }

  /// Scales a face to 24 pixels an em, or takes the strike of one that has strikes only; its pixels an em, nil where
  /// there are none.
  private static func setSize(_ face: FT_Face, isScalable: Bool) -> Float? {
    if isScalable {
      return FT_Set_Char_Size(face, 0, FT_F26Dot6(saturating: oneEm * 64), 0, 0) == 0 ? Float(oneEm) : nil
    }
    guard let strike = colorStrike(face), FT_Select_Size(face, strike.index) == 0 else { return nil }
    return strike.ppem
  }

  /// Runs a body while the face has the size that coloured glyphs are taken at, with its pixels an em; nil where there
  /// is no such size.
  func withColorSize<Result>(_ body: (FT_Face, Float) -> Result?) -> Result? {
    lock.withLock { _ in
      let ppem: Float
      if let strike = FontFace.colorStrike(face) {
        guard FT_Select_Size(face, strike.index) == 0 else { return nil }
        ppem = strike.ppem
      } else {
        let size = FT_UInt(FontFace.colorEm)
        guard FT_Set_Pixel_Sizes(face, size, size) == 0 else { return nil }
        ppem = Float(FontFace.colorEm)
      }
      // Outlines are at their own size again.
      defer { if isScalable { _ = FontFace.setSize(face, isScalable: true) } }
      return body(face, ppem)
    }
  }

  private static func style(_ face: FT_Face, _ named: FontStyle) -> FontStyle {
    var style = named
    // FT_STYLE_FLAG_ITALIC
    style.isItalic = named.isItalic || face.pointee.style_flags & 1 != 0
    guard let table = FT_Get_Sfnt_Table(face, FT_SFNT_OS2)?.assumingMemoryBound(to: TT_OS2.self) else {
      return style
    }
    if (1...1000).contains(table.pointee.usWeightClass) { style.weight = Int(table.pointee.usWeightClass) }
    if (1...9).contains(table.pointee.usWidthClass) { style.width = Int(table.pointee.usWidthClass) }
    return style
  }

  /// The index of a character's glyph, 0 where the font has none.
  package func glyphIndex(_ codepoint: UInt32) -> UInt32 {
    var glyph: hb_codepoint_t = 0
    return hb_font_get_nominal_glyph(font, codepoint, &glyph) != 0 ? glyph : 0
  }

  /// Runs a body with a glyph's outline loaded, unhinted. Throws a `font` error where it does not load.
  func withOutline<Result>(_ glyphIndex: UInt32, _ body: (FT_GlyphSlot) -> Result) throws(NeatError) -> Result
  {
    let result = lock.withLock { _ -> Result? in
      guard isScalable else { return nil }
      // FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP
      let flags: Int32 = 2 | 8
      guard FT_Load_Glyph(face, glyphIndex, flags) == 0, let slot = face.pointee.glyph,
        slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE,
        Int(slot.pointee.outline.n_points) <= FontFace.maxOutlinePoints
      else { return nil }
      return body(slot)
    }
    guard let result else { throw NeatError(.font, "glyph \(glyphIndex) has no outline", resource: name) }
    return result
  }
}
