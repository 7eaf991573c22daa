import Testing

@testable import NeatStyle

@Suite struct InternationalizationTests {
  private func print(
    _ value: Double, _ locale: String?, currency: String? = nil, unit: String? = nil, _ least: Double? = nil,
    _ most: Double? = nil
  )
    -> String?
  {
    let style = NumberStyle(
      locale: locale, currency: currency, unit: unit, minimumFractionDigits: least,
      maximumFractionDigits: most)
    return try? style.format(value).get()
  }

  @Test func numbersFollowTheLocale() {
    #expect(print(1234567.891, nil) == "1,234,567.891")
    #expect(print(1234567.891, "de") == "1.234.567,891")
    #expect(print(1234567.891, "de-CH") == "1’234’567.891")
    #expect(print(1234567.891, "hi") == "12,34,567.891")
    #expect(print(1234.5, "es") == "1234,5")
    #expect(print(12.5, "ar-EG") == "١٢٫٥")
    #expect(print(12.5, "ar-u-nu-latn") == "12.5")
    #expect(print(0.5, "en") == "0.5")
    #expect(print(2.5, nil, 0, 0) == "3")
    #expect(print(-2.5, nil, 0, 0) == "-3")
    #expect(print(.nan, "fr") == "NaN")
  }

  @Test func amountsHaveTheDigitsOfTheirCurrency() {
    #expect(print(1234.5, "de", currency: "EUR") == "1.234,50\u{A0}€")
    #expect(
      print(1234.5, "ja", currency: "JPY") == "¥1,235" || print(1234.5, "ja", currency: "JPY") == "￥1,235")
    #expect(print(1.5, "en", currency: "kwd") == "KWD\u{A0}1.500")
    #expect(print(1.5, "en", currency: "EURO") == nil)
  }

  @Test func unitsAreThoseThatTheStandardSanctions() {
    #expect(print(80, "en", unit: "kilometer-per-hour") == "80 km/h")
    #expect(print(1, "en", unit: "day") == "1 day")
    #expect(print(3, "de", unit: "day")?.hasSuffix("Tg.") == true)
    #expect(print(1, "en", unit: "furlong") == nil)
    #expect(print(1, "en", unit: "-per-") == nil)
  }

  @Test func malformedTagsAreRefusedAndUnknownOnesAreEnglish() {
    #expect(print(1.5, "not a locale") == nil)
    #expect(print(1234.5, "tlh") == "1,234.5")
    #expect(print(1, "en", nil, 101) == nil)
  }

  @Test func collatorsFollowTheLanguage() {
    func compare(
      _ a: String, _ b: String, _ locale: String?, isCaseSensitive: Bool = true,
      isDiacriticSensitive: Bool = true
    ) -> Int {
      Collator(isCaseSensitive: isCaseSensitive, isDiacriticSensitive: isDiacriticSensitive, locale: locale)
        .compare(a, b)
    }
    #expect(compare("ä", "z", "de") < 0)
    #expect(compare("ä", "z", "sv") > 0)
    #expect(compare("ñ", "nz", "es") > 0)
    #expect(compare("ñ", "nz", "en") < 0)
    #expect(compare("e", "é", "en", isDiacriticSensitive: false) == 0)
    #expect(compare("e", "E", "en", isCaseSensitive: false) == 0)
    #expect(compare("e", "E", "en", isDiacriticSensitive: false) != 0)
    #expect(compare("É", "e", "en", isCaseSensitive: false, isDiacriticSensitive: false) == 0)
    #expect(compare("дом", "Дом", "ru", isCaseSensitive: false) == 0)
    #expect(compare("한국", "중국", "ko") > 0)
    #expect(compare("", "", nil) == 0)
  }

  @Test func theLocaleInEffectIsTold() {
    func resolved(_ tag: String?) -> String {
      Collator(isCaseSensitive: true, isDiacriticSensitive: true, locale: tag).resolvedLocale
    }
    #expect(resolved(nil) == "en-US")
    #expect(resolved("de-AT") == "de-AT")
    #expect(resolved("tlh") == "en-US")
    #expect(resolved("de_Bogus tag") == "en-US")
  }
}
