import NeatBase
import NeatImage
import NeatRaster
import NeatStyle

/// A tile of a raster-dem source: its elevations, and what was made of them for drawing.
package final class DEMTile: Sendable {
  /// Reliefs kept: one a hillshade layer that looks at the tile.
  private static let reliefLimit = 4

  private struct Cache {
    var mask: UInt8 = 0
    /// Elevations with the border that the neighbours of `mask` give.
    var bordered: ElevationTile?
    var reliefs: [(key: ReliefKey, texture: Texture)] = []
    /// Reliefs that a frame is to draw, the latest last: some of them may still be made.
    var admitted: [ReliefKey] = []
    /// Of the reliefs; one for each that there was at the same time.
    var holds: [MemoryHold] = []
  }

  let elevation: ElevationTile
  /// Of the elevations and their bordered copy.
  private let hold: MemoryHold?
  private let memory: MemoryBudget
  private let cache = Locked(Cache())

  /// Reads a picture. Throws what reading throws, `image` where it is not square, and `outOfMemory` before
  /// anything is taken.
  /// - Parameter memory: what the elevations are taken from.
  package init(decoding bytes: [UInt8], encoding: ElevationEncoding, memory: MemoryBudget) throws(NeatError) {
    // The picture is gone when the bordered copy comes.
    let image = try decodeImage(bytes, premultiply: false, limits: ImageLimits(memory: memory, besides: 4))
    elevation = try ElevationTile(image, encoding: encoding)
    hold = image.hold
    self.memory = memory
  }

  private var texelBytes: Int { 4 * elevation.size * elevation.size }

  /// Elevations, their bordered copy, and two reliefs.
  var cost: Int { 4 * texelBytes + 1024 }

  /// Holds what a relief takes, unless there is one by that key or it is held already. Throws `outOfMemory`. Not
  /// under a lock of the map's.
  func admit(_ key: ReliefKey) throws(NeatError) {
    let isNew = cache.withLock { cache in
      if cache.admitted.contains(key) { return false }
      return cache.holds.count < DEMTile.reliefLimit
    }
    let hold = isNew ? try memory.take(texelBytes, for: "the relief of an elevation tile") : nil
    cache.withLock { cache in
      if let hold { cache.holds.append(hold) }
      if cache.admitted.contains(key) { return }
      if cache.admitted.count >= DEMTile.reliefLimit { cache.admitted.removeFirst() }
      cache.admitted.append(key)
    }
  }

  /// Elevations whose border comes from the neighbours that are there.
  func bordered(_ neighbours: DEMNeighbours) -> ElevationTile {
    let mask = neighbours.mask
    if mask == 0 { return elevation }
    if let known = cache.withLock({ $0.mask == mask ? $0.bordered : nil }) { return known }
    let made = ElevationTile(copying: elevation)
    for (index, tile) in neighbours.tiles.enumerated() {
      guard let tile else { continue }
      let (dx, dy) = DEMNeighbours.offsets[index]
      made.fillBorder(from: tile.elevation, dx: dx, dy: dy)
    }
    cache.withLock { cache in
      cache.mask = mask
      cache.bordered = made
      cache.reliefs = cache.reliefs.filter { $0.key.mask == mask }
    }
    return made
  }

  /// The tile in light and shadow, which was admitted; made once for the same light and neighbours.
  func relief(_ key: ReliefKey, _ tile: TileID, _ neighbours: DEMNeighbours) -> Texture {
    if let known = cache.withLock({ $0.reliefs.first { $0.key == key }?.texture }) { return known }
    let count = Double(UInt64(1) << UInt64(tile.z))
    let made = hillshade(
      bordered(neighbours), zoom: Int(tile.z), north: Mercator.lat(y: Double(tile.y) / count),
      south: Mercator.lat(y: (Double(tile.y) + 1) / count), paint: key.paint)
    cache.withLock { cache in
      if cache.reliefs.count >= DEMTile.reliefLimit { cache.reliefs.removeFirst() }
      cache.reliefs.append((key, made))
    }
    return made
  }
}

/// The tiles around a tile, as far as the view holds them.
struct DEMNeighbours: Sendable {
  static let offsets: [(Int, Int)] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]

  let tiles: [DEMTile?]

  init(_ tile: TileID, in view: [TileID: DEMTile]) {
    let count = Int64(1) << Int64(tile.z)
    tiles = DEMNeighbours.offsets.map { dx, dy in
      let y = Int64(tile.y) + Int64(dy)
      guard y >= 0, y < count else { return nil }
      let x = (Int64(tile.x) + Int64(dx) + count) % count
      return view[TileID(z: tile.z, x: UInt32(x), y: UInt32(y))]
    }
  }

  /// Which there are, one bit each.
  var mask: UInt8 {
    var mask: UInt8 = 0
    for (index, tile) in tiles.enumerated() where tile != nil { mask |= 1 << UInt8(index) }
    return mask
  }
}

/// What the picture of a relief depends on besides its tile.
struct ReliefKey: Equatable, Sendable {
  let paint: HillshadePaint
  let mask: UInt8

  static func == (a: ReliefKey, b: ReliefKey) -> Bool {
    a.mask == b.mask && a.paint.method == b.paint.method && a.paint.exaggeration == b.paint.exaggeration
      && a.paint.accent == b.paint.accent
      && a.paint.lights.count == b.paint.lights.count
      && zip(a.paint.lights, b.paint.lights).allSatisfy {
        $0.azimuth == $1.azimuth && $0.altitude == $1.altitude && $0.shadow == $1.shadow
          && $0.highlight == $1.highlight
      }
  }
}

extension SourceState {
  /// How the pixels of a raster-dem source say elevations: the style's word, else the TileJSON's.
  var elevationEncoding: ElevationEncoding {
    switch spec.tiled?.encoding {
    case .terrarium: return .terrarium
    case .custom(let red, let green, let blue, let shift):
      return ElevationEncoding(red: Float(red), green: Float(green), blue: Float(blue), base: Float(shift))
    case .mapbox: return .mapbox
    default: return tileSet.encoding == "terrarium" ? .terrarium : .mapbox
    }
  }
}
