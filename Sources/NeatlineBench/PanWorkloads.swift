import Glibc
import Neatline

extension Bench {
  /// Ten seconds of panning, zooming and rotating over Innsbruck in osm-bright, 60 frames a second of 1024x768:
  /// a host that moves the camera, lets the loop turn and draws. What a frame costs, how long the loop was held
  /// by a turn, frames that took longer than their time, and what a frame allocates: on the first way, with all
  /// that is read, cut and laid out for it, and on the same way again, which is the steady state; once more with
  /// scale bar, compass and attribution. Then the first way again with tiles from a server.
  func pan() throws {
    let (map, loop) = try panMap()
    try map.loadStyle("\(data)/styles/osm-bright.json")
    try pan(map, loop, "")
    try pan(map, loop, "again, ")
    map.ornaments.options = OrnamentOptions()
    try pan(map, loop, "ornaments, ")
    try panFromServer()
  }

  /// Tiles of a server that answers each request after 100 ms. The way begins with its first view loaded.
  private func panFromServer() throws {
    let archive = "/tiles/innsbruck.mbtiles"
    let server = try LateTileServer.begin(data + archive)
    let text = String(decoding: try Platform.read("\(data)/styles/osm-bright.json"), as: UTF8.self)
    let parts = text.split(separator: "mbtiles://..\(archive)", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw BenchError("osm-bright has other sources than it had") }
    let (map, loop) = try panMap()
    try map.setStyle(
      json: parts.joined(separator: server + "json"),
      baseURL: "\(data)/styles/osm-bright.json")
    try pan(map, loop, "HTTP, ")
  }

  private func panMap() throws -> (Map, EventLoop) {
    var options = Options()
    options.threadCount = 2
    let loop = try EventLoop()
    return (try Map(loop: loop, width: 1024, height: 768, options: options), loop)
  }

  /// The way, from its first view on, which is loaded before.
  private func pan(_ map: Map, _ loop: EventLoop, _ name: String) throws {
    try map.setCamera(Bench.journey(0))
    loop.run(timeout: 30_000)
    guard map.isLoaded else { throw BenchError("the map did not load") }
    let count = isQuick ? 30 : 600
    var (frames, turns) = ([Double](), [Double]())
    // Room for all: what is counted is the map's.
    frames.reserveCapacity(count)
    turns.reserveCapacity(100_000)
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
    add(name + "frame", frames, "ms", allocations: blocks.map { $0 / Double(count) })
    add(name + "frame, 99th percentile", [Bench.percentile(frames, 0.99)], "ms")
    add(name + "turn", turns, "ms")
    add(name + "turn, 99th percentile", [Bench.percentile(turns, 0.99)], "ms")
    add(name + "dropped, of \(count)", [Double(frames.filter { $0 > 1000 / 60 }.count)], "frames")
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
