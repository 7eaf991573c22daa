import CMicroHTTPD
import Neatline

/// A body that is written while it is sent, piece by piece, as fast as the client takes it.
struct StreamedBody: Sendable {
  /// Bytes that one such response holds: its source and a piece or two of the text.
  let heldBytes: Int
  /// Begins the text. Clients that wait for the same response each have a text of their own.
  let begin: @Sendable () throws(NeatlineError) -> TextStream

  /// Bytes that the connection has room for at once.
  static let pieceBytes = 64 << 10

  /// The response for the library; nil where it has no memory.
  func response(for exchange: Exchange) -> OpaquePointer? {
    guard let text = try? begin() else { return nil }
    let feed = Unmanaged.passRetained(BodyFeed(text, exchange)).toOpaque()
    let response = neat_mhd_stream(StreamedBody.pieceBytes, readBody, feed, releaseBody)
    if response == nil { releaseBody(feed) }
    return response
  }
}

/// The text of one response on its way. Lives on the thread of the connections.
private final class BodyFeed {
  private let text: TextStream
  private let exchange: Exchange
  private var piece: [UInt8] = []
  /// Bytes of the piece that were sent.
  private var sent = 0

  init(_ text: TextStream, _ exchange: Exchange) {
    (self.text, self.exchange) = (text, exchange)
  }

  func read(into buffer: UnsafeMutablePointer<CChar>, room: Int) -> Int {
    if sent == piece.count {
      do throws(NeatlineError) {
        guard let next = try text.next() else { return neat_mhd_end_of_body }
        (piece, sent) = (next, 0)
      } catch {
        // The head is sent already: only the end of the connection tells that the text is not whole.
        return neat_mhd_broken_body
      }
    }
    let count = min(room, piece.count - sent)
    piece.withUnsafeBytes {
      UnsafeMutableRawPointer(buffer).copyMemory(from: $0.baseAddress! + sent, byteCount: count)
    }
    sent += count
    exchange.sentBytes += count
    return count
  }
}

private let readBody:
  @convention(c) (UnsafeMutableRawPointer?, UInt64, UnsafeMutablePointer<CChar>?, Int) -> Int = {
    context, _, buffer, room in
    guard let context, let buffer, room > 0 else { return neat_mhd_broken_body }
    return Unmanaged<BodyFeed>.fromOpaque(context).takeUnretainedValue().read(into: buffer, room: room)
  }

private let releaseBody: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
  if let context { Unmanaged<BodyFeed>.fromOpaque(context).release() }
}
