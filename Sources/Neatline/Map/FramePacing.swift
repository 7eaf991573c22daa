/// Who says when frames are.
public enum FramePacing: Hashable, Sendable {
  /// The loop, with a timer, while something moves.
  case loop
  /// The host: `Map.beginFrame`.
  case host
}
