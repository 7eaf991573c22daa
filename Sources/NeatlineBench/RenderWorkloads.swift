import Glibc
import Neatline

extension Bench {
  /// The 40 cameras of the comparison with MapLibre Native: around the style's own centre.
  static func cameras(longitude: Double, latitude: Double, zoom: Double) -> [Camera] {
    (0..<40).map { i in
      let east = Double((i * 7) % 11 - 5) / 5
      let north = Double((i * 5) % 9 - 4) / 4
      let out = 1.5 - 0.25 * Double(i % 9)
      return Camera(longitude: longitude + 0.012 * east, latitude: latitude + 0.008 * north, zoom: zoom - out)
    }
  }

  /// Those around where a style begins; few where that is enough.
  func cameras(around renderer: Renderer) throws -> [Camera] {
    let start = try renderer.styleCamera
    let all = Bench.cameras(longitude: start.longitude, latitude: start.latitude, zoom: start.zoom)
    return Array(all.prefix(isQuick ? 5 : 40))
  }

  /// Milliseconds for a picture of 512x512 as PNG.
  func timed(_ renderer: Renderer, _ camera: Camera) throws -> Double {
    let start = Platform.now
    _ = try renderer.draw(camera: camera, width: 512, height: 512).png()
    return (Platform.now - start) * 1000
  }

  /// 512x512 to PNG: the first picture with all loading, the cameras' first round and their second.
  func render(style: String) throws {
    let start = Platform.now
    let renderer = try Renderer(styleURL: "\(data)/styles/\(style).json")
    _ = try renderer.draw(width: 512, height: 512).png()
    let first = (Platform.now - start) * 1000
    let cameras = try cameras(around: renderer)
    add("\(style) first", [first], "ms")
    for round in ["moved", "again"] {
      var milliseconds: [Double] = []
      let blocks = try allocations {
        for camera in cameras { milliseconds.append(try timed(renderer, camera)) }
      }
      let each = blocks.map { $0 / Double(cameras.count) }
      add("\(style) \(round)", milliseconds, "ms", allocations: each)
      // The figure of the style: what a moving view costs.
      if round == "moved" { add(style, milliseconds, "ms", allocations: each) }
    }
  }

  /// Frames of 512x512 for a GPU: the cameras once, with the tiles' data there but no meshes, and again.
  func frame(style: String) throws {
    let renderer = try Renderer(styleURL: "\(data)/styles/\(style).json")
    let cameras = try cameras(around: renderer)
    for camera in cameras { _ = try renderer.draw(camera: camera, width: 512, height: 512) }
    for round in ["meshes made", "meshes kept"] {
      var milliseconds: [Double] = []
      let blocks = try allocations {
        for camera in cameras {
          let start = Platform.now
          _ = try renderer.frame(camera: camera, width: 512, height: 512)
          milliseconds.append((Platform.now - start) * 1000)
        }
      }
      add("\(style), \(round)", milliseconds, "ms", allocations: blocks.map { $0 / Double(cameras.count) })
    }
  }

  /// From the start of the process to the PNG on disk.
  func startup() throws {
    let program = Platform.ownFolder + "/neatline"
    guard access(program, X_OK) == 0 else {
      throw BenchError("\(program) is not there: build the product neatline")
    }
    let output = "/tmp/neatline-bench-\(getpid()).png"
    defer { unlink(output) }
    let words = ["render", "\(data)/styles/osm-bright.json", "-o", output, "--size", "512x512"]
    var times: [Double] = []
    var peak = 0
    let quiet = open("/dev/null", O_WRONLY)
    defer { close(quiet) }
    for _ in 0..<(isQuick ? 2 : 9) {
      unlink(output)
      let start = Platform.now
      let result = try Platform.run(program, words, output: quiet)
      times.append((Platform.now - start) * 1000)
      guard result.status == 0, access(output, R_OK) == 0 else {
        throw BenchError("neatline render ended with status \(result.status >> 8)")
      }
      peak = max(peak, result.peakBytes)
    }
    add("osm-bright", times, "ms", peakBytes: peak)
  }
}
