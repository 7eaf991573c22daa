import NeatBase
import NeatRaster
import Synchronization

/// What drawing takes of an image, each made when it is first asked for and kept as long as the image.
final class CutImage: Sendable {
  private final class Made<Value: Sendable>: Sendable {
    let value: Value
    private let hold: MemoryHold?
    private let free: @Sendable () -> Void

    init(_ value: Value, _ hold: MemoryHold?, free: @escaping @Sendable () -> Void = {}) {
      (self.value, self.hold, self.free) = (value, hold, free)
    }

    deinit { free() }
  }

  private struct Field: @unchecked Sendable {  // immutable once made
    let distances: UnsafeMutablePointer<UInt8>
  }

  private let name: String
  private let part: ImagePart
  private let memory: MemoryBudget?
  /// Addresses of what is made, each with a reference; 0: not made. No lock: frames ask for each icon that they
  /// show, and a lock could have been held at a fork.
  private let madeTexture = Atomic<UInt>(0)
  private let madeField = Atomic<UInt>(0)

  init(_ name: String, _ part: ImagePart, _ memory: MemoryBudget?) {
    (self.name, self.part, self.memory) = (name, part, memory)
  }

  deinit {
    CutImage.release(madeTexture.load(ordering: .acquiring), Texture.self)
    CutImage.release(madeField.load(ordering: .acquiring), Field.self)
  }

  private static func release<Value: Sendable>(_ address: UInt, _: Value.Type) {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
    Unmanaged<Made<Value>>.fromOpaque(pointer).release()
  }

  func texture() throws(NeatError) -> Texture {
    try value(madeTexture) { () throws(NeatError) in
      let hold = try memory?.take(4 * part.width * part.height, for: "image \"\(name)\"")
      let texture = Texture(width: part.width, height: part.height) { texels in
        part.forEachRow { row, pixels in
          UnsafeMutableRawPointer(texels + row * part.width).copyMemory(
            from: pixels.baseAddress!, byteCount: pixels.count)
        }
      }
      return Made(texture, hold)
    }
  }

  func field() throws(NeatError) -> UnsafePointer<UInt8> {
    let field = try value(madeField) { () throws(NeatError) in
      let count = part.width * part.height
      let hold = try memory?.take(count, for: "the distances of image \"\(name)\"")
      let field = Field(distances: .allocate(capacity: count))
      part.forEachRow { row, pixels in
        let out = field.distances + row * part.width
        for column in 0..<part.width { out[column] = pixels[4 * column + 3] }
      }
      return Made(field, hold) { field.distances.deallocate() }
    }
    return UnsafePointer(field.distances)
  }

  /// What is made, by whichever thread is first; another one's is dropped.
  @inline(__always) private func value<Value: Sendable>(
    _ made: borrowing Atomic<UInt>, _ make: () throws(NeatError) -> Made<Value>
  ) throws(NeatError) -> Value {
    var known = made.load(ordering: .acquiring)
    if known == 0 {
      let mine = Unmanaged.passRetained(try make())
      let (isMine, other) = made.compareExchange(
        expected: 0, desired: UInt(bitPattern: mine.toOpaque()), ordering: .acquiringAndReleasing)
      if !isMine { mine.release() }
      known = isMine ? UInt(bitPattern: mine.toOpaque()) : other
    }
    let pointer = UnsafeRawPointer(bitPattern: known)!
    return Unmanaged<Made<Value>>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.value }
  }
}
