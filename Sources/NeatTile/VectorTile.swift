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

    /// Reads the layer where it was not read yet; nil where it cannot be.
    package var layer: TileLayer? {
      switch self {
      case .read(let layer): layer
      case .unread(let layer): layer.read()
      }
    }
  }

  /// In the tile's order.
  package let entries: [Entry]

  /// Layers that are read of one tile: an empty one takes a few bytes there, and hundreds in memory.
  package static let maxLayers = 16_384
  static var tooManyLayers: NeatError { NeatError(.limitExceeded, "a tile of more than \(maxLayers) layers") }

  package init(entries: [Entry]) { self.entries = entries }
  package convenience init(layers: [TileLayer]) { self.init(entries: layers.map(Entry.read)) }

  package func layer(_ name: String) -> TileLayer? { entries.first { $0.name == name }?.layer }

  /// The layer of a tile that has one alone.
  package var onlyLayer: TileLayer? { entries.count == 1 ? entries[0].layer : nil }

  /// All layers, without those that cannot be read. Reads what was not read yet.
  package var layers: [TileLayer] { entries.compactMap(\.layer) }

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
  }

  package let name: String
  /// What it keeps in memory when it is read, about.
  package let byteCount: Int
  private let state: Locked<State>

  /// - Parameter read: makes the layer; throws, or gives nil, where there is none.
  package init(
    name: String, byteCount: Int, read: @escaping @Sendable () throws(NeatError) -> TileLayer?
  ) {
    self.name = name
    self.byteCount = byteCount
    state = Locked(.unread(read))
  }

  /// The layer; nil where it cannot be read. Threads that ask meanwhile wait for the one that reads.
  package func read() -> TileLayer? {
    state.withLock { state in
      switch state {
      case .read(let layer): return layer
      case .unread(let read):
        do throws(NeatError) {
          let layer = try read()
          state = .read(layer)
          return layer
        } catch {
          // What lacks memory now may have it the next time.
          if error.code != .outOfMemory { state = .read(nil) }
          return nil
        }
      }
    }
  }
}
