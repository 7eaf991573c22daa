import Foundation
import Neatline

/// Labels are localised by Foundation's locales: `map.style.localizeLabels(into: Locale.current)`.
extension Locale: LabelLocale {}
