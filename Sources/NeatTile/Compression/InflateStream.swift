import CZlib
import NeatBase

/// Unpacks gzip (also of several members) or zlib data that come in pieces; plain bytes go through. One thread
/// at a time.
package final class InflateStream {
  private enum State {
    /// Nothing came yet.
    case new
    case plain
    case packed
    /// Behind a gzip member: another may follow.
    case between
    /// What follows is ignored, as gzip does.
    case ended
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private var state = State.new
  private var isOpen = false
  /// The first bytes, until it is known what they begin.
  private var head: [UInt8] = []
  private let piece: UnsafeMutableBufferPointer<UInt8>

  package init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    piece = .allocate(capacity: 256 << 10)
  }

  deinit {
    if isOpen { inflateEnd(stream) }
    stream.deallocate()
    piece.deallocate()
  }

  /// Unpacks the next bytes and calls `take` with what comes of them, piece by piece. Throws `tile` for damaged
  /// data, and what `take` throws.
  package func append(
    _ bytes: UnsafeBufferPointer<UInt8>, take: (UnsafeBufferPointer<UInt8>) throws(NeatError) -> Void
  ) throws(NeatError) {
    if state == .plain { return try take(bytes) }
    guard state == .new || state == .between else { return try unpack(bytes, take) }
    // Two bytes tell.
    head += bytes
    guard head.count >= 2 else { return }
    let all = head
    head = []
    try all.withUnsafeBufferPointer { (all) throws(NeatError) in
      if state == .new, !InflateStream.isPacked(all) {
        state = .plain
        return try take(all)
      }
      if state == .between, !(all[0] == 0x1f && all[1] == 0x8b) {
        state = .ended
        return
      }
      try open()
      try unpack(all, take)
    }
  }

  /// After the last bytes. Throws `tile` where the data are cut short.
  package func finish(take: (UnsafeBufferPointer<UInt8>) throws(NeatError) -> Void) throws(NeatError) {
    if state == .new, !head.isEmpty {
      try head.withUnsafeBufferPointer { (head) throws(NeatError) in try take(head) }
    }
    if state == .packed { throw NeatError(.tile, "the packed data are cut short") }
  }

  private static func isPacked(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes[0] == 0x1f && bytes[1] == 0x8b
      || bytes[0] == 0x78 && (UInt32(bytes[0]) << 8 | UInt32(bytes[1])) % 31 == 0 && bytes[1] & 0x20 == 0
  }

  private func open() throws(NeatError) {
    if isOpen { inflateEnd(stream) }
    isOpen = false
    stream.pointee = z_stream()
    // 15 bits of window, and 32: gzip or zlib by the first bytes.
    guard inflateInit2_(stream, 47, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw NeatError(.outOfMemory, "no memory to unpack data")
    }
    isOpen = true
    state = .packed
  }

  private func unpack(
    _ bytes: UnsafeBufferPointer<UInt8>, _ take: (UnsafeBufferPointer<UInt8>) throws(NeatError) -> Void
  ) throws(NeatError) {
    guard state == .packed, let base = bytes.baseAddress else { return }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: base)
    stream.pointee.avail_in = UInt32(bytes.count)
    while true {
      stream.pointee.next_out = piece.baseAddress
      stream.pointee.avail_out = UInt32(piece.count)
      let result = inflate(stream, Z_NO_FLUSH)
      let made = piece.count - Int(stream.pointee.avail_out)
      if made > 0 { try take(UnsafeBufferPointer(rebasing: piece[..<made])) }
      switch result {
      case Z_STREAM_END:
        let rest = Int(stream.pointee.avail_in)
        state = .between
        return try append(UnsafeBufferPointer(rebasing: bytes[(bytes.count - rest)...]), take: take)
      case Z_OK, Z_BUF_ERROR:
        if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return }
        if result == Z_BUF_ERROR, made == 0 { return }
      default: throw NeatError(.tile, "the packed data are damaged")
      }
    }
  }
}
