import Glibc
import Neatline

extension Bench {
  /// Ten seconds of panning, zooming and rotating over Innsbruck in osm-bright, 60 frames a second of 1024x768:
  /// a host that moves the camera, lets the loop turn and draws. What a frame costs, how long the loop was held
  /// by a turn, frames that took longer than their time, and what a frame allocates.
  func pan() throws {
    var options = Options()
    options.threadCount = 2
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 1024, height: 768, options: options)
    try map.loadStyle("\(data)/styles/osm-bright.json")
    loop.run(timeout: 30_000)
    guard map.isLoaded else { throw BenchError("the map did not load") }
    let count = isQuick ? 30 : 600
    var (frames, turns) = ([Double](), [Double]())
    let start = Platform.now
    let blocks = try allocations {
      for number in 0..<count {
        // A host that is late goes on with the next frame that is due.
        let due = start + Double(number) / 60
        while Platform.now < due {
          turns.append(Bench.turn(loop))
          usleep(500)
        }
        let began = Platform.now
        try map.setCamera(Bench.journey(Double(number) / 60))
        turns.append(Bench.turn(loop))
        _ = try map.draw()
        frames.append((Platform.now - began) * 1000)
      }
    }
    add("frame", frames, "ms", allocations: blocks.map { $0 / Double(count) })
    add("frame, 99th percentile", [Bench.percentile(frames, 0.99)], "ms")
    add("turn", turns, "ms")
    add("turn, 99th percentile", [Bench.percentile(turns, 0.99)], "ms")
    add("dropped, of \(count)", [Double(frames.filter { $0 > 1000 / 60 }.count)], "frames")
  }

  /// Milliseconds that a turn holds the loop.
  private static func turn(_ loop: EventLoop) -> Double {
    let start = Platform.now
    loop.poll()
    return (Platform.now - start) * 1000
  }

  /// The view at a time of the journey: along a rounded way, in and out, around.
  private static func journey(_ seconds: Double) -> Camera {
    let turn = seconds / 10 * 2 * .pi
    return Camera(
      longitude: 11.394 + 0.02 * sin(turn), latitude: 47.267 + 0.008 * sin(2 * turn),
      zoom: 14 + 1.2 * sin(turn * 1.5), bearing: 40 * sin(turn))
  }

  private static func percentile(_ values: [Double], _ part: Double) -> Double {
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
