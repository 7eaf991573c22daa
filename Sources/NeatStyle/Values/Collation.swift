import NeatBase

/// String comparison as `Intl.Collator` does it with the options of a `collator` expression and `usage:
/// "search"`.
extension Collator {
  /// The BCP 47 tag of the language in effect: the nearest to the one asked for that there are rules for,
  /// else American English.
  var resolvedLocale: String {
    Internationalization.tag(
      ofLocale: locale.flatMap(Internationalization.locale(ofTag:)) ?? Internationalization.defaultLocale)
  }

  /// Negative where `a` comes first, 0 where the two are equal at the collator's strength.
  func compare(_ a: String, _ b: String) -> Int {
    let known = locale.flatMap(Internationalization.locale(ofTag:)) ?? Internationalization.defaultLocale
    let searching = known.contains("@") ? known + ";collation=search" : known + "@collation=search"
    return Internationalization.compare(
      a, b, locale: searching, strength: isDiacriticSensitive ? (isCaseSensitive ? 2 : 1) : 0,
      hasCaseLevel: isCaseSensitive && !isDiacriticSensitive)
  }
}
