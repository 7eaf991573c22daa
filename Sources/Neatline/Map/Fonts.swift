import CNeatline

/// Glyphs by font stack: glyph ranges (PBF) and font files. For one thread at a time.
public final class Fonts {
  private let pointer: OpaquePointer

  /// An empty set of glyphs.
  public init() throws(NeatlineError) { pointer = try handle { neat_fonts_create($0) } }

  deinit { neat_fonts_destroy(pointer) }

  /// Adds a glyph range of a font stack.
  public func addRange(_ pbf: [UInt8], stack: String) throws(NeatlineError) {
    try check(
      stack.withText { stack, size in
        pbf.withUnsafeBufferPointer { neat_fonts_add_range(pointer, stack, size, $0.baseAddress, $0.count) }
      })
  }

  /// Adds a font file (TTF, OTF, TTC); it answers to every stack that has no glyph of its own.
  public func addFile(_ data: [UInt8]) throws(NeatlineError) {
    try check(data.withUnsafeBufferPointer { neat_fonts_add_file(pointer, $0.baseAddress, $0.count) })
  }

  /// The glyph range (PBF) of the 256 characters from `first` on, a multiple of 256, as glyph servers answer with
  /// it: of the ranges that were added for this stack, else drawn from the font files. Characters that none has are
  /// left out.
  public func range(_ first: Int, stack: String) throws(NeatlineError) -> [UInt8] {
    let first = try unsigned(first, "first")
    return try buffer { out in stack.withText { neat_fonts_range(pointer, $0, $1, first, out) } }
  }

  /// The names of the font files that were added, such as "Noto Sans Bold".
  public var names: [String] {
    get throws(NeatlineError) {
      try jsonValue { neat_fonts_names(pointer, $0) }.array?.compactMap(\.string) ?? []
    }
  }

  /// Shapes text: `sections` of `text`, `fontStack`, `scale`, `image`; `maxWidth`, `lineHeight`, `anchor`,
  /// `justify`, `letterSpacing`, `translate`, `writingMode`, `images`; lengths in ems of 24 units. The result
  /// has lines of positioned glyphs and the box.
  public func shape(_ request: JSONValue) throws(NeatlineError) -> JSONValue {
    try jsonValue { out in request.text.withText { neat_fonts_shape(pointer, $0, $1, out) } }
  }
}
