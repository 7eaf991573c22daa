import NeatBase

extension GeoJSONData {
  /// Calls `body` with the text of a document that may be packed (gzip or zlib, told by content); text is not
  /// copied.
  static func withText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: GeoJSONLimits,
    _ body: (UnsafeBufferPointer<UInt8>) -> NeatError?
  ) throws(NeatError) {
    let packing = Packing(bytes)
    var failure: NeatError?
    if packing == .none {
      guard bytes.count <= limits.maxBytes else {
        throw NeatError(
          .limitExceeded, "GeoJSON of \(bytes.count) bytes, at most \(limits.maxBytes) are read")
      }
      try requireMemory(bytes)
      failure = body(bytes)
    } else {
      let text = try Inflate.unpack(bytes, packing, limit: min(limits.maxBytes, limits.maxUnpackedBytes))
      let plain = UnsafeBufferPointer(start: text.start, count: text.count)
      try requireMemory(plain)
      failure = withExtendedLifetime(text) { body(plain) }
    }
    if let failure { throw failure }
  }

  /// Throws `outOfMemory` where the columns of a document and its index will not fit. A position has two
  /// commas in the text, and takes some 40 bytes with its place in the index; a property has one, a feature
  /// three braces; texts are kept as they are.
  private static func requireMemory(_ text: UnsafeBufferPointer<UInt8>) throws(NeatError) {
    // Nearly always there is room for the worst, a brace in every byte, and nothing need be counted.
    if ProcessMemory.has(65 * text.count) { return }
    var (commas, braces) = (0, 0)
    for byte in text {
      commas &+= byte == 0x2c ? 1 : 0
      braces &+= byte == 0x7b ? 1 : 0
    }
    try ProcessMemory.require(
      24 * commas + 64 * braces + text.count / 8, for: "GeoJSON of \(text.count) bytes")
  }
}
