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

  /// 1,000 view annotations on a map of 1024x768 whose camera moves: a frame with them, and without; and what of it is
  /// theirs, with half of them bound to annotations too.
  func viewAnnotations() throws {
    let count = isQuick ? 100 : 1000
    var options = Options()
    options.threadCount = 2
    let map = try Map(loop: try EventLoop(), width: 1024, height: 768, options: options)
    try map.setFramePacing(.host)
    try map.setStyle(json: #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#)
    let circles = try map.annotations.makeCircleAnnotationManager(id: "bench")
    try circles.setAnnotations(
      (0..<count).map { CircleAnnotation(id: "\($0)", centerCoordinate: place(Double($0 % 40) * 2.5, 50)) })
    map.loop.run(timeout: 10_000)
    var time = 0.0
    /// Seconds of a frame that looks elsewhere.
    func frame() throws {
      time += 16
      try map.setCamera(Camera(longitude: 11 + time / 1e5, latitude: 47, zoom: 6, bearing: time / 100))
      try map.beginFrame(milliseconds: time)
      _ = try map.frame()
    }
    func measure(_ name: String) throws {
      // The same way each time.
      time = 0
      for _ in 0..<20 { try frame() }
      let runs = isQuick ? 20 : 300
      let times = try (0..<runs).map { _ in
        let start = Platform.now
        try frame()
        return (Platform.now - start) * 1000
      }
      let blocks = try allocations { for _ in 0..<100 { try frame() } }
      add(name, times, "ms", allocations: blocks.map { $0 / 100 })
    }
    final class View {}
    try measure("a frame without")
    for number in 0..<count {
      let point = Point(place(Double(number % 40) * 2.5, Double(number / 40) * 4))
      try map.viewAnnotations.add(
        View(), id: "\(number)", options: ViewAnnotationOptions(geometry: point, width: 90, height: 30))
    }
    try measure("a frame with them")
    for number in stride(from: 0, to: count, by: 2) {
      guard let view = map.viewAnnotations.view(forId: "\(number)") else { continue }
      try map.viewAnnotations.update(view, options: ViewAnnotationOptions(associatedFeatureId: "\(number)"))
    }
    try measure("a frame with half bound to features")
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
