import NeatBase

/// A quick 64-bit hash of tile contents (FNV-1a over 8-byte words, finished by the mixer of SplitMix64).
/// Equal hashes are always followed by a comparison of the bytes, so nothing but time depends on its quality.
package func contentHash(_ bytes: [UInt8], seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
  var hash = seed ^ UInt64(bytes.count) &* 0x9e37_79b9_7f4a_7c15
  bytes.withUnsafeBytes { source in
    var at = 0
    while at + 8 <= source.count {
      hash =
        (hash ^ source.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian)
        &* 0x0000_0100_0000_01b3
      hash ^= hash &>> 29
      at += 8
    }
    while at < source.count {
      hash = (hash ^ UInt64(source[at])) &* 0x0000_0100_0000_01b3
      at += 1
    }
  }
  hash = (hash ^ hash &>> 30) &* 0xbf58_476d_1ce4_e5b9
  hash = (hash ^ hash &>> 27) &* 0x94d0_49bb_1331_11eb
  return hash ^ hash &>> 31
}
