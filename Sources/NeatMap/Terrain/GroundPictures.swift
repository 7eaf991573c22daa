// The pictures that are draped over the tiles of the ground, kept from frame to frame: a camera that pans, turns or
// tilts shows the same ones. What a picture depends on is in its key, so that there is nothing to throw away when the
// style or a tile changes: keys that nobody asks for any more are dropped by their age.
import NeatBase
import NeatCamera
import NeatRaster
import NeatStyle

/// All that the picture of a tile of the ground depends on.
struct GroundPictureKey: Hashable, Sendable {
  let tile: TileID
  let edge: Int
  /// Places in the style of the first layer and of the last.
  let first: Int
  let last: Int
  let version: GroundPictureVersion
  let zoom: Double
  /// Degrees, where something turns with the screen.
  let heading: Double?
  /// What it is drawn of: pictures, elevations and layouts, and the tiles that they lie in.
  let content: [Content]

  struct Content: Hashable, Sendable {
    let drawn: OverscaledTileID
    let wanted: OverscaledTileID
    let data: ObjectIdentifier
    /// Which neighbours an elevation tile has.
    var mask: UInt8 = 0
  }
}

/// Numbers of what a style's pictures depend on besides its tiles.
struct GroundPictureVersion: Hashable, Sendable {
  let style: UInt64
  let images: UInt64
  let states: UInt64
}

final class GroundPictures: Sendable {
  /// Bytes, and pictures, that are kept besides those of the last frames: one of nothing holds what it was
  /// drawn of.
  private static let byteLimit = 256 << 20
  private static let countLimit = 512
  /// Bytes of memory that is kept for the next pictures.
  static let spareLimit = 32 << 20

  /// A picture, as far as it is drawn.
  struct Entry: Sendable {
    /// Nil where nothing is to be seen on it.
    let picture: GroundPicture?
    /// Where it has something; nil where that was not looked for.
    let cells: GroundCells?
    /// What of it is drawn.
    let blocks: GroundBlocks
    /// What it was drawn of lives as long as it, so that nothing new takes its place in memory.
    let content: [any AnyObject & Sendable]
    var lastUse: UInt64 = 0

    var byteCount: Int { picture?.byteCount ?? 0 }
  }

  private struct State {
    var entries: [GroundPictureKey: Entry] = [:]
    var frame: UInt64 = 0
    /// Pictures that are gone, whose memory serves the next ones once nobody looks at them.
    var spare: [GroundPicture] = []
  }

  private let state = Locked(State())
  private let memory: MemoryBudget

  init(_ memory: MemoryBudget = MemoryBudget()) { self.memory = memory }

  /// Begins a frame: what none of the last few asked for goes when room is needed.
  func beginFrame() {
    state.withLock { state in
      state.frame += 1
      var bytes = state.entries.values.reduce(0) { $0 + $1.byteCount }
      func isOver() -> Bool {
        bytes > GroundPictures.byteLimit || state.entries.count > GroundPictures.countLimit
      }
      guard isOver() else { return }
      for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        guard isOver(), entry.lastUse + 2 < state.frame else { return }
        bytes -= entry.byteCount
        state.entries[key] = nil
        if let picture = entry.picture { GroundPictures.give(picture, &state) }
      }
    }
  }

  /// Memory for so many texels. Throws `outOfMemory`.
  func store(_ capacity: Int) throws(NeatError) -> GroundStore {
    if let known = takeStore(capacity) { return known }
    return GroundStore(capacity, try memory.take(4 * capacity, for: "a picture draped over a tile"))
  }

  /// Memory for so many texels; nil where none is kept that fits.
  func takeStore(_ capacity: Int) -> GroundStore? {
    state.withLock { state in
      for index in state.spare.indices {
        let held = state.spare[index].freed.capacity
        guard held >= capacity, held <= 2 * capacity, isKnownUniquelyReferenced(&state.spare[index]) else {
          continue
        }
        return state.spare.remove(at: index).freed
      }
      return nil
    }
  }

  /// Keeps the memory of a picture that is not seen any more.
  func give(_ picture: GroundPicture) {
    state.withLock { GroundPictures.give(picture, &$0) }
  }

  private static func give(_ picture: GroundPicture, _ state: inout State) {
    state.spare.append(picture)
    // The oldest go first: what no picture asked for would stay.
    while state.spare.reduce(0, { $0 + $1.byteCount }) > spareLimit { state.spare.removeFirst() }
  }

  subscript(_ key: GroundPictureKey) -> Entry? {
    state.withLock { state in
      state.entries[key]?.lastUse = state.frame
      return state.entries[key]
    }
  }

  func keep(_ entry: Entry, _ key: GroundPictureKey) {
    state.withLock { state in
      if let picture = state.entries[key]?.picture { GroundPictures.give(picture, &state) }
      var entry = entry
      entry.lastUse = state.frame
      state.entries[key] = entry
    }
  }

  func removeAll() {
    state.withLock {
      $0.entries = [:]
      $0.spare = []
    }
  }

  /// The number of pictures, for tests.
  var count: Int { state.withLock { $0.entries.count } }
}

extension FrameBuilder {
  /// What a tile's picture depends on, and what holds that in memory; nil where it shows something that passes.
  func pictureKey(_ layers: [LayerInFrame], _ tile: TileID, _ square: FrameBuilder, edge: Int)
    -> (key: GroundPictureKey, content: [any AnyObject & Sendable])?
  {
    guard let version = pictureVersion, let first = layers.first, let last = layers.last else { return nil }
    var content: [GroundPictureKey.Content] = []
    var objects: [any AnyObject & Sendable] = []
    var seen: Set<String> = []
    for source in layers.compactMap(\.style.source) where seen.insert(source).inserted {
      for part in square.tiles[source] ?? [] {
        func add(_ object: any AnyObject & Sendable, mask: UInt8 = 0) {
          objects.append(object)
          content.append(
            GroundPictureKey.Content(
              drawn: part.id, wanted: part.wanted, data: ObjectIdentifier(object), mask: mask))
        }
        if let layout = part.layout { add(layout) }
        if let raster = part.raster { add(raster) }
        if let dem = part.dem { add(dem.tile, mask: dem.neighbours.mask) }
      }
      if let image = imageSources[source]?.tile {
        objects.append(image)
        content.append(
          GroundPictureKey.Content(
            drawn: OverscaledTileID(canonical: .world), wanted: OverscaledTileID(canonical: .world),
            data: ObjectIdentifier(image)))
      }
    }
    let key = GroundPictureKey(
      tile: tile, edge: edge, first: first.index, last: last.index, version: version,
      zoom: transform.camera.zoom,
      heading: layers.contains { turnsWithScreen($0.style) } ? transform.camera.heading : nil,
      content: content)
    return (key, objects)
  }

  private func turnsWithScreen(_ layer: StyleLayer) -> Bool {
    switch layer.type {
    case .hillshade:
      layer[.hillshadeIlluminationAnchor].enumValue(evaluator, at: camera) == "viewport"
    case .fill: layer.isSet(.fillTranslate)
    case .line: layer.isSet(.lineTranslate)
    default: false
    }
  }
}
