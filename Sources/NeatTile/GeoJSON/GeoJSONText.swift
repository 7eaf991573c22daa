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
      let hold = try requireMemory(bytes, limits.memory)
      failure = withExtendedLifetime(hold) { body(bytes) }
    } else {
      let text = try Inflate.unpack(
        bytes, packing, limit: min(limits.maxBytes, limits.maxUnpackedBytes), memory: limits.memory)
      let plain = UnsafeBufferPointer(start: text.start, count: text.count)
      let hold = try requireMemory(plain, limits.memory)
      failure = withExtendedLifetime((text, hold)) { body(plain) }
    }
    if let failure { throw failure }
  }

  /// Throws `outOfMemory` where the columns of a document and its index will not fit. A position has two
  /// commas in the text, and takes some 40 bytes with its place in the index; a property has one, a feature
  /// three braces; texts are kept as they are.
  /// - Returns: what is held of a budget while the document is read.
  private static func requireMemory(_ text: UnsafeBufferPointer<UInt8>, _ memory: MemoryBudget?)
    throws(NeatError) -> MemoryHold?
  {
    // Nearly always there is room for the worst, a brace in every byte, and nothing need be counted.
    if let memory {
      if let hold = memory.takeSpare(65 * text.count) { return hold }
    } else if ProcessMemory.has(65 * text.count) {
      return nil
    }
    var (commas, braces) = (0, 0)
    for byte in text {
      commas &+= byte == 0x2c ? 1 : 0
      braces &+= byte == 0x7b ? 1 : 0
    }
    let bytes = 24 * commas + 64 * braces + text.count / 8
    if let memory { return try memory.take(bytes, for: "GeoJSON of \(text.count) bytes") }
    try ProcessMemory.require(bytes, for: "GeoJSON of \(text.count) bytes")
    return nil
  }
}
