import NeatBase

/// How a fit leaves room.
package struct FitOptions: Sendable, Hashable {
  /// Logical pixels kept free beside the camera's own padding.
  package var padding = EdgeInsets()
  /// Where the middle goes, in logical pixels from the middle of the free room: east and south on the ground,
  /// as MapLibre GL JS has it (right and down where north is up).
  package var offset = SIMD2(0.0, 0.0)
  package var maxZoom = Camera.fitZoomLimit
  /// What the map is laid onto.
  package var projection = MapProjection.mercator

  package init() {}

  /// The same on another projection.
  package func on(_ projection: MapProjection) -> FitOptions {
    var options = self
    options.projection = projection
    return options
  }

  func checked() throws(NeatError) -> FitOptions {
    for side in [padding.top, padding.left, padding.bottom, padding.right]
    where !CameraRange.padding.contains(side) {
      throw NeatError(.invalidArgument, "fit: padding \(side) is not within \(CameraRange.padding)")
    }
    for part in [offset.x, offset.y] where !(abs(part) <= CameraRange.padding.upperBound) {
      throw NeatError(.invalidArgument, "fit: offset \(part) is not within 65536 pixels")
    }
    guard CameraRange.zoom.contains(maxZoom) else {
      throw NeatError(.invalidArgument, "fit: zoom \(maxZoom) is not within \(CameraRange.zoom)")
    }
    return self
  }
}

extension Camera {
  /// The deepest zoom that a fit gives where nobody says: what a box without width and height is shown at.
  package static let fitZoomLimit = 22.0

  /// This view moved so that it shows a box of degrees as large as it fits between the paddings, at its
  /// bearing, pitch and roll. `west` greater than `east` crosses the 180th meridian. Latitudes are held within
  /// those of the Mercator map. Throws `invalidArgument` for numbers that make no box and for paddings that
  /// leave no room.
  package func fitting(_ box: ViewBounds, size: ViewSize, options: FitOptions = FitOptions())
    throws(NeatError) -> Camera
  {
    try box.checkAsBox()
    let width = box.east - box.west + (box.east < box.west ? 360 : 0)
    // On a globe its sides are curves, and what is widest may lie between them.
    let parts = options.projection == .globe ? Camera.boxParts : 1
    var places: [LonLat] = []
    for row in 0...parts {
      for column in 0...parts {
        let part = SIMD2(Double(column), Double(row)) / Double(parts)
        places.append(LonLat(box.west + width * part.x, box.south + (box.north - box.south) * part.y))
      }
    }
    return try fitting(places, size: size, options: options)
  }

  /// Along each side of a box on a globe.
  private static let boxParts = 32

  /// This view moved so that it shows places as large as they fit between the paddings, at its bearing, pitch
  /// and roll: all of them lie within, and some at an edge, unless that is deeper than the zoom may be or less
  /// deep than -2. Longitudes are taken as they come: what crosses the 180th meridian goes on past it. Throws
  /// `invalidArgument` for no places, those that are none, and paddings that leave no room, or room in the sky only.
  ///
  /// Turned like the camera, a place p is seen right of an edge where `p.x - eye.x >= slope * (p.z - eye.z)`.
  /// So two opposite edges give the depth that their furthest places need, and the larger of the two depths
  /// counts; in the other direction the places are put in the middle. The camera's centre is where its line of
  /// sight then meets the ground.
  package func fitting(_ places: [LonLat], size: ViewSize, options: FitOptions = FitOptions())
    throws(NeatError) -> Camera
  {
    let (camera, size, options) = (try checked(), try size.checked(), try options.checked())
    guard !places.isEmpty else { throw NeatError(.invalidArgument, "there are no places to fit") }
    let frame = ViewFrame(camera, size)
    let (low, high) = try camera.room(options, frame)
    // Slopes of the rays through the edges of the room.
    let (first, last) = ((low - frame.middle) / frame.distance, (high - frame.middle) / frame.distance)
    return try camera.seeing(places, frame, size, options, room: { _ in (low, high) }) { points, least in
      var nearest = SIMD2(repeating: Double.infinity), furthest = SIMD2(repeating: -Double.infinity)
      for point in points {
        let across = SIMD2((frame.right * point).sum(), (frame.down * point).sum())
        let depth = -(frame.toEye * point).sum()
        nearest = pointwiseMin(nearest, across - first * depth)
        furthest = pointwiseMax(furthest, across - last * depth)
      }
      let spread = furthest - nearest
      let needed = spread / (last - first)
      // How far the eye is from the origin against the line of sight, and across it: a line in that distance.
      let slope = -(first + last) / 2, start = (nearest + furthest) / 2
      func eye(_ back: Double) -> SIMD3<Double> {
        let across = start + slope * back
        return frame.right * across.x + frame.down * across.y + frame.toEye * back
      }
      let rise = eye(1).z - eye(0).z
      var back = max(needed.x, needed.y)
      if rise > 0, eye(back).z < least { back = (least - eye(0).z) / rise }
      return eye(back)
    }
  }

  /// This view from where the places are seen as a whole.
  /// - Parameters:
  ///   - room: the corners of the room for each place, by its number, in logical pixels of the view.
  ///   - eye: where that is, for the places in a space of any unit in which the ground is at 0 (x east, y south, z up),
  ///     and how high it is at least.
  func seeing(
    _ places: [LonLat], _ frame: ViewFrame, _ size: ViewSize, _ options: FitOptions,
    room: @escaping (Int) -> (low: SIMD2<Double>, high: SIMD2<Double>),
    eye: ([SIMD3<Double>], Double) throws(NeatError) -> SIMD3<Double>
  ) throws(NeatError) -> Camera {
    // From one of them, which keeps the numbers small.
    let origin = Mercator.held(try CameraView.checked(places[0]))
    var points: [SIMD3<Double>] = []
    points.reserveCapacity(places.count)
    for place in places {
      let p = Mercator.held(try CameraView.checked(place)) - origin
      points.append(SIMD3(p.x, p.y, 0))
    }
    // Logical pixels of the world by how high the eye is: from there to the ground along the line of sight it
    // is `frame.distance` pixels.
    let deepest = min(options.maxZoom, CameraRange.zoom.upperBound)
    let least = frame.distance / (TileUnits.pixels * exp2(deepest)) * frame.toEye.z
    let plane = try seen(
      from: eye(points, least), frame, least: least, deepest: deepest, origin: origin)
    guard options.projection == .globe else { return plane }
    return GlobeFit(places: places, frame: frame, size: size, deepest: deepest, room: room)
      .camera(plane, eye: eye)
  }

  /// This view from an eye, in coordinates of the unit square from an origin: its centre is where the line of sight
  /// meets the ground. Throws `invalidArgument` where the eye is not as high as it has to be.
  func seen(
    from: SIMD3<Double>, _ frame: ViewFrame, least: Double, deepest: Double, origin: SIMD2<Double>
  ) throws(NeatError) -> Camera {
    // Where the middle of the room is at the horizon or above, going back does not lift the eye.
    guard from.z >= least * (1 - 1e-9) else {
      throw NeatError(
        .invalidArgument, "between the paddings there is the sky: no camera shows the places there")
    }
    let sight = from.z / frame.toEye.z
    let zoom = log2(frame.distance / sight / TileUnits.pixels)
    let at = SIMD2(from.x, from.y) - SIMD2(frame.toEye.x, frame.toEye.y) * sight + origin
    var result = self
    result.center = Mercator.unproject(at)
    result.center.lon = Angle.wrapped(result.center.lon)
    result.zoom = min(max(zoom, CameraRange.zoom.lowerBound), deepest)
    return result.held()
  }

  /// The corners of the room that a fit may use, in logical pixels of the view.
  func room(_ options: FitOptions, _ frame: ViewFrame) throws(NeatError)
    -> (SIMD2<Double>, SIMD2<Double>)
  {
    let (own, more) = (padding, options.padding)
    let low = SIMD2(own.left + more.left, own.top + more.top)
    let high = frame.size - SIMD2(own.right + more.right, own.bottom + more.bottom)
    guard high.x - low.x >= 1, high.y - low.y >= 1 else {
      throw NeatError(
        .invalidArgument,
        "the padding leaves no room in \(Int(bounded: frame.size.x))x\(Int(bounded: frame.size.y))")
    }
    // Along the ground, as the camera turns it.
    let turn = bearing * .pi / 180
    let (s, c) = (sin(turn), cos(turn))
    let o = options.offset
    let offset = SIMD2(o.x * c + o.y * s, o.y * c - o.x * s)
    return (low + offset, high + offset)
  }
}
