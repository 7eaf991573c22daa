import NeatRaster
import Neatline

// What a picture moves, what one core can move at best, and how long the picture takes: `scripts/bench-limit`
// makes tables of all three. A build with `-Xswiftc -DNEATLINE_TALLY` counts, and measures nothing; any other
// measures.

extension Bench {
  func limit(style: String?, threads: Int) throws {
    for style in style.map({ [$0] }) ?? Bench.cities { try pictures(style, threads: threads) }
    if !Tally.isOn, style == nil { rates() }
  }

  /// The 40 cameras of the comparison with MapLibre Native, on one thread where nothing else is asked for, with all layouts kept: what each
  /// picture moves, or how long it takes: means of the 40, of each round one.
  private func pictures(_ style: String, threads: Int) throws {
    var options = Options()
    options.threadCount = threads
    let renderer = try Renderer(styleURL: "\(data)/styles/\(style).json", options: options)
    let cameras = try cameras(around: renderer)
    try layOut(cameras, renderer)
    var drawn: [Double] = []
    var encoded: [Double] = []
    var bytes = 0
    _ = Tally.take()
    for _ in 0..<(isQuick || Tally.isOn ? 1 : 12) {
      var (drawing, encoding) = (0.0, 0.0)
      bytes = 0
      for camera in cameras {
        let start = Platform.processorTime
        let picture = try renderer.draw(camera: camera, width: 512, height: 512)
        let middle = Platform.processorTime
        bytes += try picture.png().count
        encoding += Platform.processorTime - middle
        drawing += middle - start
      }
      drawn.append(drawing * 1000 / Double(cameras.count))
      encoded.append(encoding * 1000 / Double(cameras.count))
    }
    add("\(style), bytes of PNG", [Double(bytes) / Double(cameras.count)], "a picture")
    guard Tally.isOn else {
      add("\(style), drawn", drawn, "ms")
      return add("\(style), PNG", encoded, "ms")
    }
    let counts = Tally.take()
    for kind in Tally.Kind.allCases {
      add("\(style), \(kind)", [Double(counts[kind] ?? 0) / Double(cameras.count)], "a picture")
    }
  }

  /// Apart, so that a profile tells it from what is measured.
  @inline(never)
  private func layOut(_ cameras: [Camera], _ renderer: Renderer) throws {
    for camera in cameras { _ = try renderer.draw(camera: camera, width: 512, height: 512) }
  }

  /// Pixels that one core stores and blends at best, in spans that begin anywhere in 128 KiB, which a core's
  /// own cache holds.
  private func rates() {
    let width = 512
    let count = 32_768
    let pixels = UnsafeMutablePointer<UInt32>.allocate(capacity: count + 4)
    pixels.initialize(repeating: 0xFF80_8080, count: count + 4)
    defer { pixels.deallocate() }
    let coverage = (0..<width + 4).map { UInt8(truncatingIfNeeded: 1 + $0 * 37 % 254) }
    let opaque = Premultiplied(bits: 0xFF20_4060)
    let half = Premultiplied(bits: 0x8010_2030)
    func rate(_ name: String, length: Int, _ span: (UnsafeMutablePointer<UInt32>) -> Void) {
      let spans = 2 * count / length
      let places = count - length
      let values = (0..<(isQuick ? 3 : 41)).map { _ in
        let start = Platform.processorTime
        for _ in 0..<8 {
          var place = 0
          for _ in 0..<spans {
            span(pixels + place)
            place += 7 * length + 3
            if place >= places { place -= places }
          }
        }
        return Double(8 * spans * length) / (Platform.processorTime - start) / 1e6
      }
      add("\(name), spans of \(length)", values, "Mpixel/s")
    }
    for length in [1, 4, 16, 64, 256] {
      rate("stored", length: length) { Blend.span($0, length, opaque) }
      rate("blended", length: length) { Blend.span($0, length, half) }
      coverage.withUnsafeBufferPointer { coverage in
        rate("covered", length: length) {
          Blend.span($0, length, opaque, coverage: coverage.baseAddress!)
        }
      }
    }
    let other = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    defer { other.deallocate() }
    let times = (0..<(isQuick ? 3 : 41)).map { _ in
      let start = Platform.processorTime
      for _ in 0..<32 { other.update(from: pixels, count: count) }
      return Double(32 * count) / (Platform.processorTime - start) / 1e6
    }
    add("copied", times, "Mpixel/s")
    let filled = (0..<(isQuick ? 3 : 41)).map { round in
      let start = Platform.processorTime
      for _ in 0..<32 { other.update(repeating: UInt32(round), count: count) }
      return Double(32 * count) / (Platform.processorTime - start) / 1e6
    }
    add("stored, all", filled, "Mpixel/s")
  }
}
