import NeatBase

/// Times as HTTP has them (RFC 9110, 5.6.7), in whole seconds since 1970.
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// Reads the three forms that servers send: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37
  /// GMT`, `Sun Nov  6 08:49:37 1994`. nil for anything else.
  package static func parse(_ text: String) -> Int64? {
    let words = text.lowercased().split { " ,-".contains($0) }.map(String.init)
    guard words.count >= 5, let clock = words.first(where: { $0.contains(":") }).flatMap(seconds),
      let month = words.compactMap({ word in months.firstIndex { word.hasPrefix($0) && word.count == 3 } })
        .first
    else { return nil }
    let numbers = words.filter { !$0.contains(":") }.compactMap { Int64($0) }
    guard numbers.count == 2, (1...31).contains(numbers[0]), (0...9999).contains(numbers[1]) else {
      return nil
    }
    // Two digits: the century that is nearest.
    let year = numbers[1] >= 100 ? numbers[1] : numbers[1] + (numbers[1] < 70 ? 2000 : 1900)
    return day(year, Int64(month) + 1, numbers[0]) * 86_400 + clock
  }

  /// The first form.
  package static func text(_ time: Int64) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = time >= 0 ? time / 86_400 : (time - 86_399) / 86_400
    let rest = time - day * 86_400
    let (year, month, number) = date(day)
    let name = months[Int(month) - 1]
    let weekday = days[Int(((day % 7) + 7) % 7)]
    let clock = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
    return "\(weekday), \(two(number)) \(name.prefix(1).uppercased())\(name.dropFirst()) \(year) \(clock) GMT"
  }

  private static func seconds(_ clock: String) -> Int64? {
    let parts = clock.split(separator: ":").map { Int64($0) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  // Days of the Gregorian calendar, whose years begin with March here so that the leap day comes last.

  private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let ofEra = year - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let day = day + 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let ofEra = day - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let civil = month < 10 ? month + 3 : month - 9
    return (year + era * 400 + (civil <= 2 ? 1 : 0), civil, ofYear - (153 * month + 2) / 5 + 1)
  }
}
