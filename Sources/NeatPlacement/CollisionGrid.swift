// A uniform grid over the screen (25 px cells), after MapLibre's GridIndex. Each cell is a linked list of
// nodes in one flat pool; a node carries its shape's bounds, so that a query touches only the lists of the
// cells it covers and leaves at the first hit. A shape that lies in several cells has a node in each; hit
// tests need no marks for that, only `query` removes duplicates.

import NeatBase

/// What a symbol does when it meets another one.
package enum OverlapMode: UInt8, BitwiseCopyable, Sendable {
  case never = 0, always, cooperative

  /// Whether a new symbol of this mode may cover one of the other mode that stands already.
  @inline(__always) package func allowsOver(_ other: OverlapMode) -> Bool {
    self == .always || (self != .never && other != .never)
  }
}

/// Whose shape it is.
package struct CollisionKey: BitwiseCopyable, Sendable, Equatable {
  package var bucket: UInt32
  package var feature: UInt32
  package var group: UInt16
  package var mode: OverlapMode

  package init(bucket: UInt32, feature: UInt32, group: UInt16 = 0, mode: OverlapMode = .never) {
    self.bucket = bucket
    self.feature = feature
    self.group = group
    self.mode = mode
  }
}

/// A rectangle in pixels, `x1 <= x2` and `y1 <= y2`.
package struct CollisionRect: BitwiseCopyable, Sendable, Equatable {
  package var x1: Float, y1: Float, x2: Float, y2: Float

  package init(_ x1: Float, _ y1: Float, _ x2: Float, _ y2: Float) {
    self.x1 = x1
    self.y1 = y1
    self.x2 = x2
    self.y2 = y2
  }
}

/// Boxes and circles in a plane, asked "is this place free". Flat memory; not for concurrent use while it
/// grows.
package struct CollisionGrid: ~Copyable {
  private struct Node: BitwiseCopyable {
    var bounds: CollisionRect
    var item: Int32
    var next: Int32
    /// Radius of a circle; negative for a box.
    var radius: Float
    var mode: OverlapMode
    var group: UInt16
  }

  package let width: Float
  package let height: Float
  private let columns: Int
  private let rows: Int
  private let scaleX: Float
  private let scaleY: Float
  /// Whether what lies outside of the plane meets nothing. If not, the cells at its edges reach on without end.
  private let isBounded: Bool
  private let heads: UnsafeMutablePointer<Int32>
  private var nodes = GrowingBuffer<Node>(capacity: 1024)
  private var keys = GrowingBuffer<CollisionKey>(capacity: 256)
  /// Shapes in the grid.
  package var count: Int { keys.count }

  /// Most cells along an axis; a larger plane gets larger cells.
  package static let maxCells = 4096

  /// - Parameters: size of the plane and of a cell, in pixels.
  package init(width: Float, height: Float, cellSize: Float = 25, isBounded: Bool = true) {
    func cells(_ size: Float) -> Int {
      size.isFinite
        ? min(CollisionGrid.maxCells, max(1, Int(bounded: (min(size, 1e8) / cellSize).rounded(.up)))) : 1
    }
    self.width = width
    self.height = height
    self.isBounded = isBounded
    columns = cells(width)
    rows = cells(height)
    scaleX = Float(columns) / max(width, 1e-6)
    scaleY = Float(rows) / max(height, 1e-6)
    assert(columns >= 1 && rows >= 1 && columns <= CollisionGrid.maxCells, "a grid has a cell")
    heads = .allocate(capacity: columns * rows)
    heads.initialize(repeating: -1, count: columns * rows)
  }

  deinit { heads.deallocate() }

  package mutating func removeAll() {
    heads.update(repeating: -1, count: columns * rows)
    nodes.removeAll()
    keys.removeAll()
  }

  @inline(__always) private func column(_ x: Float) -> Int { cell(x * scaleX, columns) }
  @inline(__always) private func row(_ y: Float) -> Int { cell(y * scaleY, rows) }
  /// NaN and infinities fall into a border cell.
  @inline(__always) private func cell(_ position: Float, _ count: Int) -> Int {
    position >= Float(count) ? count - 1 : (position > 0 ? Int(bounded: position) : 0)
  }

  package mutating func insert(_ rect: CollisionRect, key: CollisionKey) { add(rect, radius: -1, key: key) }

  package mutating func insertCircle(x: Float, y: Float, radius: Float, key: CollisionKey) {
    add(CollisionRect(x - radius, y - radius, x + radius, y + radius), radius: max(radius, 0), key: key)
  }

  private mutating func add(_ bounds: CollisionRect, radius: Float, key: CollisionKey) {
    assert(count < Int(Int32.max), "more shapes than have a number")
    let c1 = column(bounds.x1), c2 = column(bounds.x2), r1 = row(bounds.y1), r2 = row(bounds.y2)
    var node = Node(
      bounds: bounds, item: Int32(truncatingIfNeeded: count), next: -1, radius: radius, mode: key.mode,
      group: key.group)
    keys.append(key)
    guard c1 <= c2, r1 <= r2 else { return }
    nodes.reserve((c2 - c1 + 1) * (r2 - r1 + 1))
    for r in r1...r2 {
      for c in c1...c2 {
        let head = heads + (r * columns + c)
        node.next = head.pointee
        assert(r * columns + c < columns * rows, "no such cell")
        head.pointee = Int32(truncatingIfNeeded: nodes.count)
        nodes.appendReserved(node)
      }
    }
  }

  @inline(__always) private func isOutside(_ r: CollisionRect) -> Bool {
    isBounded && (r.x2 < 0 || r.x1 > width || r.y2 < 0 || r.y1 > height)
  }

  @inline(__always) private static func blocks(
    _ node: UnsafeMutablePointer<Node>, _ mode: OverlapMode, _ group: Int32
  ) -> Bool {
    (group < 0 || Int32(node.pointee.group) == group) && !mode.allowsOver(node.pointee.mode)
  }

  /// Whether a rectangle meets a shape that it may not cover. A group below 0 meets shapes of every group.
  package func hitTest(_ rect: CollisionRect, mode: OverlapMode = .never, group: Int32 = -1) -> Bool {
    if isOutside(rect) || mode == .always { return false }
    let c1 = column(rect.x1), c2 = column(rect.x2), r1 = row(rect.y1), r2 = row(rect.y2)
    guard c1 <= c2, r1 <= r2 else { return false }
    for r in r1...r2 {
      for c in c1...c2 {
        var index = heads[r * columns + c]
        while index >= 0 {
          let node = nodes.base + Int(index)
          if CollisionGrid.meets(node.pointee.bounds, node.pointee.radius, rect),
            CollisionGrid.blocks(node, mode, group)
          {
            return true
          }
          index = node.pointee.next
        }
      }
    }
    return false
  }

  /// Whether a circle meets a shape that it may not cover.
  package func hitTestCircle(x: Float, y: Float, radius: Float, mode: OverlapMode = .never, group: Int32 = -1)
    -> Bool
  {
    let rect = CollisionRect(x - radius, y - radius, x + radius, y + radius)
    if isOutside(rect) || mode == .always { return false }
    let c1 = column(rect.x1), c2 = column(rect.x2), r1 = row(rect.y1), r2 = row(rect.y2)
    guard c1 <= c2, r1 <= r2 else { return false }
    for r in r1...r2 {
      for c in c1...c2 {
        var index = heads[r * columns + c]
        while index >= 0 {
          let node = nodes.base + Int(index)
          if CollisionGrid.meetsCircle(node.pointee.bounds, node.pointee.radius, x, y, radius),
            CollisionGrid.blocks(node, mode, group)
          {
            return true
          }
          index = node.pointee.next
        }
      }
    }
    return false
  }

  /// The keys of all shapes that a rectangle meets, each once, in the order of insertion.
  /// - Parameter polygon: which they meet too.
  package func query(_ rect: CollisionRect, within polygon: CollisionPolygon? = nil) -> [CollisionKey] {
    if isOutside(rect) { return [] }
    var found = Set<Int32>()
    let c1 = column(rect.x1), c2 = column(rect.x2), r1 = row(rect.y1), r2 = row(rect.y2)
    guard c1 <= c2, r1 <= r2 else { return [] }
    for r in r1...r2 {
      for c in c1...c2 {
        var index = heads[r * columns + c]
        while index >= 0 {
          let node = nodes.base + Int(index)
          if CollisionGrid.meets(node.pointee.bounds, node.pointee.radius, rect),
            polygon?.meets(node.pointee.bounds, node.pointee.radius) ?? true
          {
            found.insert(node.pointee.item)
          }
          index = node.pointee.next
        }
      }
    }
    assert(found.allSatisfy { $0 >= 0 && Int($0) < count }, "a shape that is not in the grid")
    return found.sorted().map { keys[Int($0)] }
  }

  /// Touching counts as meeting for rectangles, as in MapLibre; not for two circles.
  @inline(__always) private static func meets(_ b: CollisionRect, _ radius: Float, _ r: CollisionRect) -> Bool
  {
    guard r.x1 <= b.x2, r.y1 <= b.y2, r.x2 >= b.x1, r.y2 >= b.y1 else { return false }
    return radius < 0 || circleMeetsRect((b.x1 + b.x2) * 0.5, (b.y1 + b.y2) * 0.5, radius, r)
  }

  @inline(__always) private static func meetsCircle(
    _ b: CollisionRect, _ radius: Float, _ x: Float, _ y: Float, _ r: Float
  ) -> Bool {
    if radius < 0 { return circleMeetsRect(x, y, r, b) }
    let dx = (b.x1 + b.x2) * 0.5 - x, dy = (b.y1 + b.y2) * 0.5 - y, both = radius + r
    return both * both > dx * dx + dy * dy
  }

  @inline(__always) private static func circleMeetsRect(
    _ x: Float, _ y: Float, _ radius: Float, _ r: CollisionRect
  ) -> Bool {
    let dx = max(r.x1 - x, 0, x - r.x2), dy = max(r.y1 - y, 0, y - r.y2)
    return dx * dx + dy * dy <= radius * radius
  }
}
