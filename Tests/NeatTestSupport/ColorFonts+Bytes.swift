import Foundation

extension ColorFonts {
  /// The font's file.
  package static func bytes(_ font: String) -> [UInt8] { Data(base64Encoded: font).map(Array.init) ?? [] }
}
