import CNeatline

/// A finger, or a mouse with a button held down. Times are milliseconds of one clock of the host's own.
public struct PointerEvent: Hashable, Sendable {
  /// What a pointer does.
  public enum Phase: UInt32, Hashable, Sendable {
    case down, move, up
    /// It is lost: another window takes it.
    case cancel
  }

  /// What a pointer is.
  public enum Kind: UInt32, Hashable, Sendable {
    /// A finger: holds still within 8 pixels.
    case touch
    /// A mouse or pen: holds still within 3 pixels.
    case mouse
  }

  /// The buttons of a mouse; of a finger `primary`.
  public enum Button: UInt32, Hashable, Sendable {
    case primary, secondary, middle
  }

  /// Tells pointers apart that are down at once.
  public var id: Int64
  /// What it does.
  public var phase: Phase
  /// Where it is, -100000 to 100000 logical pixels.
  public var location: ScreenPoint
  /// When.
  public var milliseconds: Double
  /// What it is, of `down`.
  public var kind: Kind
  /// Which button, of `down`.
  public var button: Button
  /// Keys that are held, of `down`.
  public var modifiers: KeyModifiers

  /// What a pointer did.
  public init(
    id: Int64 = 0, _ phase: Phase, at location: ScreenPoint, milliseconds: Double, kind: Kind = .touch,
    button: Button = .primary, modifiers: KeyModifiers = []
  ) {
    self.id = id
    self.phase = phase
    self.location = location
    self.milliseconds = milliseconds
    self.kind = kind
    self.button = button
    self.modifiers = modifiers
  }

  var c: neat_pointer {
    var result = neat_pointer()
    result.struct_size = UInt32(MemoryLayout<neat_pointer>.size)
    result.id = id
    result.phase = neat_pointer_phase(rawValue: phase.rawValue)
    (result.x_px, result.y_px, result.time_ms) = (location.x, location.y, milliseconds)
    result.kind = neat_pointer_kind(rawValue: kind.rawValue)
    result.button = neat_pointer_button(rawValue: button.rawValue)
    result.modifiers = modifiers.rawValue
    return result
  }
}

/// A turn of a wheel, or a step on a trackpad.
public struct WheelEvent: Hashable, Sendable {
  /// Where the pointer is.
  public var location: ScreenPoint
  /// How far in pixels, as browsers count (a notch is about 100): below 0 zooms in.
  public var delta: Double
  /// When.
  public var milliseconds: Double
  /// Whether it is a trackpad, which runs out by itself.
  public var isTrackpad: Bool

  /// A turn of a wheel.
  public init(at location: ScreenPoint, delta: Double, milliseconds: Double, isTrackpad: Bool = false) {
    self.location = location
    self.delta = delta
    self.milliseconds = milliseconds
    self.isTrackpad = isTrackpad
  }

  var c: neat_wheel {
    var result = neat_wheel()
    result.struct_size = UInt32(MemoryLayout<neat_wheel>.size)
    result.is_trackpad = isTrackpad ? 1 : 0
    (result.x_px, result.y_px, result.delta_px) = (location.x, location.y, delta)
    result.time_ms = milliseconds
    return result
  }
}

/// Keys that move a map.
public enum MapKey: UInt32, Hashable, Sendable, CaseIterable {
  case plus, minus, left, right, up, down
}

/// Keys that are held with others.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// The bits of the C header's `neat_modifier`.
  public let rawValue: UInt32

  /// The keys of these bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Draws a box with a drag; rotates and pitches with arrows.
  public static let shift = KeyModifiers(rawValue: 1)
  /// Makes the first button the second.
  public static let control = KeyModifiers(rawValue: 2)
  /// Alt, or Option.
  public static let alt = KeyModifiers(rawValue: 4)
  /// Command, or the Windows key.
  public static let meta = KeyModifiers(rawValue: 8)
}
