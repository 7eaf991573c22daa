import CNeatline
import NeatBase
import NeatPlacement

final class CollisionHandle {
  private var grid: CollisionGrid

  init(width: Float, height: Float) { grid = CollisionGrid(width: width, height: height) }

  /// Inserts unless something that stands is hit.
  func place(_ rect: CollisionRect) -> Bool {
    if grid.hitTest(rect) { return false }
    grid.insert(rect, key: CollisionKey(bucket: 0, feature: UInt32(grid.count)))
    return true
  }

  func placeCircle(x: Float, y: Float, radius: Float) -> Bool {
    if grid.hitTestCircle(x: x, y: y, radius: radius) { return false }
    grid.insertCircle(x: x, y: y, radius: radius, key: CollisionKey(bucket: 0, feature: UInt32(grid.count)))
    return true
  }
}

@c @implementation
public func neat_collision_create(_ width_px: Double, _ height_px: Double, _ out_collision: OutHandle!)
  -> neat_status
{
  produce(out_collision) { () throws(NeatError) in
    guard width_px > 0, height_px > 0, width_px <= 1e6, height_px <= 1e6 else {
      throw NeatError(
        .invalidArgument,
        "a collision index of \(width_px)x\(height_px) pixels: sides must be above 0 and at most 1000000")
    }
    return CollisionHandle(width: Float(width_px), height: Float(height_px))
  }
}

@c @implementation
public func neat_collision_destroy(_ collision: OpaquePointer!) {
  Handle.destroy(collision, CollisionHandle.self)
}

@c @implementation
public func neat_collision_place_box(
  _ collision: OpaquePointer!, _ x0_px: Double, _ y0_px: Double, _ x1_px: Double, _ y1_px: Double,
  _ out_placed: UnsafeMutablePointer<UInt32>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let index: CollisionHandle = Handle.object(try required(collision, "collision"))
    let out = try required(out_placed, "out_placed")
    guard [x0_px, y0_px, x1_px, y1_px].allSatisfy(\.isFinite), x0_px <= x1_px, y0_px <= y1_px else {
      throw NeatError(
        .invalidArgument, "the box \(x0_px), \(y0_px), \(x1_px), \(y1_px) is not ordered and finite")
    }
    out.pointee = index.place(CollisionRect(Float(x0_px), Float(y0_px), Float(x1_px), Float(y1_px))) ? 1 : 0
  }
}

@c @implementation
public func neat_collision_place_circle(
  _ collision: OpaquePointer!, _ x_px: Double, _ y_px: Double, _ radius_px: Double,
  _ out_placed: UnsafeMutablePointer<UInt32>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let index: CollisionHandle = Handle.object(try required(collision, "collision"))
    let out = try required(out_placed, "out_placed")
    guard x_px.isFinite, y_px.isFinite, radius_px.isFinite, radius_px >= 0 else {
      throw NeatError(.invalidArgument, "the circle \(x_px), \(y_px), radius \(radius_px) is not finite")
    }
    out.pointee = index.placeCircle(x: Float(x_px), y: Float(y_px), radius: Float(radius_px)) ? 1 : 0
  }
}
