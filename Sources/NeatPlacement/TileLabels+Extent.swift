// Where the labels of tile pictures may lie, and what they may cover there.
import NeatBase

/// What is drawn of a label, in CSS pixels.
package struct LabelInk: Sendable {
  /// Bounds around the anchor of all glyphs that its text may take, where no variable anchor moves it.
  package var text: CollisionRect?
  /// The same for its icon.
  package var icon: CollisionRect?
  /// Pixels from their line that glyphs along one may reach.
  package var onLine: Float = 0
  /// Pixels a 24th of an em.
  package var textScale: Float = 1

  package init() {}
}

extension CollisionRect {
  /// A square around the middle of a circle.
  init(around circle: SIMD3<Float>, _ reach: Float) {
    self.init(circle.x - reach, circle.y - reach, circle.x + reach, circle.y + reach)
  }

  /// How far it reaches from a point, along the axis on which it reaches further.
  func reach(from point: SIMD2<Float>) -> Double {
    Double(max((point - SIMD2(x1, y1)).max(), (SIMD2(x2, y2) - point).max()))
  }

  /// The bounds of both.
  package func joined(_ other: CollisionRect?) -> CollisionRect {
    guard let other else { return self }
    return CollisionRect(min(x1, other.x1), min(y1, other.y1), max(x2, other.x2), max(y2, other.y2))
  }

  /// Whether a point lies within, or on the edge to the left or the top.
  func holds(_ point: SIMD2<Float>) -> Bool {
    point.x >= x1 && point.y >= y1 && point.x < x2 && point.y < y2
  }
}

extension Placement {
  /// Forgets what stands.
  func removeAll() { index.removeAll() }

  /// Where a symbol is anchored on the screen.
  func snapped(_ anchor: SIMD2<Float>, _ run: LayerRun) -> SIMD2<Double> {
    CollisionIndex.snap(view.screen(run.bucket.tile.matrix.clip(widen(anchor)))) + run.bucket.tile.origin
  }

  private func snapped(_ anchor: SIMD2<Float>, _ frame: CollisionIndex.BoxFrame) -> SIMD2<Double> {
    CollisionIndex.snap(view.screen(frame.tile.matrix.clip(widen(anchor) + frame.translation)))
      + frame.tile.origin
  }

  /// The bounds of all places that a symbol's text and icon may take, and the bounds of these with all that is drawn
  /// there; in grid pixels. Nil for one that takes none.
  func extent(_ symbol: SymbolInstance, _ run: LayerRun) -> (places: CollisionRect, all: CollisionRect)? {
    let geometry = run.bucket.geometry
    let ink = run.bucket.ink?(symbol) ?? LabelInk()
    var places: CollisionRect?
    var drawn: CollisionRect?
    /// - Parameters:
    ///   - shift: of the box.
    ///   - moved: the same for what is drawn.
    func add(
      _ number: Int32, _ frame: CollisionIndex.BoxFrame, _ ink: CollisionRect?, shift: SIMD2<Float>?,
      moved: SIMD2<Float>
    ) {
      if let rect = index.rect(geometry.boxes[Int(number)], anchor: symbol.anchor, frame: frame, shift: shift)
      {
        places = rect.joined(places)
      }
      guard let ink else { return }
      let point = SIMD2<Float>(snapped(symbol.anchor, frame)) + (CollisionIndex.padding + moved)
      drawn = CollisionRect(point.x + ink.x1, point.y + ink.y1, point.x + ink.x2, point.y + ink.y2)
        .joined(drawn)
    }
    // Texts are drawn in the size of the frame, their boxes are of the size that they were laid out in.
    let growth = symbol.textBoxScale > 0 ? ink.textScale / symbol.textBoxScale : 1
    for (number, icon) in [
      (symbol.textBox, symbol.iconBox), (symbol.verticalTextBox, symbol.verticalIconBox),
    ] {
      var shifts: [SIMD2<Float>?] = [nil]
      if number >= 0 {
        let box = geometry.boxes[Int(number)]
        let choices = geometry.anchorOffsets[Int(symbol.anchorOffsetStart)..<Int(symbol.anchorOffsetEnd)]
        if !choices.isEmpty {
          shifts = choices.map {
            variableAnchorShift(
              $0, width: box.x2 - box.x1, height: box.y2 - box.y1, textBoxScale: symbol.textBoxScale)
          }
        }
        for shift in shifts {
          add(number, run.textFrame, ink.text, shift: shift, moved: (shift ?? .zero) * growth)
        }
      }
      guard icon >= 0 else { continue }
      // One that is fitted to the text moves with it.
      for shift in run.settings.hasIconTextFit ? shifts + [nil] : [nil] {
        add(icon, run.iconFrame, ink.icon, shift: shift, moved: (shift ?? .zero) * growth)
      }
    }
    let circles = placeCircles(symbol, run, overlap: .always)?.circles ?? []
    for circle in circles { places = CollisionRect(around: circle, circle.z).joined(places) }
    if !circles.isEmpty {
      // The path that they lie on, which is at hand still, has the glyphs.
      let shift = SIMD2<Float>(run.bucket.tile.origin) + CollisionIndex.padding
      for point in index.scratch.path {
        let place = SIMD2<Float>(point) + shift
        drawn = CollisionRect(around: SIMD3(place, 0), ink.onLine).joined(drawn)
      }
    }
    return places.map { ($0, $0.joined(drawn)) }
  }

  /// Whether a label that was placed elsewhere meets nothing here that it may not cover.
  func hasRoom(_ label: PlacedLabel, _ run: LayerRun) -> Bool {
    if let text = label.text, !index.hasRoom(text.rect, mode: run.settings.textOverlap, group: run.group) {
      return false
    }
    if let icon = label.icon, !index.hasRoom(icon.rect, mode: run.settings.iconOverlap, group: run.group) {
      return false
    }
    return !(label.circles?.circles ?? []).contains {
      index.hitTestCircle($0, mode: run.settings.textOverlap, group: run.group)
    }
  }
}
