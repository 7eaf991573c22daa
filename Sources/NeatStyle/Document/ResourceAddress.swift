import NeatBase

/// Addresses of what a style names in parts.
package enum ResourceAddress {
  /// A sprite's part: `base@2x.png` and the like. Query strings stay at the end.
  package static func sprite(_ base: String, pixelRatio: Double, suffix: String) -> String {
    let path = base.prefix { $0 != "?" }
    return path + (pixelRatio > 1 ? "@2x" : "") + suffix + base.dropFirst(path.count)
  }

  /// 256 characters of a font stack; `range` is the first one's code divided by 256.
  package static func glyphs(_ template: String, fontStack: String, range: Int) -> String {
    let first = range * 256
    return template.replacing("{fontstack}", by: fontStack).replacing(
      "{range}", by: "\(first)-\(first + 255)")
  }
}
