import CNeatline

/// Where a view annotation stands in a frame.
public struct ViewAnnotationPlacement {
  /// Whether it is shown, or why it is not.
  public enum State: UInt32, Hashable, Sendable {
    /// It is.
    case shown = 0
    /// `visible` is false, or it has no width or no height; also before its first frame.
    case off
    /// The feature that it goes with is not seen.
    case featureHidden
    /// It lies beside the view, or where the ground is too far to be drawn.
    case outside
    /// Others that come before it stand there.
    case covered
  }

  /// A rectangle in logical pixels, right of and below the view's upper left corner.
  public struct Frame: Hashable, Sendable {
    /// Its left edge.
    public var x: Double
    /// Its upper edge.
    public var y: Double
    /// Its width.
    public var width: Double
    /// Its height.
    public var height: Double

    /// A rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// The id that it was added with.
  public let id: String
  /// What it was added for.
  public let view: AnyObject
  /// Where it stands, or would if it were not hidden; nil where its place is behind the eye or too far to be drawn.
  public let frame: Frame?
  /// Whether it is shown.
  public let state: State
  /// Whether it is selected.
  public let isSelected: Bool

  /// Whether it is not shown.
  public var isHidden: Bool { state != .shown }

  init(_ id: String, _ view: AnyObject, _ c: neat_view_annotation_placement) {
    (self.id, self.view) = (id, view)
    frame =
      c.x_px.isNaN ? nil : Frame(x: c.x_px, y: c.y_px, width: c.width_px, height: c.height_px)
    state = State(rawValue: c.state.rawValue) ?? .off
    isSelected = c.is_selected != 0
  }
}

/// Hears where view annotations stand.
public protocol ViewAnnotationUpdateObserver: AnyObject {
  /// The rectangles of these, which are shown, are not as they were, or they stand in another order.
  /// `ViewAnnotationManager.placement(for:)` has them.
  func framesDidChange(for annotationViews: [AnyObject])

  /// These came into sight, or went out of it. Comes before `framesDidChange`.
  func visibilityDidChange(for annotationViews: [AnyObject])
}
