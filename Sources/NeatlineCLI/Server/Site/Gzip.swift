import CDeflate

/// Unpacks what an archive keeps packed, for clients that do not.
enum Gzip {
  /// Nil where it is no gzip, or unpacks to more than a limit.
  static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    guard bytes.count >= 18, let decompressor = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(decompressor) }
    // The last four bytes say how long it is.
    let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard size <= limit else { return nil }
    var count = 0
    let result = [UInt8](unsafeUninitializedCapacity: max(1, size)) { buffer, filled in
      let status = libdeflate_gzip_decompress(
        decompressor, bytes, bytes.count, buffer.baseAddress, size, &count)
      filled = status == LIBDEFLATE_SUCCESS ? count : 0
      if status != LIBDEFLATE_SUCCESS { count = -1 }
    }
    return count >= 0 ? result : nil
  }
}
