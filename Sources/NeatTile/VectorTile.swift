import NeatBase

/// A tile's layers: those that were asked for when it was decoded, and others that are read when somebody
/// asks for them. Any thread, also at the same time.
package final class VectorTile: Sendable {
  package enum Entry: Sendable {
    case read(TileLayer)
    case unread(UnreadLayer)

    package var name: String {
      switch self {
      case .read(let layer): layer.name
      case .unread(let layer): layer.name
      }
    }

    /// Reads the layer where it was not read yet; nil where it has nothing. Throws where it cannot be read.
    package func layer() throws(NeatError) -> TileLayer? {
      switch self {
      case .read(let layer): layer
      case .unread(let layer): try layer.read()
      }
    }
  }

  /// In the tile's order.
  package let entries: [Entry]
  /// What of it cannot be read; nil where nothing can come to light any more, and nothing did.
  package let faults: TileFaults?

  /// Layers that are read of one tile: an empty one takes a few bytes there, and hundreds in memory.
  package static let maxLayers = 16_384
  static var tooManyLayers: NeatError { NeatError(.limitExceeded, "a tile of more than \(maxLayers) layers") }

  /// Where the layers of a name are among `entries`, of a tile of many layers: each layer of a style asks.
  private let places: [String: [Int]]?
  /// Layers up to which a tile is searched one by one.
  private static let fewLayers = 16

  package init(entries: [Entry], faults: TileFaults? = nil) {
    (self.entries, self.faults) = (entries, faults)
    places =
      entries.count > VectorTile.fewLayers
      ? Dictionary(grouping: entries.indices) { entries[$0].name } : nil
  }
  package convenience init(layers: [TileLayer]) { self.init(entries: layers.map(Entry.read)) }

  /// The first layer of a name that is there. Reads it where it was not read yet, and throws where it cannot be.
  package func layer(_ name: String) throws(NeatError) -> TileLayer? {
    if let places {
      for place in places[name] ?? [] {
        if let layer = try entries[place].layer() { return layer }
      }
      return nil
    }
    for entry in entries where entry.name == name {
      if let layer = try entry.layer() { return layer }
    }
    return nil
  }

  /// The layer of a tile that has one alone.
  package func onlyLayer() throws(NeatError) -> TileLayer? {
    try entries.count == 1 ? entries[0].layer() : nil
  }

  /// All layers, without those that cannot be read. Reads what was not read yet. Linear in the layers: a loop
  /// over them keeps what it gets.
  package var layers: [TileLayer] {
    entries.compactMap { entry in
      do throws(NeatError) { return try entry.layer() } catch { return nil }
    }
  }

  /// Bytes that the tile keeps in memory, about; of layers that were not read, what they will when they are.
  package var byteCount: Int {
    entries.reduce(0) { sum, entry in
      switch entry {
      case .read(let layer): sum + layer.byteCount
      case .unread(let layer): sum + layer.byteCount
      }
    }
  }
}

/// A layer that is read when it is asked for, once.
package final class UnreadLayer: Sendable {
  private enum State {
    case unread(@Sendable () throws(NeatError) -> TileLayer?)
    case read(TileLayer?)
    case broken(NeatError)
  }

  package let name: String
  /// What it keeps in memory when it is read, about.
  package let byteCount: Int
  private let state: Locked<State>

  /// - Parameter read: makes the layer; gives nil where it has nothing, and throws where it cannot.
  package init(
    name: String, byteCount: Int, read: @escaping @Sendable () throws(NeatError) -> TileLayer?
  ) {
    self.name = name
    self.byteCount = byteCount
    state = Locked(.unread(read))
  }

  /// The layer; nil where it has nothing. Threads that ask meanwhile wait for the one that reads. What throws
  /// for its bytes throws the same for good; what lacks memory now may have it the next time.
  package func read() throws(NeatError) -> TileLayer? {
    try state.withLock { (state) throws(NeatError) in
      switch state {
      case .read(let layer): return layer
      case .broken(let error): throw error
      case .unread(let read):
        do throws(NeatError) {
          let layer = try read()
          state = .read(layer)
          return layer
        } catch {
          if error.code != .outOfMemory { state = .broken(error) }
          throw error
        }
      }
    }
  }
}
