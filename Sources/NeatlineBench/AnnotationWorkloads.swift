import Glibc
import Neatline

extension Bench {
  /// 10,000 circles on a map of 1024x768: made, one of them moved, all of them moved. Each as the call takes, and as it
  /// takes until the frame that has it is drawn.
  func annotations() throws {
    let count = isQuick ? 1000 : 10_000
    var options = Options()
    options.threadCount = 2
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 1024, height: 768, options: options)
    try map.setStyle(json: #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#)
    try map.setCamera(Camera(longitude: 11, latitude: 47, zoom: 6))
    loop.run(timeout: 10_000)
    _ = try map.draw()
    let manager = try map.annotations.makeCircleAnnotationManager(id: "bench")
    loop.run(timeout: 10_000)
    let circles = (0..<count).map { number in
      var circle = CircleAnnotation(
        id: "\(number)", centerCoordinate: place(Double(number % 100), Double(number / 100)))
      circle.circleRadius = 3
      circle.circleColor = StyleColor(.red)
      return circle
    }
    let moved = circles.map { circle in
      var copy = circle
      copy.point = Point(
        Coordinate(
          longitude: circle.point.coordinate.longitude + 0.02, latitude: circle.point.coordinate.latitude))
      return copy
    }
    try time("made", map) { _ in
      try manager.setAnnotations(circles)
    } before: {
      try manager.setAnnotations([])
    }
    try manager.setAnnotations(circles)
    loop.run(timeout: 10_000)
    try time("one moved", map) { run in
      var one = circles[(run * 37) % count]
      one.point = Point(place(Double(run % 100) + 0.5, 50))
      try manager.update(one)
    }
    try time("all moved", map) { run in try manager.setAnnotations(run % 2 == 0 ? moved : circles) }
  }

  private func place(_ x: Double, _ y: Double) -> Coordinate {
    Coordinate(longitude: 11 + (x - 50) * 0.2, latitude: 47 + (y - 50) * 0.1)
  }

  private func time(
    _ name: String, _ map: Map, _ body: (Int) throws -> Void, before: () throws -> Void = {}
  ) throws {
    var (calls, frames) = ([Double](), [Double]())
    for run in 0..<(isQuick ? 3 : 15) {
      try before()
      map.loop.run(timeout: 10_000)
      _ = try map.draw()
      let start = Platform.now
      try body(run)
      calls.append((Platform.now - start) * 1000)
      _ = try map.draw()
      frames.append((Platform.now - start) * 1000)
    }
    add(name, calls, "ms")
    add(name + ", drawn", frames, "ms")
  }
}
