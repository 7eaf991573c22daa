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
    var rest = bytes
    while !rest.isEmpty {
      switch state {
      case .plain: return try take(rest)
      case .ended: return
      case .packed: rest = try unpack(rest, take)
      case .new, .between:
        // Two bytes tell; what they are of follows them where they came together.
        if head.isEmpty, rest.count >= 2 {
          try begin(rest[0], rest[1])
          continue
        }
        head.append(rest[0])
        rest = UnsafeBufferPointer(rebasing: rest[1...])
        guard head.count == 2 else { continue }
        let two = head
        head = []
        try begin(two[0], two[1])
        try two.withUnsafeBufferPointer { (two) throws(NeatError) in
          if state == .plain { try take(two) } else if state == .packed { _ = try unpack(two, take) }
        }
      }
    }
  }

  /// What the first two bytes of a text, or behind a member, begin.
  private func begin(_ first: UInt8, _ second: UInt8) throws(NeatError) {
    let isGzip = first == 0x1f && second == 0x8b
    let isZlib = first == 0x78 && (UInt32(first) << 8 | UInt32(second)) % 31 == 0 && second & 0x20 == 0
    if isGzip || state == .new && isZlib { return try open() }
    state = state == .new ? .plain : .ended
  }

  /// After the last bytes. Throws `tile` where the data are cut short.
  package func finish(take: (UnsafeBufferPointer<UInt8>) throws(NeatError) -> Void) throws(NeatError) {
    if state == .new, !head.isEmpty {
      try head.withUnsafeBufferPointer { (head) throws(NeatError) in try take(head) }
    }
    if state == .packed { throw NeatError(.tile, "the packed data are cut short") }
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

  /// Unpacks as far as a member goes; returns what is behind it.
  private func unpack(
    _ bytes: UnsafeBufferPointer<UInt8>, _ take: (UnsafeBufferPointer<UInt8>) throws(NeatError) -> Void
  ) throws(NeatError) -> UnsafeBufferPointer<UInt8> {
    // zlib counts in 32 bits.
    let some = UnsafeBufferPointer(rebasing: bytes.prefix(1 << 30))
    stream.pointee.next_in = UnsafeMutablePointer(mutating: some.baseAddress)
    stream.pointee.avail_in = UInt32(some.count)
    while true {
      stream.pointee.next_out = piece.baseAddress
      stream.pointee.avail_out = UInt32(piece.count)
      let result = inflate(stream, Z_NO_FLUSH)
      let made = piece.count - Int(stream.pointee.avail_out)
      if made > 0 { try take(UnsafeBufferPointer(rebasing: piece[..<made])) }
      let isDone = stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0
      switch result {
      case Z_STREAM_END: state = .between
      case Z_OK where !isDone: continue
      case Z_OK, Z_BUF_ERROR: break
      default: throw NeatError(.tile, "the packed data are damaged")
      }
      return UnsafeBufferPointer(rebasing: bytes[(some.count - Int(stream.pointee.avail_in))...])
    }
  }
}
