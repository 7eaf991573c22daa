import NeatBase
import NeatRaster

/// Glyphs and icons of the frames of one map.
final class SymbolAtlases: Sendable {
  struct Pair {
    /// Distance fields.
    var fields: SymbolAtlas
    /// Icons.
    var pictures: SymbolAtlas
  }

  let pair: Locked<Pair>

  init(_ memory: MemoryBudget) {
    pair = Locked(Pair(fields: SymbolAtlas(.r8, memory), pictures: SymbolAtlas(.rgba8, memory)))
  }

  var isFull: Bool { pair.withLock { $0.fields.isFull || $0.pictures.isFull } }
}

/// What the frames for GPUs of one map share, so that the same thing has the same number in all of them.
final class MeshResources: Sendable {
  private struct SmallKey: Hashable {
    var format: MeshTexture.Format
    var width: Int
    var texels: [UInt8]
  }

  private struct State {
    var atlases: SymbolAtlases
    var small: [SmallKey: MeshTexture] = [:]
  }

  /// Dashes and gradients kept.
  private static let smallLimit = 256

  private let memory: MemoryBudget
  private let state: Locked<State>

  init(_ memory: MemoryBudget) {
    self.memory = memory
    state = Locked(State(atlases: SymbolAtlases(memory)))
  }

  /// The atlases for a frame; new ones where the old have grown too large (frames under way keep theirs).
  func atlases() -> SymbolAtlases {
    state.withLock { state in
      if state.atlases.isFull { state.atlases = SymbolAtlases(memory) }
      return state.atlases
    }
  }

  /// Begins anew; frames under way keep what they have.
  func removeAll() { state.withLock { $0 = State(atlases: SymbolAtlases(memory)) } }

  /// A dash or a gradient.
  func small(_ format: MeshTexture.Format, width: Int, texels: [UInt8]) -> MeshTexture {
    let key = SmallKey(format: format, width: width, texels: texels)
    return state.withLock { state in
      if let known = state.small[key] { return known }
      if state.small.count >= MeshResources.smallLimit { state.small.removeAll() }
      let height = texels.count / (width * format.bytesPerTexel)
      let made = MeshTexture(format, width: width, height: height) { memory in
        texels.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      }
      state.small[key] = made
      return made
    }
  }
}
