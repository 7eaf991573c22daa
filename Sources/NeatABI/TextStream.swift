import CNeatline
import NeatBase

/// Text that is written piece by piece as the caller takes it.
final class TextStream {
  private let next: () throws(NeatError) -> [UInt8]?

  init(_ next: @escaping () throws(NeatError) -> [UInt8]?) { self.next = next }

  /// The next piece; nil at the end.
  func piece() throws(NeatError) -> [UInt8]? { try next() }
}

@c @implementation
public func neat_text_stream_next(_ stream: OpaquePointer!, _ out_piece: OutHandle!) -> neat_status {
  out_piece?.pointee = nil
  return attempt { () throws(NeatError) in
    let stream: TextStream = Handle.object(try required(stream, "stream"))
    let out = try required(out_piece, "out_piece")
    try ProcessMemory.requireHeadroom()
    if let piece = try stream.piece() { out.pointee = Handle.make(Buffer(piece)) }
  }
}

@c @implementation
public func neat_text_stream_destroy(_ stream: OpaquePointer!) { Handle.destroy(stream, TextStream.self) }
