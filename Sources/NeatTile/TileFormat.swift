import NeatBase

/// How a vector tile is written.
package enum TileFormat: Sendable {
  /// By what decodes: bytes that are no MVT, but MLT, are that. Where they are neither, the answer of MVT
  /// stands.
  case auto
  case mvt, mlt
}

/// Decodes a tile, compressed by gzip or zlib or not.
///
/// Throws what `decodeMVT` and `decodeMLT` throw.
package func decodeTile(_ bytes: [UInt8], as format: TileFormat, options: MVTOptions = .init())
  throws(NeatError) -> VectorTile
{
  if format == .mlt { return try decodeMLT(bytes, memory: options.memory) }
  do throws(NeatError) { return try decodeMVT(bytes, options: options) } catch {
    if format == .auto, error.code != .outOfMemory, let tile = decodableMLT(bytes, options.memory) {
      return tile
    }
    throw error
  }
}

/// A tile that is read when it is asked for, where its format lets it be.
package enum OpenedTile: Sendable {
  case open(OpenTile)
  case decoded(VectorTile)

  /// - Parameter isBorrowed: bytes that are not packed stay as they are for as long as the tile lives.
  package init(_ source: UnsafeBufferPointer<UInt8>, as format: TileFormat, isBorrowed: Bool)
    throws(NeatError)
  {
    guard format != .mlt else {
      self = .decoded(try decodeMLT(Array(source)))
      return
    }
    var fault: NeatError?
    // One of MVT without layers.
    var bare: OpenTile?
    do throws(NeatError) {
      let tile = isBorrowed ? try OpenTile(borrowing: source) : try OpenTile(copying: source)
      // The framing of MVT lets other bytes pass as a tile without layers.
      if format == .mvt || !tile.layers.isEmpty || source.isEmpty {
        self = .open(tile)
        return
      }
      bare = tile
    } catch {
      if format == .mvt { throw error }
      fault = error
    }
    let tile = decodableMLT(Array(source))
    if let tile, fault != nil || !tile.layers.isEmpty {
      self = .decoded(tile)
    } else if let fault {
      throw fault
    } else if let bare {
      self = .open(bare)
    } else {
      self = .decoded(VectorTile(layers: []))
    }
  }
}

/// The tile, if it is one: why it is not says nothing where another format was tried before.
private func decodableMLT(_ bytes: [UInt8], _ memory: MemoryBudget? = nil) -> VectorTile? {
  try? decodeMLT(bytes, memory: memory)
}
