import CDeflate
import NeatBase

/// How bytes are packed, told from their first bytes.
package enum Packing: Sendable, Equatable {
  case none, gzip, zlib

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.count >= 18 && bytes[0] == 0x1f && bytes[1] == 0x8b {
      self = .gzip
    } else if bytes.count >= 8 && bytes[0] == 0x78 && (UInt32(bytes[0]) << 8 | UInt32(bytes[1])) % 31 == 0
      && bytes[1] & 0x20 == 0
    {
      self = .zlib
    } else {
      self = .none
    }
  }
}

/// Unpacking of gzip (also of several members) and zlib data, into memory that never grows past a limit.
package enum Inflate {
  /// The largest result that is allowed unless a caller says otherwise, in bytes.
  package static let defaultLimit = 64 << 20

  /// DEFLATE cannot pack tighter than this many to one: no larger result is worth room.
  private static let maxRatio = 1032

  /// Unpacked bytes; bytes that are neither gzip nor zlib come back as they are.
  ///
  /// Throws `limitExceeded` when the result is longer than `limit` bytes, `outOfMemory`, `tile` when the data
  /// are damaged.
  ///
  /// - Parameter memory: what unpacking takes its room from; the result itself is the caller's to count.
  package static func decompress(
    _ bytes: [UInt8], limit: Int = defaultLimit, memory: MemoryBudget? = nil
  ) throws(NeatError) -> [UInt8] {
    let packing = bytes.withUnsafeBufferPointer { Packing($0) }
    if packing == .none {
      guard bytes.count <= limit else { throw tooLarge(limit) }
      return bytes
    }
    return try bytes.withUnsafeBufferPointer { (source) throws(NeatError) in
      try decompressPacked(source, limit: limit, memory: memory)
    }
  }

  /// Unpacked bytes of what must be gzip or zlib.
  ///
  /// Throws `limitExceeded` when the result is longer than `limit` bytes, `outOfMemory`, `tile` when the data
  /// are damaged or neither of the two.
  package static func decompressPacked(
    _ source: UnsafeBufferPointer<UInt8>, limit: Int, memory: MemoryBudget? = nil
  ) throws(NeatError) -> [UInt8] {
    let packing = Packing(source)
    guard packing != .none else { throw NeatError(.tile, "the data are neither gzip nor zlib", offset: 0) }
    let output = try unpack(source, packing, limit: limit, memory: memory)
    let hold = try memory?.take(output.count, for: "unpacked data")
    defer { withExtendedLifetime(hold) {} }
    try ProcessMemory.require(output.count, for: "unpacked data")
    return Array(UnsafeBufferPointer(start: output.start, count: output.count))
  }

  static func tooLarge(_ limit: Int) -> NeatError {
    NeatError(.limitExceeded, "unpacked data exceed the limit of \(limit) bytes")
  }

  /// Unpacks into memory of its own, for readers that need no array.
  /// - Parameter memory: what the result is taken from; nil: it is compared with what the process may have.
  static func unpack(
    _ source: UnsafeBufferPointer<UInt8>, _ packing: Packing, limit: Int, memory: MemoryBudget? = nil
  ) throws(NeatError) -> InflatedBytes {
    guard let decoder = libdeflate_alloc_decompressor() else {
      throw NeatError(.outOfMemory, "no memory to unpack data")
    }
    defer { libdeflate_free_decompressor(decoder) }
    let ceiling = min(limit, source.count.multipliedReportingOverflow(by: maxRatio).partialValue)
    let output = try InflatedBytes(
      capacity: min(ceiling, firstGuess(source, packing)), memory: memory)
    var read = 0
    while true {
      var used = 0
      var written = 0
      let from = source.baseAddress! + read
      let to = output.start + output.count
      let room = output.capacity - output.count
      let result =
        packing == .gzip
        ? libdeflate_gzip_decompress_ex(decoder, from, source.count - read, to, room, &used, &written)
        : libdeflate_zlib_decompress_ex(decoder, from, source.count - read, to, room, &used, &written)
      switch result {
      case LIBDEFLATE_SUCCESS:
        read += used
        output.advance(written)
        assert(read <= source.count, "more was read than there is")
        // Another gzip member may follow; anything else behind the data is ignored, as gzip itself does.
        let rest = UnsafeBufferPointer(rebasing: source[min(read, source.count)...])
        if packing != .gzip || Packing(rest) != .gzip { return output }
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        guard output.capacity < ceiling else { throw tooLarge(limit) }
        try output.grow(to: min(ceiling, max(output.capacity * 2, 4096)))
      default:
        throw NeatError(
          .tile, "\(packing == .gzip ? "gzip" : "zlib") data are damaged or cut short", offset: read)
      }
    }
  }

  /// gzip ends with the length of its contents, modulo 2^32; zlib does not tell.
  private static func firstGuess(_ source: UnsafeBufferPointer<UInt8>, _ packing: Packing) -> Int {
    assert(packing != .gzip || source.count >= 18, "gzip has a head and an end")
    let n = source.count
    if packing == .gzip {
      let length =
        Int(source[n - 4]) | Int(source[n - 3]) << 8 | Int(source[n - 2]) << 16 | Int(source[n - 1]) << 24
      // A length that the data can hold is believed; one that is too small only costs a second try.
      if length <= n * 64 { return max(length, 256) }
    }
    return max(n * 4, 4096)
  }
}

/// Unpacked bytes in memory of their own, whose room is asked for before it is taken.
final class InflatedBytes {
  private var bytes: GrowingBuffer<UInt8>
  private let memory: MemoryBudget?
  private var hold: MemoryHold?

  /// - Parameter memory: what the room is taken from; nil: it is compared with what the process may have.
  init(capacity: Int, memory: MemoryBudget? = nil) throws(NeatError) {
    self.memory = memory
    hold = try InflatedBytes.room(capacity, memory)
    bytes = GrowingBuffer(capacity: capacity)
  }

  private static func room(_ capacity: Int, _ memory: MemoryBudget?) throws(NeatError) -> MemoryHold? {
    if let memory { return try memory.take(capacity, for: "unpacked data") }
    try ProcessMemory.require(capacity, for: "unpacked data")
    return nil
  }

  var start: UnsafeMutablePointer<UInt8> { bytes.base }
  var capacity: Int { bytes.capacity }
  var count: Int { bytes.count }

  /// Takes in bytes that were written behind the end.
  func advance(_ added: Int) { bytes.advance(added) }

  func grow(to size: Int) throws(NeatError) {
    // Contents may be moved: the old room is held until then.
    let hold = try InflatedBytes.room(size, memory)
    bytes.grow(to: size)
    self.hold = hold
  }
}
