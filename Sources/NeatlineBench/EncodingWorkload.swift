import Neatline

extension Bench {
  /// PNG of the 40 cameras of the comparison with MapLibre Native, on one thread and in strips on two, in turn: by the
  /// clock, means of the 40, of each round one. All are drawn before, so that no strip begins while there is drawing.
  func encodings(style: String) throws {
    let renderers = try [1, 2].map { count in
      var options = Options()
      options.threadCount = count
      return try Renderer(styleURL: "\(data)/styles/\(style).json", options: options)
    }
    let cameras = try cameras(around: renderers[0])
    let pictures = try renderers.map { renderer in
      try cameras.map { try renderer.draw(camera: $0, width: 512, height: 512) }
    }
    var times = renderers.map { _ in [Double]() }
    try withExtendedLifetime(renderers) {
      for round in 0..<(isQuick ? 4 : 24) {
        for turn in pictures.indices {
          let place = (turn + round) % pictures.count
          let start = Platform.now
          for picture in pictures[place] { _ = try picture.png() }
          let time = Platform.now - start
          // Every page is there after the first round.
          if round > 0 { times[place].append(time * 1000 / Double(cameras.count)) }
        }
      }
    }
    add("\(style), one thread", times[0], "ms")
    add("\(style), strips on two", times[1], "ms")
    add("\(style), one over two", zip(times[0], times[1]).map { $0 / $1 }, "times")
  }
}
