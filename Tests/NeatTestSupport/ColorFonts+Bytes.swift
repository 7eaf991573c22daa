extension ColorFonts {
  /// The font's file. Without Foundation, whose members tests of the core would see too.
  package static func bytes(_ font: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var word: UInt32 = 0
    var count = 0
    for character in font.utf8 {
      let sextet: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): sextet = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): sextet = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): sextet = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): sextet = 62
      case UInt8(ascii: "/"): sextet = 63
      default: continue
      }
      word = word << 6 | UInt32(sextet)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(count)))
      }
    }
    return bytes
  }
}
