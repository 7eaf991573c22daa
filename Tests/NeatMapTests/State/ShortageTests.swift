import NeatBase
import NeatCamera
import NeatJSON
import NeatStyle
import Synchronization
import Testing

@testable import NeatMap

/// What a map could not load for want of memory fails the picture, and is asked for again by the next one.
@Suite("Shortage of memory")
struct ShortageTests {
  private static let style = """
    {"version": 8, "sprite": "http://host/s", "sources": {"v": {"type": "vector", "url": "http://host/v.json"},
     "g": {"type": "geojson", "data": "http://host/g.json"}},
     "layers": [{"id": "f", "type": "fill", "source": "v", "source-layer": "l"},
     {"id": "c", "type": "circle", "source": "g"}]}
    """

  private static func answer(_ url: String) -> ResourceResult {
    switch url {
    case _ where url.hasSuffix("v.json"):
      .data(Array(#"{"tiles": ["http://host/{z}/{x}/{y}"], "minzoom": 0, "maxzoom": 14}"#.utf8))
    case _ where url.hasSuffix("g.json"): .data(Array(#"{"type": "Point", "coordinates": [0, 0]}"#.utf8))
    case _ where url.hasSuffix("s.json"): .data(Array("{}".utf8))
    default: .missing
    }
  }

  @Test(
    "Each kind of resource",
    arguments: ["http://host/v.json", "http://host/g.json", "http://host/s.png", "/13/"])
  func resources(starved: String) throws {
    let map = MapCore(style: try Style(json: try JSON.parse(Array(Self.style.utf8))), base: "")
    let isShort = Mutex(true)
    let asked = Mutex<Set<String>>([])
    func draw() throws -> Report {
      try map.draw(
        camera: Camera(center: LonLat(0.001, 0.001), zoom: 13), size: ViewSize(width: 16, height: 16),
        client: ResourceClient { requests in
          asked.withLock { $0.formUnion(requests.map(\.url)) }
          return requests.map { request in
            request.url.contains(starved) && isShort.withLock({ $0 })
              ? .failed(NeatError(.outOfMemory, "no room")) : Self.answer(request.url)
          }
        }, executor: .inline
      ).report
    }
    let first = try draw()
    #expect(first.shortage?.code == .outOfMemory)
    let error = #expect(throws: NeatError.self) { try map.checkShortage(first) }
    #expect(error?.code == .outOfMemory && error?.message == "no room")
    #expect(error?.resource?.contains(starved) == true)

    // As long as nobody forgets it, it is not asked for again.
    asked.withLock { $0 = [] }
    #expect(try draw().shortage != nil)
    #expect(asked.withLock { $0.allSatisfy { !$0.contains(starved) } })

    isShort.withLock { $0 = false }
    #expect(map.forgetShortage())
    #expect(!map.forgetShortage(), "once is enough")
    let second = try draw()
    #expect(second.shortage == nil)
    try map.checkShortage(second)
    #expect(asked.withLock { $0.contains { $0.contains(starved) } })
  }
}
