import Neatline

extension OrnamentOptions {
  /// What a picture that nobody moves says in its corners: a compass is there to the north too, and the scale
  /// bar stands at the bottom left, above a logo.
  static func picture(
    attribution: Attribution, scaleBar: ScaleBar, hasCompass: Bool, logo: Image? = nil, logoRatio: Double = 1
  ) -> OrnamentOptions {
    var options = OrnamentOptions.hidden
    switch attribution {
    case .none: break
    case .sources: options.attributionButton.visibility = .visible
    case .text(let text):
      options.attributionButton.visibility = .visible
      options.attributionButton.text = text
    }
    options.scaleBar = ScaleBarViewOptions(position: .bottomLeft)
    options.scaleBar.units = scaleBar
    if hasCompass { options.compass.visibility = .visible }
    if let logo {
      options.logo = LogoViewOptions(image: logo)
      options.logo.imagePixelRatio = logoRatio
    }
    return options
  }
}
