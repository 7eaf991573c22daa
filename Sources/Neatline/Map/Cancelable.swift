/// Something that can be ended before its time: the listener of an event, a download.
public protocol Cancelable: AnyObject {
  /// Ends it; nothing is called any more. May be called again, and from within what it ends. Of a map's
  /// listener, on the thread of the map.
  func cancel()
}
