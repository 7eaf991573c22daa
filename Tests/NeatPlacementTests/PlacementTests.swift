import NeatBase
import NeatPlacement
import Testing

@Suite struct PlacementTests {
  private let view = flatView()
  private let size = FrameSize(kind: .shared, shared: 16)

  private func bucket(_ geometry: SymbolGeometry) -> PlacementBucket {
    PlacementBucket(geometry: geometry, tile: flatTile(view), textSize: size, bucketID: 3)
  }

  @Test func theFirstOfTwoOverlappingLabelsStands() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(100, 100), half: SIMD2(30, 8), in: &geometry)
    boxLabel(at: SIMD2(140, 105), half: SIMD2(30, 8), in: &geometry)
    boxLabel(at: SIMD2(300, 300), half: SIMD2(30, 8), in: &geometry)
    let placement = Placement(view: view)
    let states = placement.place(SymbolPlacementSettings(), [bucket(geometry)])
    #expect(states[0].map(\.text) == [true, false, true])
    #expect(placement.query(CollisionRect(95, 95, 105, 105)) == [CollisionKey(bucket: 3, feature: 0)])
  }

  @Test func labelsThatMayOverlapAllStand() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(100, 100), half: SIMD2(30, 8), in: &geometry)
    boxLabel(at: SIMD2(110, 100), half: SIMD2(30, 8), in: &geometry)
    var settings = SymbolPlacementSettings()
    settings.textOverlap = .always
    #expect(Placement(view: view).place(settings, [bucket(geometry)])[0].map(\.text) == [true, true])
  }

  @Test func ignoredPlacementLeavesTheRoomFree() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(100, 100), half: SIMD2(30, 8), in: &geometry)
    boxLabel(at: SIMD2(110, 100), half: SIMD2(30, 8), in: &geometry)
    var settings = SymbolPlacementSettings()
    settings.textIgnorePlacement = true
    #expect(Placement(view: view).place(settings, [bucket(geometry)])[0].map(\.text) == [true, true])
  }

  @Test func iconAndTextStandTogetherUnlessOneIsOptional() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(100, 100), half: SIMD2(10, 10), in: &geometry)
    boxLabel(at: SIMD2(130, 100), half: SIMD2(25, 10), in: &geometry)
    geometry.instances[1].iconBox = Int32(geometry.boxes.count)
    geometry.instances[1].hasIconQuads = true
    geometry.boxes.append(CollisionRect(-5, -5, 5, 5))
    geometry.instances[1].icon = 0
    var state = Placement(view: view).place(SymbolPlacementSettings(), [bucket(geometry)])[0][1]
    #expect(!state.text && !state.icon)
    var settings = SymbolPlacementSettings()
    settings.textOptional = true
    state = Placement(view: view).place(settings, [bucket(geometry)])[0][1]
    #expect(!state.text && state.icon)
  }

  @Test func aVariableAnchorTakesTheFirstFreePlace() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(140, 100), half: SIMD2(20, 8), in: &geometry)
    boxLabel(at: SIMD2(100, 100), half: SIMD2(20, 8), in: &geometry)
    geometry.anchorOffsets = [
      AnchorChoice(anchor: .left, offset: .zero), AnchorChoice(anchor: .right, offset: .zero),
      AnchorChoice(anchor: .top, offset: .zero),
    ]
    geometry.instances[1].anchorOffsetEnd = 3
    let placement = Placement(view: view)
    let states = placement.place(SymbolPlacementSettings(), [bucket(geometry)])[0]
    #expect(states[1].text && states[1].anchorOffset == 1, "left runs into the first label, right is free")
    // A box that stands at the right anchor ends at the anchor point.
    #expect(placement.query(CollisionRect(60, 92, 61, 93)).count == 1)
    #expect(placement.query(CollisionRect(102, 100, 104, 101)).isEmpty)
  }

  @Test func theAnchorOfTheFrameBeforeIsTriedFirst() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(100, 100), half: SIMD2(20, 8), in: &geometry)
    geometry.anchorOffsets = [
      AnchorChoice(anchor: .left, offset: .zero), AnchorChoice(anchor: .right, offset: .zero),
    ]
    geometry.instances[0].anchorOffsetEnd = 2
    var labels = bucket(geometry)
    labels.ids = [9]
    var records = [LabelRecord](repeating: LabelRecord(), count: 10)
    records[9].anchor = .right
    func anchor() -> Int32 {
      Placement(view: view, records: records, idLimit: 10).place(SymbolPlacementSettings(), [labels])[0][0]
        .anchorOffset
    }
    #expect(anchor() == 0, "one that only stood before")
    records[9].standsText = true
    #expect(anchor() == 1)
    records[9].anchor = .top
    #expect(anchor() == 0, "one that the label does not have")
  }

  @Test func whatWasLookedAtIsKeptWhereItIsAskedFor() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(100, 100), half: SIMD2(20, 8), in: &geometry)
    boxLabel(at: SIMD2(110, 100), half: SIMD2(20, 8), in: &geometry)
    let silent = Placement(view: view)
    _ = silent.place(SymbolPlacementSettings(), [bucket(geometry)])
    #expect(silent.shapes == nil)
    let placement = Placement(view: view, recordsShapes: true)
    let states = placement.place(SymbolPlacementSettings(), [bucket(geometry)])[0]
    #expect(placement.shapes?.map(\.isPlaced) == [true, false])
    #expect(placement.shapes?.allSatisfy { $0.kind == .textBox && !$0.isUnused } == true)
    #expect(placement.shapes?.first?.rect == CollisionRect(80, 92, 120, 108))
    #expect(states.map(\.text) == [true, false])
  }

  @Test func copiesOfALabelShowOnce() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(100, 100), half: SIMD2(20, 8), in: &geometry)
    var other = SymbolGeometry()
    boxLabel(at: SIMD2(300, 300), half: SIMD2(20, 8), in: &other)
    var buckets = [bucket(geometry), bucket(other)]
    for number in 0...1 { buckets[number].ids = [5] }
    let states = Placement(view: view, idLimit: 6).place(SymbolPlacementSettings(), buckets).flatMap { $0 }
    #expect(states.filter(\.text).count == 1 && states.filter(\.isCopy).count == 1)
  }

  @Test func lowerSortKeysComeFirstAcrossTiles() {
    var geometry = SymbolGeometry(), other = SymbolGeometry()
    boxLabel(at: SIMD2(100, 100), half: SIMD2(20, 8), in: &geometry)
    boxLabel(at: SIMD2(105, 100), half: SIMD2(20, 8), in: &other)
    geometry.instances[0].sortKey = 2
    other.instances[0].sortKey = 1
    var settings = SymbolPlacementSettings()
    settings.sortsAcrossTiles = true
    let states = Placement(view: view).place(settings, [bucket(geometry), bucket(other)])
    #expect(!states[0][0].text && states[1][0].text)
  }

  @Test func labelsOutsideOfThePaddedViewAreNotPlaced() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(-50, 100), half: SIMD2(20, 8), in: &geometry)
    boxLabel(at: SIMD2(-150, 100), half: SIMD2(20, 8), in: &geometry)
    let states = Placement(view: view).place(SymbolPlacementSettings(), [bucket(geometry)])[0]
    #expect(states[0].text && states[0].skipFade)
    #expect(!states[1].text)
  }

  @Test func sourcesDoNotCollideWhereTheMapSaysSo() {
    var geometry = SymbolGeometry()
    boxLabel(at: SIMD2(100, 100), half: SIMD2(20, 8), in: &geometry)
    var first = bucket(geometry), second = bucket(geometry)
    first.group = 1
    second.group = 2
    let placement = Placement(view: view, crossSourceCollisions: false)
    #expect(placement.place(SymbolPlacementSettings(), [first])[0][0].text)
    #expect(placement.place(SymbolPlacementSettings(), [second])[0][0].text)
    #expect(!placement.place(SymbolPlacementSettings(), [second])[0][0].text)
  }
}
