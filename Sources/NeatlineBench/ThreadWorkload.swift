import Neatline

extension Bench {
  /// Whole pictures to PNG on one thread and on two: the cameras with all that they need kept. In turn by eight
  /// pictures, as they are drawn where many follow each other; and picture by picture, where the second thread has had
  /// nothing to do for a whole picture of the other renderer's, and sleeps.
  /// - Parameter rounds: how often each camera is drawn on each, at least 2; the first time is not counted.
  func threads(style: String, rounds: Int?) throws {
    let renderers = try [1, 2].map { count in
      var options = Options()
      options.threadCount = count
      return try Renderer(styleURL: "\(data)/styles/\(style).json", options: options)
    }
    let cameras = try cameras(around: renderers[0])
    let rounds = rounds ?? (isQuick ? 3 : 5)

    let one = try times(renderers, cameras, inTurnBy: 8, rounds)
    add("\(style), one thread", one.flatMap { $0[0] }, "ms")
    add("\(style), two threads", one.flatMap { $0[1] }, "ms")
    add("\(style), one over two", ratios(one), "times")
    add(
      "\(style), one over two, best of each camera",
      one.map { ($0[0].min() ?? 0) / ($0[1].min() ?? 0) }, "times")
    add(
      "\(style), one over two, picture by picture",
      ratios(try times(renderers, cameras, inTurnBy: 1, rounds)), "times")
  }

  /// Milliseconds by camera, renderer and round but the first.
  private func times(
    _ renderers: [Renderer], _ cameras: [Camera], inTurnBy count: Int, _ rounds: Int
  ) throws -> [[[Double]]] {
    var milliseconds = cameras.map { _ in renderers.map { _ in [Double]() } }
    for round in 0..<rounds {
      for first in stride(from: 0, to: cameras.count, by: count) {
        // Each is the first one in every other round.
        for turn in renderers.indices {
          let place = (turn + round) % renderers.count
          for camera in first..<min(first + count, cameras.count) {
            let time = try timed(renderers[place], cameras[camera])
            if round > 0 { milliseconds[camera][place].append(time) }
          }
        }
      }
    }
    return milliseconds
  }

  /// How often the second of two renderers draws in the time of the first, round by round.
  private func ratios(_ milliseconds: [[[Double]]]) -> [Double] {
    milliseconds.flatMap { zip($0[0], $0[1]).map { $0 / $1 } }
  }
}
