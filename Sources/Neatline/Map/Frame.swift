import CNeatline

/// A view as draw commands in their order, over vertex and index buffers and textures, for a host that draws
/// on its own GPU. Immutable; any thread. `docs/frames.md` has how each kind of command is drawn.
public final class Frame: Sendable {  // immutable once made
  nonisolated(unsafe) let pointer: OpaquePointer

  /// Device pixels.
  public let width: Int
  /// Device pixels.
  public let height: Int
  /// Device pixels per logical pixel.
  public let pixelRatio: Double
  /// Whether nothing that the view needs is still to come.
  public let isComplete: Bool
  /// The number of commands.
  public let commandCount: Int
  /// The number of buffers.
  public let bufferCount: Int
  /// The number of textures.
  public let textureCount: Int

  init(adopting pointer: OpaquePointer) {
    self.pointer = pointer
    var info = neat_frame_info()
    info.struct_size = UInt32(MemoryLayout<neat_frame_info>.size)
    precondition(neat_frame_describe(pointer, &info) == NEAT_STATUS_OK, "not a frame")
    width = Int(info.width_px)
    height = Int(info.height_px)
    pixelRatio = info.pixel_ratio
    isComplete = info.is_complete != 0
    commandCount = info.command_count
    bufferCount = info.buffer_count
    textureCount = info.texture_count
  }

  deinit { neat_frame_destroy(pointer) }

  /// A command by its number; they are numbered in drawing order.
  public func command(_ index: Int) -> Command {
    var result = neat_frame_command()
    result.struct_size = UInt32(MemoryLayout<neat_frame_command>.size)
    precondition(
      neat_frame_command_at(pointer, index, &result) == NEAT_STATUS_OK,
      "command \(index) of a frame with \(commandCount)")
    return Command(frame: self, values: result)
  }

  /// The buffer at an index below `bufferCount`.
  public func buffer(_ index: Int) -> Buffer {
    var result = neat_frame_buffer()
    result.struct_size = UInt32(MemoryLayout<neat_frame_buffer>.size)
    precondition(
      neat_frame_buffer_at(pointer, index, &result) == NEAT_STATUS_OK,
      "buffer \(index) of a frame with \(bufferCount)")
    return Buffer(frame: self, values: result)
  }

  /// The texture at an index below `textureCount`.
  public func texture(_ index: Int) -> Texture {
    var result = neat_frame_texture()
    result.struct_size = UInt32(MemoryLayout<neat_frame_texture>.size)
    precondition(
      neat_frame_texture_at(pointer, index, &result) == NEAT_STATUS_OK,
      "texture \(index) of a frame with \(textureCount)")
    return Texture(frame: self, values: result)
  }

  /// The commands in drawing order.
  public var commands: [Command] { (0..<commandCount).map { command($0) } }
  /// All buffers, by index.
  public var buffers: [Buffer] { (0..<bufferCount).map { buffer($0) } }
  /// All textures, by index.
  public var textures: [Texture] { (0..<textureCount).map { texture($0) } }

  /// What the elements of a buffer are.
  public enum Layout: UInt32, Sendable {
    case index16 = 1
    case index32, fill, fillPaint, line, linePaint, circle, circlePaint, extrusion, extrusionPaint, picture,
      symbol, custom
  }

  /// An element of the layout `fill`.
  public typealias FillVertex = neat_frame_fill_vertex
  /// An element of the layout `fillPaint`.
  public typealias FillPaint = neat_frame_fill_paint
  /// An element of the layout `line`.
  public typealias LineVertex = neat_frame_line_vertex
  /// An element of the layout `linePaint`.
  public typealias LinePaint = neat_frame_line_paint
  /// An element of the layout `circle`.
  public typealias CircleVertex = neat_frame_circle_vertex
  /// An element of the layout `circlePaint`.
  public typealias CirclePaint = neat_frame_circle_paint
  /// An element of the layout `extrusion`.
  public typealias ExtrusionVertex = neat_frame_extrusion_vertex
  /// An element of the layout `extrusionPaint`.
  public typealias ExtrusionPaint = neat_frame_extrusion_paint
  /// An element of the layout `picture`.
  public typealias PictureVertex = neat_frame_picture_vertex
  /// An element of the layout `symbol`.
  public typealias SymbolVertex = neat_frame_symbol_vertex

  /// An element of the layout `custom`.
  public typealias CustomVertex = neat_frame_custom_vertex

  /// Vertices, their paint, or indices. Keeps its frame.
  public struct Buffer: Sendable {
    let frame: Frame
    nonisolated(unsafe) let values: neat_frame_buffer

    /// The same number means the same bytes, in other frames too.
    public var id: UInt64 { values.id }
    /// What the elements are.
    public var layout: Layout { Layout(rawValue: values.layout.rawValue) ?? .index16 }
    /// The number of elements.
    public var count: Int { values.count }
    /// Bytes from one element to the next.
    public var stride: Int { Int(values.stride) }

    /// The memory, while the body runs.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      defer { withExtendedLifetime(frame) {} }
      return try body(UnsafeRawBufferPointer(start: values.data, count: values.count * Int(values.stride)))
    }

    /// The elements, which must be of the type that belongs to the layout.
    public func withElements<T: BitwiseCopyable, R>(
      as type: T.Type, _ body: (UnsafeBufferPointer<T>) throws -> R
    ) rethrows -> R {
      precondition(
        MemoryLayout<T>.stride == stride,
        "\(T.self) has \(MemoryLayout<T>.stride) bytes, the buffer's elements \(stride)")
      return try withUnsafeBytes { try body($0.bindMemory(to: T.self)) }
    }

    /// Indices of either width as numbers; empty for other layouts.
    public var indices: [UInt32] {
      switch layout {
      case .index16: withElements(as: UInt16.self) { $0.map(UInt32.init) }
      case .index32: withElements(as: UInt32.self) { Array($0) }
      default: []
      }
    }
  }

  /// A picture for the GPU. Keeps its frame.
  public struct Texture: Sendable {
    /// What a texel is.
    public enum Format: UInt32, Sendable {
      /// Premultiplied.
      case rgba8 = 1
      case r8 = 2
    }

    let frame: Frame
    nonisolated(unsafe) let values: neat_frame_texture

    /// The same number means the same texels, in other frames too.
    public var id: UInt64 { values.id }
    /// What the texels are.
    public var format: Format { Format(rawValue: values.format.rawValue) ?? .rgba8 }
    /// Texels per row.
    public var width: Int { Int(values.width_px) }
    /// The number of rows.
    public var height: Int { Int(values.height_px) }

    /// Rows from the top without padding, while the body runs.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      defer { withExtendedLifetime(frame) {} }
      return try body(
        UnsafeRawBufferPointer(start: values.pixels, count: width * height * (format == .rgba8 ? 4 : 1)))
    }
  }
}

extension Renderer {
  /// The frame of a view, for a host that draws it on its own GPU. Waits as `draw` does.
  public func frame(
    camera: Camera? = nil, width: Int, height: Int, pixelRatio: Double = 1, deadline: Int = 0
  ) throws(NeatlineError) -> Frame {
    var view = Camera.c(camera)
    var size = PictureSize(width, height, pixelRatio: pixelRatio).c
    let deadline = try unsigned(deadline, "deadline")
    return Frame(adopting: try handle { neat_renderer_frame(pointer, &view, &size, deadline, $0) })
  }
}

extension Map {
  /// The frame of the view, of what is there now, for a host that draws it on its own GPU.
  public func frame() throws(NeatlineError) -> Frame {
    Frame(adopting: try handle { neat_map_frame(pointer, $0) })
  }
}
