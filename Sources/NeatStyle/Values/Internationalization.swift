import CInternational
import NeatBase

/// What ICU knows of languages: the one door to it. Without a locale all of it is that of American English,
/// whatever the process' own locale.
enum Internationalization {
  static let defaultLocale = "en_US"
  /// Collators and number formatters kept of each kind.
  static let cacheLimit = 64

  /// The ICU locale of a BCP 47 tag: the nearest one there is data for, with the tag's keywords; nil where
  /// the tag is malformed, the default where no data is near.
  static func locale(ofTag tag: String) -> String? {
    guard let full = text({ icu_locale_of_tag(tag, $0, $1) }), !full.isEmpty else { return nil }
    let keywords = full.firstIndex(of: "@").map { String(full[$0...]) } ?? ""
    var name = String(full.prefix { $0 != "@" })
    while !name.isEmpty {
      if available.contains(name) { return name + keywords }
      guard let parent = text({ icu_parent(name, $0, $1) }) else { break }
      name = parent
    }
    return defaultLocale + keywords
  }

  /// The BCP 47 tag of an ICU locale.
  static func tag(ofLocale locale: String) -> String { text { icu_tag_of_locale(locale, $0, $1) } ?? "en-US" }

  /// Below 0, 0 or above 0, as a language orders texts.
  static func compare(_ a: String, _ b: String, locale: String, strength: Int32, hasCaseLevel: Bool) -> Int {
    let key = "\(locale) \(strength) \(hasCaseLevel)"
    return collators.use(key) {
      icu_collator_open(locale, strength, hasCaseLevel ? 1 : 0)
    } with: { collator in
      var (a, b) = (a, b)
      return a.withUTF8 { a in
        b.withUTF8 { b in
          a.withMemoryRebound(to: CChar.self) { a in
            b.withMemoryRebound(to: CChar.self) { b in
              Int(
                icu_collator_compare(collator, a.baseAddress, Int32(a.count), b.baseAddress, Int32(b.count)))
            }
          }
        }
      }
    } ?? 0
  }

  /// A number as text by an ICU skeleton; nil where the skeleton is wrong.
  static func format(_ value: Double, skeleton: String, locale: String) -> String? {
    formatters.use("\(locale) \(skeleton)") {
      let units = Array(skeleton.utf16)
      return icu_number_format_open(units, Int32(units.count), locale)
    } with: { formatter -> String? in
      var units = [UInt16](repeating: 0, count: 64)
      // A formatter's first uses compile it.
      var length = Fork.heldBack { icu_number_format(formatter, value, &units, Int32(units.count)) }
      if length > units.count {
        units = [UInt16](repeating: 0, count: Int(length))
        length = Fork.heldBack { icu_number_format(formatter, value, &units, length) }
      }
      return length < 0 ? nil : String(decoding: units.prefix(Int(length)), as: UTF16.self)
    } ?? nil
  }

  /// Digits after the point of amounts of a currency.
  static func fractionDigits(currency: String) -> Int {
    let code = Array(currency.uppercased().utf16) + [0]
    return Int(Fork.heldBack { icu_currency_digits(code) })
  }

  private static let available: Set<String> = Fork.heldBack {
    Set((0..<icu_locale_count()).compactMap { icu_locale_at($0).map { String(cString: $0) } })
  }

  private static let collators = HandleCache(close: icu_collator_close)
  private static let formatters = HandleCache(close: icu_number_format_close)

  private static func text(_ fill: (UnsafeMutablePointer<CChar>, Int32) -> Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 160) { buffer in
      let length = Fork.heldBack { fill(buffer.baseAddress!, Int32(buffer.count)) }
      guard length >= 0 else { return nil }
      return String(
        decoding: UnsafeRawBufferPointer(start: buffer.baseAddress, count: Int(length)), as: UTF8.self)
    }
  }
}

/// Objects of ICU by key: dear to make, and safe to be read by many threads once they are made.
private final class HandleCache: Sendable {
  private struct Handle: @unchecked Sendable { let pointer: UnsafeMutableRawPointer }

  private final class Table: Sendable {
    let handles = Locked<[String: Handle]>([:])
  }

  /// A thread that is not there after a fork may have held the lock.
  private let tables = PerProcess(Table())
  private let close: @Sendable (UnsafeMutableRawPointer?) -> Void

  init(close: @escaping @Sendable (UnsafeMutableRawPointer?) -> Void) { self.close = close }

  /// Uses the object, which is made where it is not there yet; nil where it cannot be made. A full cache
  /// makes the object for this use alone.
  func use<T>(_ key: String, make: () -> UnsafeMutableRawPointer?, with body: (UnsafeMutableRawPointer) -> T)
    -> T?
  {
    let table = tables.get { _ in Table() }
    if let kept = table.handles.withLock({ $0[key] }) { return body(kept.pointer) }
    guard let made = Fork.heldBack(make) else { return nil }
    let handle = Handle(pointer: made)
    let (mine, isKept) = table.handles.withLock { handles -> (Handle, Bool) in
      if let other = handles[key] { return (other, true) }
      guard handles.count < Internationalization.cacheLimit else { return (handle, false) }
      handles[key] = handle
      return (handle, true)
    }
    defer { if !isKept || mine.pointer != made { Fork.heldBack { close(made) } } }
    return body(mine.pointer)
  }
}
