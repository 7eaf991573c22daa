import NeatBase
import NeatCamera
import NeatLayout

extension MapCore {
  /// The view as a GPU draws it, from what is there.
  package func meshFrame(
    _ transform: Transform, _ executor: Executor, step: FrameStep? = nil, puck: PuckScene? = nil,
    debug: DebugOptions = []
  ) -> MeshFrame {
    var base = frameBuilder(transform.onPlane, step: step, isFlat: true, debug: debug)
    if transform.globe != nil { base.reportPlane() }
    base.puck = puck
    var builder = MeshFrameBuilder(base, resources: meshResources, executor: executor)
    let frame = Trace.span("meshes", .frame) { builder.build() }.held(options.memory)
    countMeshes(builder.base.tiles)
    frameMemories.give(builder.base.memory)
    return frame
  }

  /// Loads what a view needs and gives it as a GPU draws it.
  package func renderMeshes(camera: Camera, size: ViewSize, client: ResourceClient, executor: Executor)
    throws(NeatError) -> MeshFrame
  {
    let transform = try Transform(camera: camera, size: size)
    return try keepingView { () throws(NeatError) in
      let executor = executor.working(for: imageWork(isOver: client.isOver))
      try load(transform, client: client, executor: executor)
      let frame = meshFrame(transform, executor)
      if let failure = frame.failure { throw failure }
      return frame
    }
  }

  /// Lets the meshes that layouts have got count among what is kept.
  private func countMeshes(_ tiles: [String: [TileInFrame]]) {
    var costs: [(key: LayoutKey, layout: TileLayout, cost: Int)] = []
    for (source, tiles) in tiles {
      for tile in tiles {
        guard let layout = tile.layout else { continue }
        costs.append((LayoutKey(source: source, id: layout.id), layout, layout.cost))
      }
    }
    state.withLock { state in
      for (key, layout, cost) in costs {
        guard state.layouts.entries[key]?.layout === layout else { continue }
        state.layouts.entries.setCost(cost, of: key)
      }
      trimLayouts(&state)
    }
  }
}
