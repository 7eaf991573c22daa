/// Text in sections of their own size, font and colour, with images between them.
package struct FormattedText: Hashable, Sendable {
  package enum VerticalAlign: String, Hashable, Sendable { case bottom, center, top }

  package struct Section: Hashable, Sendable {
    /// Empty for an image section.
    package var text: String
    package var image: ResolvedImage?
    /// Times the text size of the layer; nil is 1.
    package var scale: Double?
    /// Font names, joined by commas; nil is that of the layer.
    package var fontStack: String?
    package var textColor: RGBA?
    /// As written; one of `bottom`, `center` and `top`, or (from data) anything else.
    package var verticalAlignName: String?

    package var verticalAlign: VerticalAlign? { verticalAlignName.flatMap(VerticalAlign.init(rawValue:)) }

    package init(
      text: String, image: ResolvedImage? = nil, scale: Double? = nil, fontStack: String? = nil,
      textColor: RGBA? = nil,
      verticalAlignName: String? = nil
    ) {
      self.text = text
      self.image = image
      self.scale = scale
      self.fontStack = fontStack
      self.textColor = textColor
      self.verticalAlignName = verticalAlignName
    }
  }

  package var sections: [Section]

  package init(sections: [Section]) { self.sections = sections }

  package init(_ text: String) { sections = [Section(text: text)] }

  /// The text of all sections.
  package var text: String { sections.count == 1 ? sections[0].text : sections.map(\.text).joined() }

  /// Whether there is nothing to draw.
  package var isEmpty: Bool { sections.allSatisfy { $0.text.isEmpty && ($0.image?.name.isEmpty ?? true) } }
}

/// The name of an image of the style, and whether the style has it (as far as the evaluation knew).
package struct ResolvedImage: Hashable, Sendable {
  package var name: String
  package var isAvailable: Bool

  package init(name: String, isAvailable: Bool = false) {
    self.name = name
    self.isAvailable = isAvailable
  }
}

/// The projection, or the way from one to another: `transition` 0 is `from`, 1 is `to`.
package struct ProjectionDefinition: Hashable, Sendable {
  /// How the value was written, which is how it is printed.
  package enum Form: Hashable, Sendable { case name, list, blend }

  package var from: String
  package var to: String
  package var transition: Double
  package var form: Form

  package init(from: String, to: String, transition: Double, form: Form = .blend) {
    self.from = from
    self.to = to
    self.transition = transition
    self.form = form
  }

  package init(_ name: String) { self.init(from: name, to: name, transition: 1, form: .name) }
}

/// One entry of `text-variable-anchor-offset`: where the label hangs, and how far from there, in ems.
package struct AnchorOffset: Hashable, Sendable {
  package var anchor: String
  package var x: Double
  package var y: Double

  package init(anchor: String, x: Double, y: Double) {
    self.anchor = anchor
    self.x = x
    self.y = y
  }

  /// The anchors there are.
  package static let anchors = [
    "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right",
  ]
}

/// How strings are compared: the options of a `collator` expression.
package struct Collator: Hashable, Sendable {
  package var isCaseSensitive: Bool
  package var isDiacriticSensitive: Bool
  package var locale: String?

  package init(isCaseSensitive: Bool, isDiacriticSensitive: Bool, locale: String?) {
    self.isCaseSensitive = isCaseSensitive
    self.isDiacriticSensitive = isDiacriticSensitive
    self.locale = locale
  }
}
