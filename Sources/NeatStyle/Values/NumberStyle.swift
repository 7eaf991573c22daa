import NeatBase

/// How `number-format` prints: the rules of English by hand, and of a few languages that differ only in their separators.
/// The seam for full locale data is `Separators.of`.
struct NumberStyle {
  var locale: String?
  var currency: String?
  var unit: String?
  var minimumFractionDigits: Double?
  var maximumFractionDigits: Double?

  struct Fault: Error { var message: String }

  struct Separators {
    var group: String
    var decimal: String

    static func of(_ locale: String?) -> Separators {
      switch locale?.prefix(while: { $0 != "-" && $0 != "_" }) {
      case "de", "es", "it", "nl", "pt", "tr", "id", "da", "el", "ro", "hr", "sl", "vi": Separators(group: ".", decimal: ",")
      case "fr": Separators(group: "\u{202F}", decimal: ",")
      case "ru", "uk", "sv", "fi", "nb", "no", "cs", "sk", "pl", "bg", "hu": Separators(group: "\u{A0}", decimal: ",")
      default: Separators(group: ",", decimal: ".")
      }
    }
  }

  func format(_ value: Double) -> Result<String, Fault> {
    let usual = currency.map { NumberStyle.currencyDigits[$0.uppercased()] ?? 2 }
    var least = usual ?? 0
    var most = usual ?? 3
    if let minimumFractionDigits {
      guard minimumFractionDigits >= 0, minimumFractionDigits <= 100 else {
        return .failure(Fault(message: "minimumFractionDigits value is out of range."))
      }
      least = Int(minimumFractionDigits)
      most = max(most, least)
    }
    if let maximumFractionDigits {
      guard maximumFractionDigits >= 0, maximumFractionDigits <= 100 else {
        return .failure(Fault(message: "maximumFractionDigits value is out of range."))
      }
      most = Int(maximumFractionDigits)
      if minimumFractionDigits == nil { least = min(least, most) }
      guard most >= least else { return .failure(Fault(message: "maximumFractionDigits value is out of range.")) }
    }
    let number = NumberStyle.digits(value.magnitude, least, most, Separators.of(locale))
    let sign = value.sign == .minus && !value.isNaN ? "-" : ""
    if let currency {
      guard currency.utf8.count == 3, currency.utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }) else {
        return .failure(Fault(message: "Invalid currency code : \(currency)"))
      }
      let code = currency.uppercased()
      return .success(sign + (NumberStyle.currencySymbols[code] ?? code + "\u{A0}") + number)
    }
    guard let unit else { return .success(sign + number) }
    guard let suffix = NumberStyle.suffix(unit, isOne: number == "1") else {
      return .failure(Fault(message: "Invalid unit argument for Intl.NumberFormat() '\(unit)'"))
    }
    return .success(sign + number + suffix)
  }

  /// Digits with separators, rounded half up in the decimal that prints the number.
  private static func digits(_ value: Double, _ least: Int, _ most: Int, _ separators: Separators) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return "∞" }
    var (whole, fraction) = decimal(value)
    if fraction.count > most {
      let roundsUp = fraction[most] >= 5
      fraction.removeSubrange(most...)
      if roundsUp { increment(&whole, &fraction) }
    }
    while fraction.count > least, fraction.last == 0 { fraction.removeLast() }
    while fraction.count < least { fraction.append(0) }
    var text = ""
    for (index, digit) in whole.enumerated() {
      if index > 0 && (whole.count - index) % 3 == 0 { text += separators.group }
      text += String(digit)
    }
    if !fraction.isEmpty { text += separators.decimal + fraction.map { String($0) }.joined() }
    return text
  }

  /// The shortest decimal digits of a number, before and after the point.
  private static func decimal(_ value: Double) -> ([UInt8], [UInt8]) {
    let text = Array(value.description.utf8)
    let mark = text.firstIndex { $0 == 0x65 } ?? text.count
    let exponent = mark < text.count ? Int(String(decoding: text[(mark + 1)...], as: UTF8.self)) ?? 0 : 0
    let point = text[..<mark].firstIndex(of: 0x2E) ?? mark
    var digits = text[..<mark].filter { $0 != 0x2E }.map { $0 - 0x30 }
    var place = point + exponent
    if place < 0 {
      digits = Array(repeating: 0, count: -place) + digits
      place = 0
    }
    while digits.count < place { digits.append(0) }
    var whole = Array(digits[..<place].drop { $0 == 0 })
    if whole.isEmpty { whole = [0] }
    var fraction = Array(digits[place...])
    while fraction.last == 0 { fraction.removeLast() }
    return (whole, fraction)
  }

  private static func increment(_ whole: inout [UInt8], _ fraction: inout [UInt8]) {
    for index in fraction.indices.reversed() {
      if fraction[index] < 9 {
        fraction[index] += 1
        return
      }
      fraction[index] = 0
    }
    for index in whole.indices.reversed() {
      if whole[index] < 9 {
        whole[index] += 1
        return
      }
      whole[index] = 0
    }
    whole.insert(1, at: 0)
  }

  private static let currencyDigits: [String: Int] = [
    "BHD": 3, "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "IQD": 0, "ISK": 0, "JOD": 3, "JPY": 0, "KMF": 0, "KRW": 0, "KWD": 3, "LYD": 3,
    "OMR": 3,
    "PYG": 0, "RWF": 0, "TND": 3, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
  ]

  private static let currencySymbols: [String: String] = [
    "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "CNY": "CN¥", "KRW": "₩", "ILS": "₪", "VND": "₫", "BRL": "R$", "CAD": "CA$",
    "AUD": "A$", "MXN": "MX$", "NZD": "NZ$", "HKD": "HK$", "TWD": "NT$", "PHP": "₱", "XCD": "EC$", "XAF": "FCFA\u{A0}",
    "XOF": "F\u{202F}CFA\u{A0}",
    "XPF": "CFPF\u{A0}",
  ]

  private static let unitSuffixes: [String: (String, String)] = [
    "acre": (" ac", " ac"), "bit": (" bit", " bit"), "byte": (" byte", " byte"), "celsius": ("°C", "°C"), "centimeter": (" cm", " cm"),
    "day": (" day", " days"), "degree": (" deg", " deg"), "fahrenheit": ("°F", "°F"), "fluid-ounce": (" fl oz", " fl oz"),
    "foot": (" ft", " ft"),
    "gallon": (" gal", " gal"), "gigabit": (" Gb", " Gb"), "gigabyte": (" GB", " GB"), "gram": (" g", " g"), "hectare": (" ha", " ha"),
    "hour": (" hr", " hr"), "inch": (" in", " in"), "kilobit": (" kb", " kb"), "kilobyte": (" kB", " kB"), "kilogram": (" kg", " kg"),
    "kilometer": (" km", " km"), "liter": (" L", " L"), "megabit": (" Mb", " Mb"), "megabyte": (" MB", " MB"), "meter": (" m", " m"),
    "microsecond": (" μs", " μs"), "mile": (" mi", " mi"), "mile-scandinavian": (" smi", " smi"), "milliliter": (" mL", " mL"),
    "millimeter": (" mm", " mm"), "millisecond": (" ms", " ms"), "minute": (" min", " min"), "month": (" mth", " mths"),
    "nanosecond": (" ns", " ns"), "ounce": (" oz", " oz"), "percent": ("%", "%"), "petabyte": (" PB", " PB"), "pound": (" lb", " lb"),
    "second": (" sec", " sec"), "stone": (" st", " st"), "terabit": (" Tb", " Tb"), "terabyte": (" TB", " TB"), "week": (" wk", " wks"),
    "yard": (" yd", " yd"), "year": (" yr", " yrs"), "mile-per-hour": (" mph", " mph"), "mile-per-gallon": (" mpg", " mpg"),
    "kilometer-per-hour": (" km/h", " km/h"), "meter-per-second": (" m/s", " m/s"),
  ]

  private static func suffix(_ unit: String, isOne: Bool) -> String? {
    if let (one, many) = unitSuffixes[unit] { return isOne ? one : many }
    let parts = Array(unit.utf8)
    let word = Array("-per-".utf8)
    guard parts.count > word.count,
      let at = (0...parts.count - word.count).first(where: { parts[$0..<$0 + word.count].elementsEqual(word) })
    else { return nil }
    guard let above = unitSuffixes[String(decoding: parts[..<at], as: UTF8.self)],
      let below = unitSuffixes[String(decoding: parts[(at + word.count)...], as: UTF8.self)]
    else { return nil }
    let divisor = below.0.utf8.first == 0x20 ? String(below.0.dropFirst()) : below.0
    return (isOne ? above.0 : above.1) + "/" + divisor
  }
}
