import CDeflate
import NeatBase

/// Packing by gzip, reused for many pieces of data. The same bytes always come out for the same bytes in. Not
/// for two threads at once.
package struct GzipPacker: ~Copyable {
  private let encoder: OpaquePointer

  /// `level`: 1 (quick) to 12 (small); others are taken as the nearest. Throws `outOfMemory`.
  package init(level: Int32 = 6) throws(NeatError) {
    guard let encoder = libdeflate_alloc_compressor(min(max(level, 1), 12)) else {
      throw NeatError(.outOfMemory, "no memory to pack data")
    }
    self.encoder = encoder
  }

  deinit { libdeflate_free_compressor(encoder) }

  /// One gzip member.
  package func pack(_ bytes: [UInt8]) -> [UInt8] {
    let bound = libdeflate_gzip_compress_bound(encoder, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { out, count in
      count = bytes.withUnsafeBytes {
        libdeflate_gzip_compress(encoder, $0.baseAddress, $0.count, out.baseAddress, bound)
      }
    }
  }
}

/// Packing by zlib, as the resource database of MapLibre Native has its bodies. Not for two threads at once.
package struct ZlibPacker: ~Copyable {
  private let encoder: OpaquePointer

  /// `level`: 1 (quick) to 12 (small); others are taken as the nearest. Throws `outOfMemory`.
  package init(level: Int32) throws(NeatError) {
    guard let encoder = libdeflate_alloc_compressor(min(max(level, 1), 12)) else {
      throw NeatError(.outOfMemory, "no memory to pack data")
    }
    self.encoder = encoder
  }

  deinit { libdeflate_free_compressor(encoder) }

  /// The packed bytes; nil where they would not be fewer than those given.
  package func pack(_ bytes: [UInt8]) -> [UInt8]? {
    // A result of as many bytes is no gain: what needs that much room is given up.
    let room = bytes.count - 1
    guard room > 0 else { return nil }
    let packed = [UInt8](unsafeUninitializedCapacity: room) { out, count in
      count = bytes.withUnsafeBytes {
        libdeflate_zlib_compress(encoder, $0.baseAddress, $0.count, out.baseAddress, room)
      }
    }
    return packed.isEmpty ? nil : packed
  }
}
