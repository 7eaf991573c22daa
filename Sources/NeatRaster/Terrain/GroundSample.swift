// What pixels of the ground show of its picture: samples between four texels, by themselves or the mean of up to 16
// along what a block of pixels covers. Places are whole numbers of 1/1024 texel, shares of texels 1/256 as GPUs have
// them; a sample keeps 1/16 of a level, so that sixteen of them have room in 16 bits.
import NeatBase

/// Places of a picture's texels that samples are taken at.
struct GroundSampler {
  /// Of the square's first texel, be it there or not.
  private let pixels: UnsafePointer<UInt32>
  private let stride: Int
  /// The last texels before the outermost ones, and the outermost places.
  private let lastX, lastY: Int32
  private let firstX, firstY, limitX, limitY: Int32

  private static let bits: Int32 = 10
  static let scale: Float = 1024
  /// Farther places, in texels, have no room: 2^22 / `scale`. No picture of the ground is so large.
  static let farthest: Float = 4095
  static let largest = 4000

  init(_ picture: GroundPicture) {
    let (rows, columns) = (picture.rows, picture.columns)
    precondition(min(rows.count, columns.count) >= 2 && picture.edge <= GroundSampler.largest)
    pixels = UnsafePointer(picture.row(0))
    stride = picture.stride
    func place(_ texel: Int) -> Int32 { Int32(truncatingIfNeeded: texel) &<< GroundSampler.bits }
    lastX = Int32(truncatingIfNeeded: columns.upperBound &- 2)
    lastY = Int32(truncatingIfNeeded: rows.upperBound &- 2)
    (firstX, firstY) = (place(columns.lowerBound), place(rows.lowerBound))
    (limitX, limitY) = (place(columns.upperBound &- 1), place(rows.upperBound &- 1))
  }

  /// Texels as places; what is not a number is the first.
  @inline(__always) static func places(_ texels: SIMD4<Float>) -> SIMD4<Int32> {
    let low = texels.replacing(with: -farthest, where: .!(texels .> -farthest))
    return roundedIntegers(low.replacing(with: farthest, where: low .> farthest) * scale)
  }

  /// The mean of samples from a place on, premultiplied, each channel in the low byte of its lane.
  @inline(__always)
  func mean(_ x: Int32, _ y: Int32, stepX: Int32, stepY: Int32, count: Int32) -> SIMD4<UInt32> {
    assert(count >= 1 && count <= 16, "sums would not have room")
    // Steps and places are below 2^22, and steps at most 16.
    var (x, y, left) = (x, y, count)
    var sum = SIMD4<UInt16>.zero
    repeat {
      sum &+= sample(x, y)
      x &+= stepX
      y &+= stepY
      left &-= 1
    } while left > 0
    // A sum of n samples is at most 16 · 255 · n (and n for roundings): with a half of 16 n below 65,536.
    let half = UInt32(bitPattern: count) &* 8
    let wide = SIMD4<UInt32>(truncatingIfNeeded: sum) &+ half
    return (wide &* GroundSampler.inverse(count)) &>> 20
  }

  /// 2^20 over 16 n, rounded up: a product with what is below 65,536 stays below 2^32.
  @inline(__always) private static func inverse(_ count: Int32) -> UInt32 {
    if count == 1 { return 65536 }
    if count == 2 { return 32768 }
    let n = UInt32(bitPattern: count)
    return (65536 &+ n &- 1) / n
  }

  /// 1/16 of a level. Beyond what is there, its outermost texel.
  @inline(__always) private func sample(_ x: Int32, _ y: Int32) -> SIMD4<UInt16> {
    let x = min(max(x, firstX), limitX), y = min(max(y, firstY), limitY)
    let column = min(x &>> GroundSampler.bits, lastX), row = min(y &>> GroundSampler.bits, lastY)
    // 0 to 256: at the outermost place all of the second texel.
    let across = UInt16(truncatingIfNeeded: (x &- column &<< GroundSampler.bits) &>> 2)
    let down = UInt16(truncatingIfNeeded: (y &- row &<< GroundSampler.bits) &>> 2)
    let texel = UnsafeRawPointer(pixels + (Int(row) &* stride &+ Int(column)))
    let above = SIMD8<UInt16>(truncatingIfNeeded: texel.loadUnaligned(as: SIMD8<UInt8>.self))
    let below = SIMD8<UInt16>(
      truncatingIfNeeded: (texel + 4 &* stride).loadUnaligned(as: SIMD8<UInt8>.self))
    // What is between two bytes times 256 is below 65,281, whatever the differences wrap to.
    let column2 = ((above &<< 8) &+ (below &- above) &* down &+ 128) &>> 8
    let (left, right) = (column2.lowHalf, column2.highHalf)
    return ((left &<< 8) &+ (right &- left) &* across &+ 8) &>> 4
  }
}
