import CNeatline

/// Whether the process has a network: for all maps, renderers and resources.
public final class OfflineSwitch: Sendable {
  /// The one there is.
  public static let shared = OfflineSwitch()

  private init() {}

  /// Where it is false, requests fail with `network` as far as caches cannot answer them, and no socket is
  /// opened. Set again, what waits is asked for at once.
  public var isMapboxStackConnected: Bool {
    get { neat_network_is_connected() != 0 }
    set { neat_network_set_connected(newValue ? 1 : 0) }
  }
}
