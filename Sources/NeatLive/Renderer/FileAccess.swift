import NeatBase
import NeatMap

extension Renderer.Options {
  /// What a style may read of this machine, by where relative addresses in it start.
  func fileAccess(base: String) -> FileAccess {
    if let allowsLocalFiles { return allowsLocalFiles ? .all : .none }
    return Address.isOfServer(base) ? .none : .unlessNamedByServer
  }
}
