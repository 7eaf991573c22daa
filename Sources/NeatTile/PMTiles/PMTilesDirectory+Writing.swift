import NeatBase

extension PMTilesDirectory {
  /// The directory's bytes before packing.
  package static func encode(_ entries: ArraySlice<Entry>) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(entries.count * 6 + 10)
    func put(_ value: UInt64) {
      var value = value
      while value >= 0x80 {
        out.append(UInt8(truncatingIfNeeded: value) | 0x80)
        value >>= 7
      }
      out.append(UInt8(truncatingIfNeeded: value))
    }
    put(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      put(entry.tileID - last)
      last = entry.tileID
    }
    for entry in entries { put(UInt64(entry.runLength)) }
    for entry in entries { put(UInt64(entry.length)) }
    var expected: UInt64?
    for entry in entries {
      put(entry.offset == expected ? 0 : entry.offset + 1)
      expected = entry.offset + UInt64(entry.length)
    }
    return out
  }

  /// Root and leaf directories of an archive's entries, packed by gzip. The root has at most `rootLimit`
  /// bytes: where all entries do not fit into it, they go to leaves of at least 4096 entries, more a leaf
  /// until the root that lists the leaves fits.
  ///
  /// Throws `limitExceeded` where no size of leaves that a reader takes makes the root fit.
  package static func pack(_ entries: [Entry], rootLimit: Int) throws(NeatError) -> (
    root: [UInt8], leaves: [UInt8]
  ) {
    let packer = try GzipPacker(level: 9)
    // No directory of that many entries packs into 16 KiB; trying would only take time.
    if entries.count <= rootLimit {
      let root = packer.pack(encode(entries[...]))
      if root.count <= rootLimit { return (root, []) }
    }
    var size = max(4096, entries.count / 3500)
    while size <= PMTiles.maxDirectoryBytes / 32 {
      var leaves: [UInt8] = []
      var heads: [Entry] = []
      for start in stride(from: 0, to: entries.count, by: size) {
        let leaf = packer.pack(encode(entries[start..<min(start + size, entries.count)]))
        heads.append(
          Entry(
            tileID: entries[start].tileID, offset: UInt64(leaves.count), length: UInt32(leaf.count),
            runLength: 0))
        leaves += leaf
      }
      let root = packer.pack(encode(heads[...]))
      if root.count <= rootLimit { return (root, leaves) }
      size += size / 5
    }
    throw NeatError(.limitExceeded, "\(entries.count) entries do not fit into directories of one level")
  }
}
