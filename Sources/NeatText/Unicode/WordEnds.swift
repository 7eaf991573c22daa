import CInternational
import NeatBase

extension Label {
  /// For each item whether a word ends before it that no space ends; empty where the label has no script that is
  /// written so.
  func wordEnds() -> [Bool] {
    guard properties.contains(.dictionary) else { return [] }
    var units: [UInt16] = []
    var places: [Int] = []
    units.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      let scalar = Unicode.Scalar(item.code) ?? "\u{FFFD}"
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        units.append(unit)
        places.append(index)
      }
    }
    var ends = [Bool](repeating: false, count: items.count)
    for offset in WordBreaks.shared.offsets(in: units) where offset > 0 && offset < units.count {
      let index = places[offset]
      // All other breaks are those of the other renderers.
      guard index > 0, places[offset - 1] != index, items[index].properties.contains(.dictionary),
        items[index - 1].properties.contains(.dictionary)
      else { continue }
      ends[index] = true
    }
    return ends
  }
}

/// ICU's line breaking. Opening it takes long, so those that were opened are kept.
private final class WordBreaks: Sendable {
  private static let opened = PerProcess(WordBreaks())
  /// Those of this process: in the child of a fork the lock may be held by a thread that is not there.
  static var shared: WordBreaks { opened.get { _ in WordBreaks() } }
  private static let limit = 16

  /// One thread has it at a time.
  private struct Handle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  private let idle = Locked<[Handle]>([])

  private func open() -> Handle? { Fork.heldBack { icu_line_breaks_open() }.map(Handle.init) }

  func offsets(in units: [UInt16]) -> [Int] {
    guard let handle = idle.withLock({ $0.popLast() }) ?? open() else { return [] }
    // An end before each unit and behind the last.
    let capacity = units.count + 1
    let offsets = [Int32](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = Int(
        Fork.heldBack {
          icu_line_breaks(
            handle.pointer, units, Int32(clamping: units.count), buffer.baseAddress, Int32(clamping: capacity)
          )
        })
    }
    let isKept = idle.withLock { idle in
      guard idle.count < WordBreaks.limit else { return false }
      idle.append(handle)
      return true
    }
    if !isKept { Fork.heldBack { icu_line_breaks_close(handle.pointer) } }
    return offsets.map(Int.init)
  }
}
