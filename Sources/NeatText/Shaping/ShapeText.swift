import NeatBase

/// Sets a label in lines, or nil where there is nothing to draw.
package func shapeText(
  _ sections: [TextSection], store: GlyphStore, images: (String) -> ImagePosition?, options: ShapingOptions
) -> Shaping? {
  nil
}
