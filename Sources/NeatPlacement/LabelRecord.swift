// What a map remembers of a label from one placement to the next, by its id: whether text and icon stand, how far
// they had come in or gone out by then, and how the text stood. Between placements an opacity follows from the
// record and the time that has passed. After MapLibre's JointOpacityState.
import NeatBase

package struct LabelRecord: Sendable, Equatable {
  /// 0 to 1, as of the placement.
  package var text: Float = 0
  package var icon: Float = 0
  package var standsText = false
  package var standsIcon = false
  /// Of the text that stands, or of the one that stood last.
  package var isVertical = false
  package var anchor: TextAnchor?
  /// Whether a placement has met the label.
  package var isKnown = false

  package init() {}

  /// Opacities a share of the fade duration after the placement.
  @inline(__always) package func text(after share: Float) -> Float {
    LabelRecord.moved(text, standsText, share)
  }
  @inline(__always) package func icon(after share: Float) -> Float {
    LabelRecord.moved(icon, standsIcon, share)
  }

  /// Whether something of it is seen, or will be.
  @inline(__always) package func isSeen(after share: Float) -> Bool {
    standsText || standsIcon || text(after: share) > 0 || icon(after: share) > 0
  }

  /// Whether it still fades.
  @inline(__always) package func isFading(after share: Float) -> Bool {
    text(after: share) != (standsText ? 1 : 0) || icon(after: share) != (standsIcon ? 1 : 0)
  }

  /// Brings the opacities to the time of the next placement, in which nothing stands yet.
  package mutating func lapse(_ share: Float) {
    text = text(after: share)
    icon = icon(after: share)
    (standsText, standsIcon) = (false, false)
  }

  /// Takes over what a placement found. Labels out of sight are there at once, others come in.
  package mutating func take(_ state: SymbolState, anchor: TextAnchor?, showsNew: Bool) {
    (standsText, standsIcon) = (state.text, state.icon)
    if state.text {
      isVertical = state.isVertical
      self.anchor = anchor
    } else if state.icon, text == 0 {
      isVertical = state.isVertical
    }
    if (state.skipFade && (state.text || state.icon)) || (showsNew && !isKnown) { arrive() }
    isKnown = true
  }

  /// Ends the fading.
  package mutating func arrive() {
    text = standsText ? 1 : 0
    icon = standsIcon ? 1 : 0
  }

  @inline(__always) private static func moved(_ opacity: Float, _ stands: Bool, _ share: Float) -> Float {
    stands ? min(1, opacity + share) : max(0, opacity - share)
  }
}

/// The opacities of a moment.
package struct LabelFade: Sendable {
  /// By id.
  package var records: [LabelRecord]
  /// Of the fade duration, since the placement that the records are of; more than 1 when all is over.
  package var share: Float

  package init(records: [LabelRecord], share: Float) {
    assert(share >= 0, "time does not go back")
    (self.records, self.share) = (records, share)
  }

  @inline(__always) package func text(_ id: UInt32) -> Float { records[Int(id)].text(after: share) }
  @inline(__always) package func icon(_ id: UInt32) -> Float { records[Int(id)].icon(after: share) }
}
