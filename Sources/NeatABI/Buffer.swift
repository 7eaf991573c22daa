import CNeatline
import NeatBase
import NeatJSON

/// Bytes handed to the caller, with a NUL after them. Not written to once they are there.
final class Buffer: Sendable {
  nonisolated(unsafe) let bytes: UnsafeMutablePointer<UInt8>
  let count: Int

  init(_ source: [UInt8]) {
    count = source.count
    bytes = .allocate(capacity: count + 1)
    source.withUnsafeBufferPointer {
      if let base = $0.baseAddress { bytes.update(from: base, count: source.count) }
    }
    bytes[count] = 0
  }

  /// The text of a value.
  convenience init(_ json: JSON) { self.init(Array(json.text.utf8)) }

  /// The memory of an array of plain values.
  init<T: BitwiseCopyable>(values: [T]) {
    count = values.count * MemoryLayout<T>.stride
    let raw = UnsafeMutableRawPointer.allocate(byteCount: count + 1, alignment: 16)
    values.withUnsafeBytes {
      if let base = $0.baseAddress { raw.copyMemory(from: base, byteCount: $0.count) }
    }
    bytes = raw.bindMemory(to: UInt8.self, capacity: count + 1)
    bytes[count] = 0
  }

  /// The memory of a run of values, which becomes this one's.
  init<T: BitwiseCopyable>(taking values: consuming GrowingBuffer<T>) {
    count = values.count * MemoryLayout<T>.stride
    bytes = UnsafeMutableRawPointer(values.take(extra: 1)).bindMemory(to: UInt8.self, capacity: count + 1)
    bytes[count] = 0
  }

  deinit { bytes.deallocate() }
}

public typealias OutHandle = UnsafeMutablePointer<OpaquePointer?>

/// Runs the body and gives its object to the caller; NULL on failure.
/// - Parameter hasEffects: the body does what stays done, so that what it gives is kept though memory was refused
///   meanwhile; else the caller may ask again.
func produce(_ out: OutHandle?, hasEffects: Bool = false, _ body: () throws(NeatError) -> AnyObject)
  -> neat_status
{
  out?.pointee = nil
  return attempt { () throws(NeatError) in
    let out = try required(out, "the out parameter")
    try ProcessMemory.requireHeadroom()
    let refusals = MemoryReserve.refusals
    let object = try body()
    if !hasEffects { try Handle.checkMemory(of: object, since: refusals) }
    out.pointee = Handle.make(object)
  }
}

@c @implementation
public func neat_buffer_data(_ buffer: OpaquePointer!) -> UnsafePointer<UInt8>! {
  buffer.map { UnsafePointer(Handle.object($0, as: Buffer.self).bytes) }
}

@c @implementation
public func neat_buffer_size(_ buffer: OpaquePointer!) -> Int {
  buffer.map { Handle.object($0, as: Buffer.self).count } ?? 0
}

@c @implementation
public func neat_buffer_destroy(_ buffer: OpaquePointer!) { Handle.destroy(buffer, Buffer.self) }
