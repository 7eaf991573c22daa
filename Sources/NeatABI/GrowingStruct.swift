import CNeatline
import NeatBase

/// A structure of the header that may grow at its end. It begins with `struct_size`, by which the library
/// knows what its caller was compiled with: members that the caller does not have are zero, and mean their
/// defaults.
protocol GrowingStruct {
  init()
  static var structName: String { get }
  /// The size that the structure had in the first header of ABI version 2. Never changes within that version.
  static var firstSize: Int { get }
}

extension GrowingStruct {
  /// Larger than any structure of the header will be; a size past it is a `struct_size` that nobody set.
  private static var sizeLimit: Int { 4096 }

  fileprivate static func checkedSize(at pointer: UnsafeRawPointer) throws(NeatError) -> Int {
    let size = Int(pointer.loadUnaligned(as: UInt32.self))
    guard size >= firstSize, size <= sizeLimit else {
      throw NeatError(
        .invalidArgument,
        "struct_size \(size) is not that of \(structName), which is \(MemoryLayout<Self>.size)")
    }
    return size
  }
}

/// The one reader: what the caller gives, whichever header it was compiled with; nil for NULL. Members that
/// this library does not know must be zero.
func received<T: GrowingStruct>(_ given: UnsafePointer<T>?) throws(NeatError) -> T? {
  guard let given else { return nil }
  let bytes = UnsafeRawPointer(given)
  let size = try T.checkedSize(at: bytes)
  for offset in MemoryLayout<T>.size..<max(MemoryLayout<T>.size, size)
  where bytes.load(fromByteOffset: offset, as: UInt8.self) != 0 {
    throw NeatError(
      .unsupported,
      "\(T.structName) of struct_size \(size) has a member at byte \(offset) that this library does not know: its own has \(MemoryLayout<T>.size)"
    )
  }
  var result = T()
  withUnsafeMutableBytes(of: &result) {
    $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: min(size, MemoryLayout<T>.size)))
  }
  return result
}

/// The one writer: a structure of the caller's that a function fills as far as it reaches. Members that this
/// library does not know become zero.
struct Receiver<T: GrowingStruct> {
  private let target: UnsafeMutableRawPointer
  private let size: Int

  init(_ out: UnsafeMutablePointer<T>?, _ name: String) throws(NeatError) {
    target = UnsafeMutableRawPointer(try required(out, name))
    size = try T.checkedSize(at: target)
  }

  /// Writes all but `struct_size`, which stays the caller's.
  func fill(_ value: T) {
    let start = MemoryLayout<UInt32>.size
    let known = min(size, MemoryLayout<T>.size)
    withUnsafeBytes(of: value) {
      (target + start).copyMemory(from: $0.baseAddress! + start, byteCount: known - start)
    }
    if size > known { (target + known).initializeMemory(as: UInt8.self, repeating: 0, count: size - known) }
  }
}

extension neat_camera: GrowingStruct {
  static var structName: String { "neat_camera" }
  static var firstSize: Int { 96 }
}

extension neat_size: GrowingStruct {
  static var structName: String { "neat_size" }
  static var firstSize: Int { 24 }
}

extension neat_picture_options: GrowingStruct {
  static var structName: String { "neat_picture_options" }
  static var firstSize: Int { 48 }
}

extension neat_ornaments: GrowingStruct {
  static var structName: String { "neat_ornaments" }
  static var firstSize: Int { 56 }
}

extension neat_options: GrowingStruct {
  static var structName: String { "neat_options" }
  static var firstSize: Int { 40 }
}

extension neat_pointer: GrowingStruct {
  static var structName: String { "neat_pointer" }
  static var firstSize: Int { 56 }
}

extension neat_wheel: GrowingStruct {
  static var structName: String { "neat_wheel" }
  static var firstSize: Int { 40 }
}

extension neat_line_options: GrowingStruct {
  static var structName: String { "neat_line_options" }
  static var firstSize: Int { 40 }
}

extension neat_frame_command: GrowingStruct {
  static var structName: String { "neat_frame_command" }
  static var firstSize: Int { 416 }
}

extension neat_frame_buffer: GrowingStruct {
  static var structName: String { "neat_frame_buffer" }
  static var firstSize: Int { 40 }
}

extension neat_frame_texture: GrowingStruct {
  static var structName: String { "neat_frame_texture" }
  static var firstSize: Int { 32 }
}

extension neat_frame_info: GrowingStruct {
  static var structName: String { "neat_frame_info" }
  static var firstSize: Int { 48 }
}

extension neat_tile_layer: GrowingStruct {
  static var structName: String { "neat_tile_layer" }
  static var firstSize: Int { 144 }
}

extension neat_tile_layer_info: GrowingStruct {
  static var structName: String { "neat_tile_layer_info" }
  static var firstSize: Int { 56 }
}

extension neat_fit_options: GrowingStruct {
  static var structName: String { "neat_fit_options" }
  static var firstSize: Int { 64 }
}

extension neat_free_camera: GrowingStruct {
  static var structName: String { "neat_free_camera" }
  static var firstSize: Int { 64 }
}

extension neat_camera_change: GrowingStruct {
  static var structName: String { "neat_camera_change" }
  static var firstSize: Int { 112 }
}

extension neat_animation: GrowingStruct {
  static var structName: String { "neat_animation" }
  static var firstSize: Int { 80 }
}

extension neat_animator_info: GrowingStruct {
  static var structName: String { "neat_animator_info" }
  static var firstSize: Int { 32 }
}

extension neat_camera_limits: GrowingStruct {
  static var structName: String { "neat_camera_limits" }
  static var firstSize: Int { 88 }
}

extension neat_camera_course: GrowingStruct {
  static var structName: String { "neat_camera_course" }
  static var firstSize: Int { 88 }
}

extension neat_expression_budget: GrowingStruct {
  static var structName: String { "neat_expression_budget" }
  static var firstSize: Int { 40 }
}
