import NeatBase
import NeatCamera
import NeatLayout
import NeatJSON
import NeatStyle
import NeatTile
import Synchronization
import Testing

@testable import NeatMap

/// What is asked for together, and what is taken in beside what.
@Suite("Rounds of loading")
struct LoadingRoundTests {
  private static let style = """
    {"version": 8, "sprite": "http://host/s", "sources": {"v": {"type": "vector", "url": "http://host/v.json"}},
     "layers": [{"id": "f", "type": "fill", "source": "v", "source-layer": "l"}]}
    """

  private static func answer(_ url: String) -> ResourceResult {
    url.hasSuffix("v.json")
      ? .data(Array(#"{"tiles": ["http://host/{z}/{x}/{y}"], "minzoom": 0, "maxzoom": 14}"#.utf8)) : .missing
  }

  private func map() throws -> MapCore {
    MapCore(style: try Style(json: try JSON.parse(Array(Self.style.utf8))), base: "")
  }

  private func draw(_ map: MapCore, _ client: ResourceClient) throws -> Report {
    try map.draw(
      camera: Camera(center: LonLat(0.001, 0.001), zoom: 13), size: ViewSize(width: 16, height: 16),
      client: client, executor: .inline
    ).report
  }

  @Test("All is asked for once, the tiles as soon as it is known which there are")
  func rounds() throws {
    let rounds = Mutex<[[String]]>([])
    let report = try draw(
      try map(),
      ResourceClient { requests in
        rounds.withLock { $0.append(requests.map(\.url)) }
        return requests.map { Self.answer($0.url) }
      })
    let asked = rounds.withLock { $0 }
    #expect(asked.count >= 2)
    #expect(Set(asked[0]) == ["http://host/s.json", "http://host/s.png", "http://host/v.json"])
    #expect(asked[1].allSatisfy { $0.hasPrefix("http://host/13/") } && !asked[1].isEmpty)
    #expect(Set(asked.joined()).count == asked.joined().count, "nothing is asked for twice")
    #expect(report.entries.contains { $0.resource.hasPrefix("http://host/s.") }, "the sprite was taken in")
  }

  @Test("A sprite waits for the tiles' description, and is taken in beside the tiles")
  func sprites() throws {
    let map = try map()
    let besideCounts = Mutex<[Int]>([])
    _ = try draw(
      map,
      ResourceClient(taking: { requests, executor, besides, take in
        besideCounts.withLock { $0.append(besides.count) }
        executor.forEach(besides.count) { besides[$0]() }
        executor.forEach(requests.count) { take($0, Self.answer(requests[$0].url)) }
      }))
    #expect(besideCounts.withLock { Array($0.prefix(2)) } == [0, 2])
  }

  @Test("When the time is over, what has come is taken in all the same")
  func timeIsOver() throws {
    let isOver = Mutex(false)
    let map = try map()
    let report = try draw(
      map,
      ResourceClient(isOver: { isOver.withLock { $0 } }) { requests in
        isOver.withLock { $0 = true }
        return requests.map { Self.answer($0.url) }
      })
    let late = report.entries.filter { $0.code == .timeout }
    #expect(!late.isEmpty && late.allSatisfy { $0.resource.hasPrefix("http://host/13/") })
  }

  @Test("What was cancelled ends the picture")
  func cancelled() throws {
    let client = ResourceClient { requests in
      requests.map { .failed(NeatError(.cancelled, "cancelled", resource: $0.url)) }
    }
    #expect(throws: NeatError.self) { try draw(try map(), client) }
  }
}

@Suite("Layouts that wait for glyphs")
struct LayoutDraftTests {
  @Test("A draft is taken once, for the same tile, layers, part and state")
  func taking() {
    let (tile, other) = (VectorTile(layers: []), VectorTile(layers: []))
    let key = LayoutKey(
      source: "s", id: OverscaledTileID(canonical: TileID(z: 1, x: 0, y: 0)))
    let drafts = LayoutDrafts()
    let areas = [1: TilePart(low: .zero, high: .one)]
    func keep() {
      drafts.begin(generation: 1, sourceGenerations: [:])
      drafts.keep(
        LayoutDraft(tile: tile, layers: [1], areas: areas, parts: LayoutParts(layerCount: 3)), for: key)
    }
    keep()
    #expect(drafts.take(key, tile, [1], in: areas)?.layerCount == 3)
    #expect(drafts.take(key, tile, [1], in: areas)?.layerCount == nil)
    keep()
    #expect(drafts.take(key, other, [1], in: areas)?.layerCount == nil)
    keep()
    #expect(drafts.take(key, tile, nil, in: areas)?.layerCount == nil)
    keep()
    #expect(drafts.take(key, tile, [1], in: [:])?.layerCount == nil)
    keep()
    drafts.begin(generation: 2, sourceGenerations: [:])
    #expect(drafts.take(key, tile, [1], in: areas)?.layerCount == nil)
    keep()
    drafts.begin(generation: 1, sourceGenerations: ["s": 1])
    #expect(drafts.take(key, tile, [1], in: areas)?.layerCount == nil)
  }
}
