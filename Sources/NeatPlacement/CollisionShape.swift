import NeatBase

/// What placement looked at, for pictures that show it: the box of a text or an icon, or a circle of a label along a
/// line.
package struct CollisionShape: Sendable, Equatable {
  package enum Kind: Sendable {
    case textBox, iconBox, circle
  }

  package let kind: Kind
  /// As in `PlacementBucket.bucketID`.
  package let bucket: UInt32
  /// On the screen, in pixels: of a circle the square around it.
  package let rect: CollisionRect
  /// Whether what it belongs to stands; of circles, whether none of the label's meets another shape.
  package let isPlaced: Bool
  /// Another version of the text or icon is the one that counts, or no place was found to show.
  package let isUnused: Bool

  init(_ kind: Kind, _ bucket: UInt32, grid: CollisionRect, isPlaced: Bool, isUnused: Bool = false) {
    let p = CollisionIndex.padding
    (self.kind, self.bucket, self.isPlaced, self.isUnused) = (kind, bucket, isPlaced, isUnused)
    rect = CollisionRect(grid.x1 - p, grid.y1 - p, grid.x2 - p, grid.y2 - p)
  }
}

extension Placement {
  /// What became of a symbol, as shapes show it.
  struct Outcome {
    let text: TextOutcome
    let icon: PlacedBox?
    let circles: PlacedCircles?
    let state: SymbolState
  }

  /// Notes the shapes of a symbol, where they are asked for.
  func note(_ symbol: SymbolInstance, _ run: LayerRun, _ outcome: Outcome) {
    guard shapes != nil, isShown(run.bucket.tile.matrix, run.bucket.tile.matrix.clip(widen(symbol.anchor)))
    else { return }
    let bucket = run.bucket.bucketID
    let text = outcome.text
    let standsHorizontal = text.isPlaced && !text.isVertical
    if symbol.textBox >= 0, let box = text.box ?? middleBox(symbol, run) {
      let isVariable = symbol.anchorOffsetEnd > symbol.anchorOffsetStart
      let isUnused =
        (isVariable && text.anchorOffset < 0) || (symbol.verticalTextBox >= 0 && standsHorizontal)
      shapes?.append(
        CollisionShape(
          .textBox, bucket, grid: box.rect, isPlaced: outcome.state.text, isUnused: isUnused))
    }
    if let icon = outcome.icon {
      let isUnused = symbol.verticalIconBox >= 0 && standsHorizontal
      shapes?.append(
        CollisionShape(
          .iconBox, bucket, grid: icon.rect, isPlaced: outcome.state.icon, isUnused: isUnused))
    }
    for circle in outcome.circles?.circles ?? [] {
      let square = CollisionRect(
        circle.x - circle.z, circle.y - circle.z, circle.x + circle.z, circle.y + circle.z)
      shapes?.append(
        CollisionShape(.circle, bucket, grid: square, isPlaced: outcome.circles?.isCollided == false))
    }
  }

  /// Whether shapes at an anchor are shown, by its homogeneous coordinates: in front of the camera, and on a globe at
  /// most a tenth of its radius behind the horizon, to which MapLibre's pictures of them reach.
  private func isShown(_ matrix: TileMatrix, _ clip: SIMD4<Double>) -> Bool {
    clip.w > 0 && (matrix.globe == nil || clip.z > -0.1)
  }

  /// The box of a text with variable anchors that found no place: around its anchor.
  private func middleBox(_ symbol: SymbolInstance, _ run: LayerRun) -> PlacedBox? {
    index.place(
      run.bucket.geometry.boxes[Int(symbol.textBox)], anchor: symbol.anchor, frame: run.textFrame,
      mode: .always, group: run.group)
  }
}
