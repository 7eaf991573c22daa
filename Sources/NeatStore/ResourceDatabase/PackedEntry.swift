import NeatBase
import NeatTile

/// What stands under a key, as it is stored.
package struct PackedEntry: Sendable {
  package let key: DatabaseKey
  let id: Int64
  /// Bytes unpacked, at most.
  let limit: Int
  let response: DatabaseResponse
  var isPacked = false
  /// nil: empty; more than anything within the limit packs to: a count alone.
  var body: Body?

  enum Body: Sendable {
    case bytes([UInt8])
    case tooLarge(Int)
  }

  /// Packing what does not pack adds a little.
  private var storedLimit: Int {
    guard isPacked else { return limit }
    let sum = limit.addingReportingOverflow(limit / 1000 + 1024)
    return sum.overflow ? .max : sum.partialValue
  }

  func held(_ bytes: UnsafeBufferPointer<UInt8>) throws(NeatError) -> Body {
    guard bytes.count <= storedLimit else { return .tooLarge(bytes.count) }
    try ProcessMemory.require(bytes.count, for: "what is stored")
    return .bytes(Array(bytes))
  }

  /// Throws `limitExceeded`, `outOfMemory`, `tile` where it is damaged.
  package func unpacked() throws(NeatError) -> DatabaseResponse {
    guard let body else { return response }
    switch body {
    case .tooLarge(let count):
      throw NeatError(.limitExceeded, "\(count) bytes, the limit is \(limit)")
    case .bytes(let bytes):
      var result = response
      guard isPacked else {
        result.content = .data(bytes)
        return result
      }
      result.content = .data(
        try bytes.withUnsafeBufferPointer { (bytes) throws(NeatError) in
          try Inflate.decompressPacked(bytes, limit: limit)
        })
      return result
    }
  }
}
