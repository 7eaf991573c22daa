// PNG row filters (PNG specification, section 9). Rows come packed (1, 3 or 4 bytes a pixel); each gets its
// filter byte in front.
//
// Flat pictures compress best unfiltered, because the compressor then finds whole repeated colours. Where
// neighbours differ almost everywhere, each row takes the filter with the smallest sum of absolute
// differences, judged on a part of its bytes.

import NeatBase

enum RowFilter: UInt8 {
  case none = 0
  case sub = 1
  case up = 2
  case paeth = 4
}

/// Packed rows of a picture: `rowBytes` bytes each, readable for 16 bytes past the end and before the start.
struct PackedRows {
  let bytes: UnsafeMutablePointer<UInt8>
  let rowBytes: Int
  let height: Int
  let pixelBytes: Int
}

/// Writes some of the rows with one filter for all, or with the best for each row where `adaptive`. `out` takes
/// (rowBytes + 1) × height bytes, those of all rows.
func filterRows(
  _ rows: PackedRows, _ range: Range<Int>, adaptive: Bool, everyByte: Bool,
  into out: UnsafeMutablePointer<UInt8>
) {
  let size = rows.rowBytes
  assert(size >= 1 && rows.height >= 0 && [1, 3, 4].contains(rows.pixelBytes), "a row has a pixel")
  // The row above the first one is all zeros.
  let zeros = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 16)
  zeros.initialize(repeating: 0, count: size + 16)
  defer { zeros.deallocate() }
  for y in range {
    let row = UnsafePointer(rows.bytes + y * size)
    let above = y == 0 ? UnsafePointer(zeros) : row - size
    let target = out + y * (size + 1)
    let filter = adaptive ? bestFilter(row, above, size, rows.pixelBytes, everyByte: everyByte) : .none
    target[0] = filter.rawValue
    applyFilter(filter, row, above, size, rows.pixelBytes, into: target + 1)
  }
}

private func applyFilter(
  _ filter: RowFilter, _ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ size: Int, _ bpp: Int,
  into out: UnsafeMutablePointer<UInt8>
) {
  switch filter {
  case .none: out.update(from: row, count: size)
  case .sub:
    for i in 0..<min(bpp, size) { out[i] = row[i] }
    if size > bpp { for i in bpp..<size { out[i] = row[i] &- row[i &- bpp] } }
  case .up:
    for i in 0..<size { out[i] = row[i] &- above[i] }
  case .paeth:
    for i in 0..<min(bpp, size) { out[i] = row[i] &- above[i] }
    if size > bpp {
      for i in bpp..<size { out[i] = row[i] &- paeth(row[i &- bpp], above[i], above[i &- bpp]) }
    }
  }
}

/// The neighbour (left, above, above left) nearest to left + above - above left.
@inline(__always)
private func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
  let a = Int16(left)
  let b = Int16(above)
  let c = Int16(corner)
  let pa = abs(b &- c)
  let pb = abs(a &- c)
  let pc = abs(a &+ b &- c &- c)
  return pa <= pb && pa <= pc ? left : pb <= pc ? above : corner
}

/// The filter with the least sum of absolute differences over every byte, or over 16 of every 64.
private func bestFilter(
  _ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ size: Int, _ bpp: Int, everyByte: Bool
) -> RowFilter {
  var none = 0
  var sub = 0
  var up = 0
  var corner = 0
  var start = bpp
  while start < size {
    let end = min(start + 16, size)
    for i in start..<end {
      none += Int(Int8(bitPattern: row[i]).magnitude)
      sub += Int(Int8(bitPattern: row[i] &- row[i &- bpp]).magnitude)
      up += Int(Int8(bitPattern: row[i] &- above[i]).magnitude)
      corner += Int(Int8(bitPattern: row[i] &- paeth(row[i &- bpp], above[i], above[i &- bpp])).magnitude)
    }
    start += everyByte ? 16 : 64
  }
  let least = min(none, sub, up, corner)
  if least == corner { return .paeth }
  if least == sub { return .sub }
  return least == up ? .up : .none
}
