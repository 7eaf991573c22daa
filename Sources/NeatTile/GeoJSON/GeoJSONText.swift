import NeatBase

extension GeoJSONData {
  /// Calls `body` with the text of a document that may be packed (gzip or zlib, told by content); text is not copied.
  static func withText(
    _ bytes: UnsafeBufferPointer<UInt8>, limit: Int, _ body: (UnsafeBufferPointer<UInt8>) -> NeatError?
  ) throws(NeatError) {
    let packing = Packing(bytes)
    var failure: NeatError?
    if packing == .none {
      guard bytes.count <= limit else { throw NeatError(.limitExceeded, "GeoJSON of \(bytes.count) bytes, at most \(limit) are read") }
      failure = body(bytes)
    } else {
      let text = try Inflate.unpack(bytes, packing, limit: limit)
      failure = withExtendedLifetime(text) { body(UnsafeBufferPointer(start: text.start, count: text.count)) }
    }
    if let failure { throw failure }
  }
}
