import NeatBase
import NeatJSON
import NeatMap
import Testing
@Suite struct Dbg {
  @Test func dbg() throws {
    let name = String(cString: getenv("CASE")!)
    let f = SharedSuites.root! + "/conformance/query/" + name
    var map = try SuiteMap(try JSON.parse(SharedSuites.read(f + "/style.json")!))
    try map.load()
    if let operations = map.test["operations"] { for operation in operations.elements { try map.run(operation) } }
    try map.load()
    let asked = map.test["queryGeometry"]!
    func point(_ json: JSON) -> SIMD2<Double> { SIMD2(json[0]!.number!, json[1]!.number!) * map.size.pixelRatio }
    let area: QueryArea = asked[0]!.isArray ? .box(point(asked[0]!), point(asked[1]!)) : .point(point(asked))
    let out = try JSON.parse(map.core.query(map.transform, area))
    for x in out.elements { print(x["id"]?.text ?? "-", x["geometry"]!.text) }
    for t in map.core.debugTiles(map.transform) { print(">", t) }
    print("expected")
    for x in try JSON.parse(SharedSuites.read(f + "/expected.json")!).elements { print(x["id"]?.text ?? "-", x["geometry"]!.text) }
    print(map.core.problems)
  }
}
