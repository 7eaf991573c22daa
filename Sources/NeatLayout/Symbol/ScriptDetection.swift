// Which texts may be spaced out, and which may stand vertically (Unicode UTR 50 by blocks, as MapLibre's script detection has it).

/// Letters of Arabic scripts are joined: spacing would tear them apart.
func allowsLetterSpacing(_ text: String) -> Bool {
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF: return false
    default: continue
    }
  }
  return true
}

/// Whether a text has a character that stands upright in vertical text.
func allowsVerticalWriting(_ text: String) -> Bool {
  for scalar in text.unicodeScalars where scalar.value >= 0x2EA && isUpright(scalar.value) { return true }
  return false
}

private func isUpright(_ c: UInt32) -> Bool {
  switch c {
  case 0x2EA, 0x2EB, 0x1100...0x11FF, 0x1400...0x167F, 0x18B0...0x18FF: true
  case 0x2E80...0x2FDF, 0x2FF0...0x2FFF: true
  // Brackets, dashes and the long vowel mark lie on their side.
  case 0x3008...0x3011, 0x3014...0x301F, 0x3030, 0x30FC: false
  case 0x3000...0x303F, 0x3040...0x4DFF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF: true
  case 0xFE49...0xFE4F: false
  case 0xFE10...0xFE1F, 0xFE30...0xFE4F: true
  case 0xFF08, 0xFF09, 0xFF0D, 0xFF1A...0xFF1E, 0xFF3B, 0xFF3D, 0xFF3F, 0xFF5B...0xFFDF, 0xFFE3, 0xFFE8...0xFFEF: false
  case 0xFF00...0xFFEF: true
  case 0x1B000...0x1B16F, 0x1F200...0x1F2FF, 0x20000...0x3FFFF: true
  default: false
  }
}
