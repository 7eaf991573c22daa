import NeatBase
import NeatCamera
import NeatLoop
import NeatRaster
import NeatStyle
import NeatTile
import Testing

@testable import NeatMap

/// Pictures of properties on their way: half way through, a layer looks as if the style had the value half
/// way.
@Suite struct TransitionFrameTests {
  struct Change: Sendable, CustomStringConvertible {
    let type: String
    let name: String
    let from: String
    let half: String
    let to: String
    var rest = "{}"

    var description: String { name }
  }

  private static let red = #""rgb(255, 0, 0)""#, half = #""rgb(128, 0, 0)""#, dark = #""rgb(1, 0, 0)""#

  static let changes: [Change] = [
    Change(type: "background", name: "background-color", from: red, half: half, to: dark),
    Change(type: "background", name: "background-opacity", from: "1", half: "0.625", to: "0.25"),
    Change(type: "fill", name: "fill-color", from: red, half: half, to: dark),
    Change(type: "fill", name: "fill-opacity", from: "0", half: "0.25", to: "0.5"),
    Change(type: "fill", name: "fill-translate", from: "[0, 0]", half: "[10, 4]", to: "[20, 8]"),
    Change(type: "fill", name: "fill-outline-color", from: red, half: half, to: dark),
    Change(type: "line", name: "line-color", from: red, half: half, to: dark),
    Change(type: "line", name: "line-width", from: "4", half: "10", to: "16"),
    Change(type: "line", name: "line-gap-width", from: "4", half: "10", to: "16"),
    Change(type: "line", name: "line-offset", from: "4", half: "10", to: "16"),
    Change(type: "line", name: "line-blur", from: "0", half: "2", to: "4", rest: #"{"line-width": 12}"#),
    Change(type: "line", name: "line-opacity", from: "0.25", half: "0.5", to: "0.75"),
    Change(type: "circle", name: "circle-color", from: red, half: half, to: dark),
    Change(type: "circle", name: "circle-radius", from: "8", half: "16", to: "24"),
    Change(
      type: "circle", name: "circle-stroke-width", from: "0", half: "4", to: "8",
      rest: #"{"circle-stroke-color": "lime"}"#),
    Change(type: "circle", name: "circle-translate", from: "[0, 0]", half: "[10, 4]", to: "[20, 8]"),
    Change(type: "heatmap", name: "heatmap-radius", from: "10", half: "20", to: "30"),
    Change(type: "heatmap", name: "heatmap-opacity", from: "0.25", half: "0.5", to: "0.75"),
    Change(type: "heatmap", name: "heatmap-intensity", from: "0.25", half: "0.5", to: "0.75"),
    Change(
      type: "fill-extrusion", name: "fill-extrusion-height", from: "1000000", half: "2000000", to: "3000000",
      rest: #"{"fill-extrusion-color": "red"}"#),
    Change(type: "fill-extrusion", name: "fill-extrusion-color", from: red, half: half, to: dark),
    Change(type: "symbol", name: "icon-opacity", from: "0.25", half: "0.5", to: "0.75"),
    Change(type: "symbol", name: "icon-translate", from: "[0, 0]", half: "[10, 4]", to: "[20, 8]"),
  ]

  private static func style(_ change: Change, _ value: String) throws -> Style {
    let geometry =
      switch change.type {
      case "fill", "fill-extrusion":
        #"{"type": "Polygon", "coordinates": [[[-12, -10], [12, -10], [12, 10], [-12, 10], [-12, -10]]]}"#
      case "line": #"{"type": "LineString", "coordinates": [[-60, -20], [60, 30]]}"#
      default: #"{"type": "Point", "coordinates": [5, 5]}"#
      }
    let rest = change.rest.dropFirst().dropLast()
    let layout = change.type == "symbol" ? #", "layout": {"icon-image": "i"}"# : ""
    let source = change.type == "background" ? "" : #", "source": "s""#
    return try Style(
      parsing: Array(
        """
        {"version": 8, "transition": {"duration": 100}, "sources": {"s": {"type": "geojson", "data": \(geometry)}},
         "layers": [{"id": "l", "type": "\(change.type)"\(source)\(layout),
                     "paint": {\(rest)\(rest.isEmpty ? "" : ",") "\(change.name)": \(value)}}]}
        """.utf8))
  }

  private static func core(_ change: Change, _ value: String) throws -> MapCore {
    let core = MapCore(style: try style(change, value), base: "")
    #expect(core.problems.isEmpty, "\(core.problems)")
    let pixels = [UInt8](repeating: 255, count: 16 * 16 * 4)
    core.addImage(StyleImage(name: "i", width: 16, height: 16, pixelRatio: 1, isSDF: false, pixels: pixels))
    return core
  }

  /// Pixels that compare as a whole, and do not fill the log where they differ.
  private struct Picture: Equatable, CustomStringConvertible {
    let pixels: [UInt32]
    var description: String { "\(Set(pixels).count) colours, hash \(pixels.hashValue)" }
  }

  private static func picture(_ core: MapCore, _ executor: Executor = .inline) throws -> Picture {
    let bitmap = try core.render(
      camera: Camera(zoom: 1, pitch: 40), size: ViewSize(width: 128, height: 128),
      client: ResourceClient { _ in [] }, executor: executor)
    return Picture(
      pixels: Array(UnsafeBufferPointer(start: bitmap.pixels, count: bitmap.width * bitmap.height)))
  }

  @Test(arguments: changes)
  func halfWayALayerLooksLikeTheValueHalfWay(_ change: Change) throws {
    let core = try Self.core(change, change.from)
    let before = try Self.picture(core)
    _ = core.replaceStyle(try Self.style(change, change.to), isGradual: true)
    #expect(core.advanceTransitions(to: 1000))
    #expect(try Self.picture(core) == before)
    let layouts = core.state.withLock { $0.layouts.generation }
    #expect(core.advanceTransitions(to: 1050))
    let middle = try Self.picture(core)
    #expect(try middle == Self.picture(Self.core(change, change.half)))
    #expect(middle != before)
    #expect(!core.advanceTransitions(to: 1100))
    let end = try Self.picture(core)
    #expect(try end == Self.picture(Self.core(change, change.to)))
    #expect(middle != end)
    #expect(core.state.withLock { $0.layouts.generation } == layouts, "a step lays out nothing")
  }

  @Test(arguments: changes)
  func withoutAClockTheFinalValueIsDrawn(_ change: Change) throws {
    let core = try Self.core(change, change.from)
    _ = try Self.picture(core)
    _ = core.replaceStyle(try Self.style(change, change.to))
    #expect(try Self.picture(core) == Self.picture(Self.core(change, change.to)))
  }

  /// The bucket stays the same object from step to step.
  @Test func stepsKeepTheLayouts() throws {
    let change = try #require(Self.changes.first { $0.name == "circle-radius" })
    let core = try Self.core(change, change.from)
    _ = core.replaceStyle(try Self.style(change, change.to), isGradual: true)
    var buckets: [ObjectIdentifier] = []
    for step in 0..<5 {
      _ = core.advanceTransitions(to: Double(step * 20))
      _ = try Self.picture(core)
      let layout = try #require(
        core.state.withLock { state in
          state.layouts.entries.keys.compactMap { state.layouts.entries[$0]?.layout }.first {
            !$0.buckets.isEmpty
          }
        })
      guard case .circle(let bucket)? = layout.buckets[0] else { throw NeatError(.state, "no circles") }
      buckets.append(ObjectIdentifier(bucket))
      // Held by the map, so that the address is not given to another.
      withExtendedLifetime(bucket) {}
    }
    #expect(Set(buckets).count == 1)
  }

  @Test func transitionsThatEndEarlyAreThereAtOnce() throws {
    let change = Self.changes[0]
    let core = try Self.core(change, change.from)
    _ = core.replaceStyle(try Self.style(change, change.to), isGradual: true)
    _ = core.advanceTransitions(to: 0)
    core.endTransitions()
    #expect(!core.advanceTransitions(to: 10))
    #expect(try Self.picture(core) == Self.picture(Self.core(change, change.to)))
  }

  /// An opacity of a whole layer that is on its way to none: layers without one are made tile by tile, on all threads.
  @Test func threadsSeeWhatIsOnItsWay() throws {
    // Enough features for threads to share them.
    let squares = (0..<900).map { number in
      let (x, y) = (Double(number % 30 * 4 - 60), Double(number / 30 * 4 - 60))
      return """
        {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates":
         [[[\(x), \(y)], [\(x + 3), \(y)], [\(x + 3), \(y + 3)], [\(x), \(y + 3)], [\(x), \(y)]]]}}
        """
    }
    func map(_ paint: String) throws -> MapCore {
      let style = try style(paint)
      #expect(style.issues.isEmpty)
      return MapCore(style: style, base: "")
    }
    func style(_ paint: String) throws -> Style {
      try Style(
        parsing: Array(
          """
          {"version": 8, "transition": {"duration": 100}, "sources": {"s": {"type": "geojson", "data":
             {"type": "FeatureCollection", "features": [\(squares.joined(separator: ","))]}}},
           "layers": [{"id": "a", "type": "fill", "source": "s", "paint": {"fill-color": "lime"}},
                      {"id": "b", "type": "fill", "source": "s", "paint": {"fill-color": "red"\(paint)}}]}
          """.utf8))
    }
    let opacity = #", "fill-layer-opacity": "#
    let pool = WorkerPool(width: 3)
    let core = try map(opacity + "0.2")
    let before = try Self.picture(core, pool.executor)
    _ = core.replaceStyle(try style(""), isGradual: true)
    #expect(core.advanceTransitions(to: 1000))
    #expect(try Self.picture(core, pool.executor) == before)
    #expect(core.advanceTransitions(to: 1050))
    let middle = try Self.picture(core, pool.executor)
    #expect(try middle == Self.picture(try map(opacity + "0.6")))
    #expect(!core.advanceTransitions(to: 1100))
    let end = try Self.picture(core, pool.executor)
    #expect(try end == Self.picture(try map("")))
    #expect(Set([before, middle, end].map(\.pixels)).count == 3)
  }
}
