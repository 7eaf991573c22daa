import NeatBase
import NeatCamera
import NeatRaster

/// The depth of a picture while a layer of the application's is drawn: each band has a worker that keeps what stands in
/// it from one part of the picture to the next. Only for the thread that draws the picture.
package final class CustomScene {
  private let bitmap: Bitmap
  private let rows: Int
  private let hasSmoothEdges: Bool
  /// One a band; none before anything has a depth.
  private(set) var workers: [BandWorker] = []

  init(_ bitmap: Bitmap, rows: Int, hasSmoothEdges: Bool) {
    (self.bitmap, self.rows, self.hasSmoothEdges) = (bitmap, rows, hasSmoothEdges)
  }

  var bandCount: Int { (bitmap.height + rows - 1) / rows }

  func band(_ number: Int) -> Band { bitmap.band(number * rows, (number + 1) * rows) }

  /// From now on depths are kept.
  func keep() {
    guard workers.isEmpty else { return }
    workers = (0..<bandCount).map { number in
      let worker = BandWorker(band(number))
      worker.begin(band(number), hasSmoothEdges: hasSmoothEdges)
      return worker
    }
  }

  func draw(_ solid: SolidTriangles, _ executor: Executor) {
    keep()
    let workers = workers
    executor.forEach(workers.count) { solid.draw(workers[$0].band, workers[$0].depth) }
  }
}

/// Triangles that stand in the scene.
struct SolidTriangles: Sendable {
  /// So many have their rows in common.
  private static let groupSize = 32

  private let vertices: [DepthVertex]
  private let indices: [UInt32]
  /// The rows of each group.
  private let rows: [ClosedRange<Float>]
  /// The globe that hides what stands behind its horizon.
  private let globe: GlobeSurface?

  /// - Parameter globe: the globe that is there, where no terrain has its depth.
  init(_ vertices: [DepthVertex], _ indices: [UInt32], globe: GlobeSurface?) {
    (self.vertices, self.indices) = (vertices, indices)
    self.globe = globe?.isWhole == true ? globe : nil
    let length = 3 * SolidTriangles.groupSize
    rows = stride(from: 0, to: indices.count, by: length).map { first in
      SolidTriangles.rows(vertices, indices[first..<min(first + length, indices.count)])
    }
  }

  /// The rows that triangles can touch; all where one reaches behind the eye.
  private static func rows(_ vertices: [DepthVertex], _ indices: ArraySlice<UInt32>) -> ClosedRange<Float> {
    var (top, bottom) = (Float.infinity, -Float.infinity)
    for index in indices {
      let p = vertices[Int(index)].position
      guard p.w > 1e-4, (p.y / p.w).isFinite else { return -Float.infinity...Float.infinity }
      (top, bottom) = (min(top, p.y / p.w), max(bottom, p.y / p.w))
    }
    return top - 1...bottom + 1
  }

  func draw(_ band: Band, _ layer: DepthLayer) {
    if let globe { layer.add(globe, band) }
    let length = 3 * SolidTriangles.groupSize
    vertices.withUnsafeBufferPointer { vertices in
      indices.withUnsafeBufferPointer { indices in
        for (number, rows) in rows.enumerated()
        where rows.upperBound >= Float(band.y0) && rows.lowerBound <= Float(band.y1) {
          let group = number * length..<min((number + 1) * length, indices.count)
          drawTriangles(
            vertices, indices: UnsafeBufferPointer(rebasing: indices[group]), culled: false, layer: layer)
        }
      }
    }
    layer.composite(band, opacity: 1)
  }
}

extension Transform {
  /// (x·w, y·w, depth, w) in device pixels of a place of the unit square, heights in its units there: on the globe too.
  func solid(_ place: SIMD3<Double>) -> SIMD4<Double> {
    guard let globe else {
      let p = place * worldSize
      return toScreen * SIMD4(p.x, p.y, p.z, 1)
    }
    let square = SIMD2(place.x, place.y)
    let metres = place.z * Mercator.earthCircumference * GlobeSurface.circumference(place.y)
    return globe.solid(GlobeSurface.sphere(square), plane: square, height: metres)
  }
}
