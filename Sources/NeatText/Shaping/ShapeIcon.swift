import NeatBase

/// An image at its place beside an anchor, in logical pixels.
package struct PositionedIcon: Sendable {
  package var image: ImagePosition
  package var top: Double
  package var bottom: Double
  package var left: Double
  package var right: Double
  /// Left, top, right, bottom: how far the image reaches beyond its content.
  package var collisionPadding: SIMD4<Double>?
}

package enum IconTextFit: UInt8, Sendable {
  case none, width, height, both
}

/// Places an image by its anchor and `icon-offset` in pixels.
package func shapeIcon(_ image: ImagePosition, offset: SIMD2<Double>, anchor: TextAnchor) -> PositionedIcon {
  let size = image.displaySize
  let left = offset.x - size.x * anchor.horizontalAlign
  let top = offset.y - size.y * anchor.verticalAlign
  return PositionedIcon(image: image, top: top, bottom: top + size.y, left: left, right: left + size.x)
}

/// Stretches an icon around its text (`icon-text-fit`). `padding` is top, right, bottom, left in pixels;
/// `fontScale` is the text size in pixels over 24. The icon's own anchor does not count.
package func fitIconToText(
  _ icon: PositionedIcon, text: Shaping, fit: IconTextFit, padding: SIMD4<Double>, offset: SIMD2<Double>,
  fontScale: Double
) -> PositionedIcon {
  let image = icon.image
  let size = image.displaySize
  var result = PositionedIcon(image: image, top: 0, bottom: 0, left: 0, right: 0)
  if let content = image.content {
    let inLogical = content / image.pixelRatio
    result.collisionPadding = SIMD4(inLogical.x, inLogical.y, size.x - inLogical.z, size.y - inLogical.w)
  }
  let left = text.left * fontScale
  let right = text.right * fontScale
  if fit == .width || fit == .both {
    result.left = offset.x + left - padding.w
    result.right = offset.x + right + padding.y
  } else {
    result.left = offset.x + (left + right - size.x) / 2
    result.right = result.left + size.x
  }
  let top = text.top * fontScale
  let bottom = text.bottom * fontScale
  if fit == .height || fit == .both {
    result.top = offset.y + top - padding.x
    result.bottom = offset.y + bottom + padding.z
  } else {
    result.top = offset.y + (top + bottom - size.y) / 2
    result.bottom = result.top + size.y
  }
  return result
}

/// The box of an icon that has been fitted to its text, after the image's own `textFitWidth` and
/// `textFitHeight`. The image must have content.
package func applyTextFit(_ icon: PositionedIcon) -> (
  left: Double, top: Double, right: Double, bottom: Double
) {
  var left = icon.left
  var top = icon.top
  var width = icon.right - left
  var height = icon.bottom - top
  let content = icon.image.content ?? .zero
  let aspect = (content.z - content.x) / (content.w - content.y)
  let fitWidth = icon.image.textFitWidth ?? .stretchOrShrink
  let fitHeight = icon.image.textFitHeight ?? .stretchOrShrink
  if fitHeight == .proportional {
    if (fitWidth == .stretchOnly && width / height < aspect) || fitWidth == .proportional {
      let wider = (height * aspect).rounded(.up)
      left *= wider / width
      width = wider
    }
  } else if fitWidth == .proportional && fitHeight == .stretchOnly && aspect != 0 && width / height > aspect {
    let higher = (width / aspect).rounded(.up)
    top *= higher / height
    height = higher
  }
  return (left, top, left + width, top + height)
}
