import NeatBase

/// How `number-format` prints: the options of `Intl.NumberFormat`, carried out by ICU.
struct NumberStyle {
  /// A BCP 47 tag; nil is American English.
  var locale: String?
  /// Three letters of ISO 4217.
  var currency: String?
  /// A unit that ECMA-402 sanctions, or two of them with "-per-" between.
  var unit: String?
  var minimumFractionDigits: Double?
  var maximumFractionDigits: Double?

  struct Fault: Error { var message: String }

  func format(_ value: Double) -> Result<String, Fault> {
    guard let known = locale.map(Internationalization.locale(ofTag:)) ?? Internationalization.defaultLocale
    else {
      return .failure(Fault(message: "Incorrect locale information provided"))
    }
    var skeleton = "rounding-mode-half-up"
    if let currency {
      guard currency.utf8.count == 3, currency.utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
      else {
        return .failure(Fault(message: "Invalid currency code : \(currency)"))
      }
      skeleton += " currency/\(currency.uppercased())"
    } else if let unit {
      guard NumberStyle.isSanctioned(unit) else {
        return .failure(Fault(message: "Invalid unit argument for Intl.NumberFormat() '\(unit)'"))
      }
      skeleton += " unit/\(unit) unit-width-short"
    }
    let usual = currency.map(Internationalization.fractionDigits(currency:))
    var least = usual ?? 0
    var most = usual ?? 3
    if let minimumFractionDigits {
      guard minimumFractionDigits >= 0, minimumFractionDigits <= 100 else {
        return .failure(Fault(message: "minimumFractionDigits value is out of range."))
      }
      least = Int(bounded: minimumFractionDigits)
      most = max(most, least)
    }
    if let maximumFractionDigits {
      guard maximumFractionDigits >= 0, maximumFractionDigits <= 100 else {
        return .failure(Fault(message: "maximumFractionDigits value is out of range."))
      }
      most = Int(bounded: maximumFractionDigits)
      if minimumFractionDigits == nil { least = min(least, most) }
      guard most >= least else {
        return .failure(Fault(message: "maximumFractionDigits value is out of range."))
      }
    }
    skeleton += " ." + String(repeating: "0", count: least) + String(repeating: "#", count: most - least)
    guard let text = Internationalization.format(value, skeleton: skeleton, locale: known) else {
      return .failure(Fault(message: "The number cannot be printed in locale \(locale ?? "en-US")"))
    }
    return .success(text)
  }

  /// The simple units of ECMA-402, table 2.
  private static let units: Set<String> = [
    "acre", "bit", "byte", "celsius", "centimeter", "day", "degree", "fahrenheit", "fluid-ounce", "foot",
    "gallon", "gigabit", "gigabyte",
    "gram", "hectare", "hour", "inch", "kilobit", "kilobyte", "kilogram", "kilometer", "liter", "megabit",
    "megabyte", "meter",
    "microsecond",
    "mile", "mile-scandinavian", "milliliter", "millimeter", "millisecond", "minute", "month", "nanosecond",
    "ounce", "percent", "petabyte",
    "pound", "second", "stone", "terabit", "terabyte", "week", "yard", "year",
  ]

  private static func isSanctioned(_ unit: String) -> Bool {
    if units.contains(unit) { return true }
    let parts = Array(unit.utf8)
    let word = Array("-per-".utf8)
    guard parts.count > word.count,
      let at = (0...parts.count - word.count).first(where: { parts[$0..<$0 + word.count].elementsEqual(word) }
      )
    else { return false }
    return units.contains(String(decoding: parts[..<at], as: UTF8.self))
      && units.contains(String(decoding: parts[(at + word.count)...], as: UTF8.self))
  }
}
