/// Threads of the library's own.
package enum OwnThread {
  /// Bytes of their stacks, whatever `ulimit -s` says: room for the deepest documents that are read
  /// (`StackRoom`) and for what callbacks of hosts do there.
  package static let stackSize = 8 << 20

  /// Starts a thread. Returns 0, or the error number of the system that refuses it.
  ///
  /// - Parameter prepare: Sets further attributes.
  package static func start(
    _ thread: inout pthread_t, context: UnsafeMutableRawPointer,
    prepare: (inout pthread_attr_t) -> Void = { _ in },
    _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  ) -> Int32 {
    var attributes = pthread_attr_t()
    let status = pthread_attr_init(&attributes)
    guard status == 0 else { return status }
    defer { assertDone(pthread_attr_destroy(&attributes)) }
    let sized = pthread_attr_setstacksize(&attributes, stackSize)
    guard sized == 0 else { return sized }
    prepare(&attributes)
    return pthread_create(&thread, &attributes, body, context)
  }
}
