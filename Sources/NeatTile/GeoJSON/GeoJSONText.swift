import NeatBase

extension GeoJSONData {
  /// Calls `body` with the text of a document that may be packed (gzip or zlib, told by content); text is not copied.
  static func withText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: GeoJSONLimits, _ body: (UnsafeBufferPointer<UInt8>) -> NeatError?
  ) throws(NeatError) {
    let packing = Packing(bytes)
    var failure: NeatError?
    if packing == .none {
      guard bytes.count <= limits.maxBytes else {
        throw NeatError(.limitExceeded, "GeoJSON of \(bytes.count) bytes, at most \(limits.maxBytes) are read")
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

  /// Throws `outOfMemory` where the columns of a document and its index will not fit. A position and a property each have a comma in the text or
  /// more, and take some 40 bytes and 20; texts are kept as they are.
  private static func requireMemory(_ text: UnsafeBufferPointer<UInt8>) throws(NeatError) {
    guard text.count >= ProcessMemory.smallBlock else { return }
    var commas = 0
    for byte in text { commas &+= byte == 0x2c ? 1 : 0 }
    try ProcessMemory.require(24 * commas + text.count / 4, for: "GeoJSON of \(text.count) bytes")
  }
}
