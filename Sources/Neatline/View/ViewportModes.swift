import CNeatline

/// Which way up a map's pictures are.
public enum ViewportMode: Hashable, Sendable {
  /// Their first row is the upper one.
  case `default`
  /// Their first row is the lower one: for textures that begin at the bottom. Points, gestures and frames for a GPU
  /// stay as they are.
  case flippedY

  var c: neat_viewport_mode { self == .default ? NEAT_VIEWPORT_MODE_DEFAULT : NEAT_VIEWPORT_MODE_FLIPPED_Y }
}

/// Where north is on the screen at a bearing of 0.
public enum NorthOrientation: UInt32, Hashable, Sendable, CaseIterable {
  /// At the top.
  case upwards = 0
  /// At the right.
  case rightwards = 1
  /// At the bottom.
  case downwards = 2
  /// At the left.
  case leftwards = 3

  var c: neat_orientation { neat_orientation(rawValue: rawValue) }
}

extension Map {
  /// Sets which way up pictures are.
  public func setViewportMode(_ mode: ViewportMode) throws(NeatlineError) {
    try check(neat_map_set_viewport_mode(pointer, mode.c))
  }

  /// Sets where north is at a bearing of 0, for a screen that is turned. The bearing stays what it is, and the map
  /// turns beneath it.
  public func setNorthOrientation(_ orientation: NorthOrientation) throws(NeatlineError) {
    try check(neat_map_set_orientation(pointer, orientation.c))
  }

  /// Sets what of the view is held within the world; the other limits stay.
  public func setConstrainMode(_ mode: ConstrainMode) throws(NeatlineError) {
    var limits = cameraLimits
    limits.mode = mode
    try setCameraLimits(limits)
  }

  func set(_ options: MapOptions) throws(NeatlineError) {
    if options.viewportMode != .default { try setViewportMode(options.viewportMode) }
    if options.orientation != .upwards { try setNorthOrientation(options.orientation) }
    if options.constrainMode != .heightOnly { try setConstrainMode(options.constrainMode) }
  }
}

extension ConstrainMode {
  /// `height`, as version 10 of the mobile SDKs calls it.
  public static var heightOnly: ConstrainMode { .height }
}
