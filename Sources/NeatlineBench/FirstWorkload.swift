import Glibc
import Neatline

extension Bench {
  /// 512x512 to PNG with nothing there: the style is read, its data loaded and laid out, the picture drawn.
  /// Each time in a process of its own, since a second map finds memory, code and tables that the first one
  /// made. `--trace` traces the process that starts them, so nothing of the pictures.
  func first(style: String) throws {
    var times: [Double] = []
    var peak = 0
    for _ in 0..<(isQuick ? 3 : 31) {
      let (read, write) = try Platform.pipe()
      defer { close(read) }
      let result = try Platform.run(
        Platform.ownPath, ["--child", "first", "--once", "--style", style, "--data", data], output: write)
      close(write)
      // One line, which the pipe has held meanwhile.
      var line = [UInt8](repeating: 0, count: 4096)
      let count = max(0, Glibc.read(read, &line, line.count))
      let figure = try? JSONValue(parsing: String(decoding: line[..<count], as: UTF8.self))
      guard result.status == 0, let time = figure?["median"]?.number else {
        throw BenchError("no first picture of \(style)")
      }
      times.append(time)
      peak = max(peak, result.peakBytes)
    }
    add(style, times, "ms", peakBytes: peak)
  }

  /// The first picture of this process.
  func firstOnce(style: String) throws {
    let start = Platform.now
    let renderer = try Renderer(styleURL: "\(data)/styles/\(style).json")
    _ = try renderer.draw(width: 512, height: 512).png()
    let time = (Platform.now - start) * 1000
    // The map goes on: to take it down is no part of its first picture.
    withExtendedLifetime(renderer) {}
    add(style, [time], "ms")
  }
}
