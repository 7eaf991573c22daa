import CNeatline
import NeatBase

/// Objects behind opaque pointers: each handle owns one reference.
enum Handle {
  static func make(_ object: AnyObject) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  @inline(__always)
  static func object<T: AnyObject>(_ handle: OpaquePointer, as type: T.Type = T.self) -> T {
    Unmanaged<T>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  static func destroy<T: AnyObject>(_ handle: OpaquePointer?, _ type: T.Type) {
    guard let handle else { return }
    Unmanaged<T>.fromOpaque(UnsafeRawPointer(handle)).release()
  }
}

/// What belongs to the process that made it: the loop, its maps, files that are being written. A child of a
/// fork may name it, and no more than that.
protocol ProcessBound: AnyObject {
  /// `ProcessGeneration.current` when it was made.
  var generation: Int { get }
}

extension ProcessBound {
  var isOfThisProcess: Bool { generation == ProcessGeneration.current }

  func checkProcess(_ name: String) throws(NeatError) {
    guard isOfThisProcess else {
      throw NeatError(
        .state, "the \(name) belongs to the process that this one was forked from: make one here")
    }
  }
}

extension Handle {
  /// Destroys what this process made. What a parent made is left as it is: its threads are not here, its
  /// locks and files are the parent's.
  static func destroy<T: ProcessBound>(
    bound handle: OpaquePointer?, _ type: T.Type, _ before: (T) -> Void = { _ in }
  ) {
    guard let handle else { return }
    let object: T = Handle.object(handle)
    guard object.isOfThisProcess else { return }
    before(object)
    destroy(handle, type)
  }
}

extension Handle {
  /// Throws `outOfMemory` where memory was refused while the object was made (`MemoryReserve`). An object that is bound
  /// to its process has begun threads or files, and is kept.
  static func checkMemory(of object: AnyObject, since refusals: Int) throws(NeatError) {
    if object is any ProcessBound { return }
    try MemoryReserve.check(since: refusals)
  }
}

/// The words of the last failure on each thread, kept as C text.
enum LastError {
  /// Nil where the process has as many keys as the system allows: then there are no words.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key) { free($0) } == 0 ? key : nil
  }()

  static func set(_ text: String) {
    guard let key else { return }
    let old = pthread_getspecific(key)
    let new = strdup(text)
    // Without memory for the words there are none, rather than those of an earlier failure.
    if pthread_setspecific(key, new) == 0 { free(old) } else { free(new) }
  }

  static var pointer: UnsafePointer<CChar> {
    guard let key, let text = pthread_getspecific(key) else { return StaticText.empty }
    return UnsafePointer(text.assumingMemoryBound(to: CChar.self))
  }
}

/// C text that lives as long as the program.
enum StaticText {
  nonisolated(unsafe) static let empty = make("")

  static func make(_ text: String) -> UnsafePointer<CChar> { UnsafePointer(strdup(text)) }
}

/// Runs the body of an exported function: errors become a status and the thread's last error.
@inline(__always)
func attempt(_ body: () throws(NeatError) -> Void) -> neat_status {
  do throws(NeatError) {
    try StackRoom.require(StackRoom.ofCall, for: "a call")
    try MemoryReserve.hold()
    try body()
    return NEAT_STATUS_OK
  } catch {
    LastError.set(error.description)
    return neat_status(rawValue: UInt32(error.code.rawValue))
  }
}

/// A pointer that must not be NULL.
func required<T>(_ value: T?, _ name: String) throws(NeatError) -> T {
  guard let value else { throw NeatError(.invalidArgument, "\(name) is NULL") }
  return value
}

/// Bytes of the caller's, copied.
func bytes(_ pointer: UnsafePointer<UInt8>?, _ size: Int, _ name: String) throws(NeatError) -> [UInt8] {
  if size == 0 { return [] }
  guard size > 0, size <= 1 << 47 else {
    throw NeatError(.invalidArgument, "\(name) has the size \(UInt(bitPattern: size))")
  }
  guard let pointer else { throw NeatError(.invalidArgument, "\(name) is NULL and its size is \(size)") }
  try ProcessMemory.require(size, for: "a copy of \(name)")
  return [UInt8](UnsafeBufferPointer(start: pointer, count: size))
}

func bytes(_ pointer: UnsafePointer<CChar>?, _ size: Int, _ name: String) throws(NeatError) -> [UInt8] {
  if size == 0 { return [] }
  guard size > 0, size <= 1 << 47 else {
    throw NeatError(.invalidArgument, "\(name) has the size \(UInt(bitPattern: size))")
  }
  guard let pointer else { throw NeatError(.invalidArgument, "\(name) is NULL and its size is \(size)") }
  try ProcessMemory.require(size, for: "a copy of \(name)")
  return [UInt8](UnsafeRawBufferPointer(start: pointer, count: size))
}

func text(_ pointer: UnsafePointer<CChar>?, _ size: Int, _ name: String) throws(NeatError) -> String {
  String(decoding: try bytes(pointer, size, name), as: UTF8.self)
}
