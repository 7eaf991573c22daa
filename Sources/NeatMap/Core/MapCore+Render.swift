import NeatBase
import NeatRaster

/// How a renderer comes by bytes: all requests of a round at once, answered in their order. May block; any thread.
package struct ResourceClient: Sendable {
  package let load: @Sendable ([ResourceRequest]) -> [ResourceResult]
  /// Whether the time for the whole picture is over, and not just that of one request.
  package let isOver: @Sendable () -> Bool

  package init(isOver: @escaping @Sendable () -> Bool = { false }, load: @escaping @Sendable ([ResourceRequest]) -> [ResourceResult]) {
    self.isOver = isOver
    self.load = load
  }
}

extension MapCore {
  /// Rounds of loading for one picture at most: style parts, tiles, glyphs, and a few for what turns out to be missing.
  private static let roundLimit = 64

  /// Loads what a view needs and draws it. What cannot be had is left out and becomes a problem.
  package func render(
    camera: Camera, size: ViewSize, labelMargin: Int = 0, client: ResourceClient, executor: Executor
  ) throws(NeatError) -> Bitmap {
    let transform = Transform(camera: try camera.checked(), size: try size.checked(), labelMargin: labelMargin)
    let view = try keepingView { () throws(NeatError) in
      try load(transform, client: client, executor: executor)
      return self.frame(transform)
    }
    return try view.rasterize(executor)
  }

  /// Loads and lays out what a view needs.
  package func load(_ transform: Transform, client: ResourceClient, executor: Executor) throws(NeatError) {
    try load(client: client, executor: executor) { prepare(transform, executor) }
  }

  /// Loads what is asked for until there is nothing more to ask for.
  package func load(client: ResourceClient, executor: Executor, _ ask: () -> [Need]) throws(NeatError) {
    for _ in 0..<MapCore.roundLimit {
      let needs = ask()
      guard !needs.isEmpty else { return }
      let results = client.load(needs.map(\.request))
      for result in results {
        if case .failed(let error) = result, error.code == .cancelled || error.code == .timeout && client.isOver() { throw error }
      }
      executor.forEach(needs.count) { index in deliver(needs[index], index < results.count ? results[index] : .missing) }
    }
    report(MapProblem(resource: "map", message: "gave up after \(MapCore.roundLimit) rounds of loading", code: .limitExceeded))
  }
}
