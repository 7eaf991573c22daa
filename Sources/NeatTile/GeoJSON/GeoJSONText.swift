import NeatBase

extension GeoJSONData {
  /// The text of a document that may be compressed.
  static func plainText(_ bytes: [UInt8], limit: Int) throws(NeatError) -> [UInt8] {
    guard bytes.count >= 2, bytes[0] == 0x1f, bytes[1] == 0x8b else { return bytes }
    throw NeatError(.unsupported, "compressed GeoJSON is not read yet")
  }
}
