import NeatBase

/// The indices of any mesh of quads, whose vertices come as top left, top right, bottom left, bottom right:
/// one block for all.
package enum QuadIndices {
  /// Quads that it reaches: their corners stay below 65,536.
  package static let limit = 16383

  package static let block = MeshBlock(.index16, count: limit * 6) { memory in
    let out = memory.assumingMemoryBound(to: UInt16.self)
    for quad in 0..<limit {
      for (place, corner) in [0, 2, 1, 1, 2, 3].enumerated() {
        out[quad * 6 + place] = UInt16(quad * 4 + corner)
      }
    }
  }
}
