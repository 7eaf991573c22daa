import CNeatline

/// Text that the library writes in pieces, so that neither side holds all of it. One thread at a time.
public final class TextStream {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { neat_text_stream_destroy(pointer) }

  /// The next piece, UTF-8; nil at the end of the text. Throws `limitExceeded` where the text is past the limit
  /// that the stream was made with.
  public func next() throws(NeatlineError) -> [UInt8]? {
    var piece: OpaquePointer?
    try check(neat_text_stream_next(pointer, &piece))
    guard let piece else { return nil }
    defer { neat_buffer_destroy(piece) }
    return [UInt8](UnsafeBufferPointer(start: neat_buffer_data(piece), count: neat_buffer_size(piece)))
  }
}
