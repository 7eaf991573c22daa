// Text of both directions. Levels come from the Unicode Bidirectional Algorithm (UAX 9, by FriBidi) paragraph
// by paragraph; a line is then put into the order it is read on screen by rules L1 and L2, with marks kept
// behind their base. Arabic letters are joined by FriBidi into the presentation forms that glyph servers
// have.
import CFriBidi
import NeatBase

/// The directions of a label's characters.
struct BidiLevels {
  /// One level a character; odd is right to left.
  var levels: [Int8]
  /// Level of the paragraph that each character belongs to.
  var paragraphLevels: [Int8]
}

private let typeParagraphEnd: UInt32 = 0x40 | 0x800 | 0x2000 | 0x20_0000
private let typeSegmentEnd: UInt32 = 0x40 | 0x800 | 0x2000 | 0x40_0000
private let typeWhitespace: UInt32 = 0x40 | 0x800 | 0x80_0000
private let maskIsolate: UInt32 = 0x8000
private let maskBoundaryNeutral: UInt32 = 0x10_0000
private let maskExplicit: UInt32 = 0x1000
/// First strong character decides, left to right where there is none.
private let directionWeakLeftToRight: UInt32 = 0x20

/// Types of characters as FriBidi numbers them.
private func bidiTypes(_ codes: [UInt32]) -> [FriBidiCharType] {
  var types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: codes.count)
  fribidi_get_bidi_types(codes, FriBidiStrIndex(codes.count), &types)
  return types
}

/// Levels of all characters; nil only when memory is short.
func bidiLevels(_ codes: [UInt32]) -> BidiLevels? {
  let types = bidiTypes(codes)
  var brackets = [FriBidiBracketType](repeating: 0, count: codes.count)
  fribidi_get_bracket_types(codes, FriBidiStrIndex(codes.count), types, &brackets)
  var result = BidiLevels(
    levels: Array(repeating: 0, count: codes.count), paragraphLevels: Array(repeating: 0, count: codes.count))
  var start = 0
  while start < codes.count {
    var end = start
    while end < codes.count && types[end].rawValue != typeParagraphEnd { end += 1 }
    end = min(end + 1, codes.count)
    var direction = FriBidiParType(rawValue: directionWeakLeftToRight)
    let count = end - start
    let found = types.withUnsafeBufferPointer { types in
      brackets.withUnsafeBufferPointer { brackets in
        result.levels.withUnsafeMutableBufferPointer { levels in
          fribidi_get_par_embedding_levels_ex(
            types.baseAddress! + start, brackets.baseAddress! + start, FriBidiStrIndex(count), &direction,
            levels.baseAddress! + start)
        }
      }
    }
    guard found > 0 else { return nil }
    let level: Int8 = direction.rawValue & 1 != 0 ? 1 : 0
    for index in start..<end { result.paragraphLevels[index] = level }
    start = end
  }
  return result
}

/// The characters of a line by index in the order they are read on screen, without bidirectional controls.
func visualOrder(_ codes: [UInt32], _ bidi: BidiLevels, line: Range<Int>) -> (order: [Int32], levels: [Int8])
{
  guard !line.isEmpty else { return ([], []) }
  let base = bidi.paragraphLevels[line.lowerBound]
  var levels = Array(bidi.levels[line])
  resetTrailing(codes, &levels, line: line, base: base)
  // Marks take their base's level and move with it.
  var clusters: [(start: Int, end: Int, level: Int8)] = []
  for index in line {
    let isMark = CharacterProperties.of(codes[index]).contains(.mark)
    if isMark, let last = clusters.last, !CharacterProperties.of(codes[last.start]).contains(.paragraphEnd) {
      clusters[clusters.count - 1].end = index + 1
    } else {
      clusters.append((index, index + 1, levels[index - line.lowerBound]))
    }
  }
  let highest = clusters.reduce(base) { max($0, $1.level) }
  let lowestOdd = clusters.reduce(Int8.max) { min($0, $1.level | 1) }
  var level = highest
  while level >= lowestOdd {
    var start = 0
    while start < clusters.count {
      guard clusters[start].level >= level else {
        start += 1
        continue
      }
      var end = start
      while end < clusters.count && clusters[end].level >= level { end += 1 }
      clusters[start..<end].reverse()
      start = end
    }
    level -= 1
  }
  var order: [Int32] = []
  var orderedLevels: [Int8] = []
  order.reserveCapacity(line.count)
  orderedLevels.reserveCapacity(line.count)
  for cluster in clusters {
    for index in cluster.start..<cluster.end
    where !CharacterProperties.of(codes[index]).contains(.bidiControl) {
      order.append(Int32(index))
      orderedLevels.append(cluster.level)
    }
  }
  return (order, orderedLevels)
}

/// Rule L1: separators, and white space before them and at the end of the line, take the paragraph's level.
private func resetTrailing(_ codes: [UInt32], _ levels: inout [Int8], line: Range<Int>, base: Int8) {
  var trailing = true
  for index in line.reversed() {
    let type = fribidi_get_bidi_type(codes[index]).rawValue
    let slot = index - line.lowerBound
    if type == typeParagraphEnd || type == typeSegmentEnd {
      levels[slot] = base
      trailing = true
    } else if trailing
      && (type == typeWhitespace || type & (maskIsolate | maskBoundaryNeutral | maskExplicit) != 0)
    {
      levels[slot] = base
    } else {
      trailing = false
    }
  }
}

/// The mirror image of a bracket and its like, or the character itself.
func mirrored(_ codepoint: UInt32) -> UInt32 {
  var result: FriBidiChar = codepoint
  return fribidi_get_mirror_char(codepoint, &result) != 0 ? result : codepoint
}

/// What stands in the place of a letter that a ligature took up.
let ligatureFill: UInt32 = 0xFEFF

/// Joins Arabic letters into presentation forms, in place and in logical order; a letter that went into a
/// ligature becomes `ligatureFill`. Returns false where nothing changed.
func joinArabic(_ codes: inout [UInt32]) -> Bool {
  guard let bidi = bidiLevels(codes) else { return false }
  let count = FriBidiStrIndex(codes.count)
  let types = bidiTypes(codes)
  var properties = [FriBidiArabicProp](repeating: 0, count: codes.count)
  fribidi_get_joining_types(codes, count, &properties)
  fribidi_join_arabic(types, count, bidi.levels, &properties)
  var shaped = codes
  // FRIBIDI_FLAG_SHAPE_ARAB_PRES | FRIBIDI_FLAG_SHAPE_ARAB_LIGA
  fribidi_shape_arabic(0x300, bidi.levels, count, &properties, &shaped)
  if shaped == codes { return false }
  codes = shaped
  return true
}

/// Whether a letter may have presentation forms.
func isArabicJoining(_ codepoint: UInt32) -> Bool {
  CharacterProperties.of(codepoint).contains(.arabic) && codepoint < 0xFB50
}

/// The characters of a text after Arabic joining.
func presentationForms(of text: String) -> [UInt32] {
  var codes = text.unicodeScalars.map { $0.value }
  _ = joinArabic(&codes)
  return codes
}
