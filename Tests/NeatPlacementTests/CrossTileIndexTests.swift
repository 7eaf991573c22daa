import NeatBase
import NeatPlacement
import NeatTestSupport
import Testing

@Suite struct CrossTileIndexTests {
  private let parent = OverscaledTileID(canonical: TileID(z: 6, x: 8, y: 8))
  private let child = OverscaledTileID(canonical: TileID(z: 7, x: 16, y: 16))
  private let grandchild = OverscaledTileID(canonical: TileID(z: 8, x: 32, y: 32))
  private var index = CrossTileIndex()

  /// A label in units of the tile.
  private func label(_ key: UInt64, _ x: Float, _ y: Float) -> SymbolInstance {
    var instance = SymbolInstance(anchor: SIMD2(x, y))
    instance.key = key
    return instance
  }

  @Test func aLabelKeepsItsIDInChildAndParent() {
    var index = CrossTileIndex()
    let above = index.add(parent, layer: "a", [label(1, 1000, 1000), label(2, 2000, 2000)])
    #expect(Set(above).count == 2 && !above.contains(0))
    // Twice the place, within two pixels; another text; too far away.
    let below = index.add(
      child, layer: "a",
      [label(1, 2016, 1990), label(2, 4000, 4000), label(3, 2000, 2000), label(1, 2200, 2000)])
    #expect(below[0] == above[0] && below[1] == above[1])
    #expect(!above.contains(below[2]) && !above.contains(below[3]))
    // Two levels apart, also where what lies between has gone.
    index.remove(child, layer: "a")
    #expect(index.add(grandchild, layer: "a", [label(1, 4000, 4000)]) == [above[0]])
    index.remove(parent, layer: "a")
    #expect(
      index.add(parent, layer: "a", [label(1, 1000, 1000)]) == [above[0]], "a child gives it to its parent")
  }

  @Test func layersTilesAndWorldsAreOnTheirOwn() {
    var index = CrossTileIndex()
    var ids = index.add(parent, layer: "a", [label(1, 1000, 1000)])
    ids += index.add(child, layer: "b", [label(1, 2000, 2000)])
    var other = child
    other.wrap = 1
    ids += index.add(other, layer: "a", [label(1, 2000, 2000)])
    ids += index.add(
      OverscaledTileID(canonical: TileID(z: 7, x: 18, y: 16)), layer: "a", [label(1, 2000, 2000)])
    #expect(Set(ids).count == 4)
  }

  @Test func idsAreUniqueWithinATileAndAZoom() {
    var index = CrossTileIndex()
    let above = index.add(parent, layer: "a", [label(1, 1000, 1000)])
    let twins = index.add(
      child, layer: "a", [label(1, 2000, 2000), label(1, 2000, 2000), label(1, 2001, 2001)])
    #expect(Set(twins).count == 3 && twins.contains(above[0]))
    // Another child cannot have it too.
    var next = child
    next.canonical.x += 1
    #expect(index.add(next, layer: "a", [label(1, 0, 2000)])[0] != above[0])
    // A parent finds its children's labels, each once.
    let again = index.add(parent, layer: "a", [label(1, 1000, 1000), label(1, 1000, 1000)])
    #expect(Set(again).count == 2 && Set(again).isSubset(of: Set(twins)))
  }

  @Test func aTileThatIsLaidOutAnewKeepsItsIDs() {
    var index = CrossTileIndex()
    let before = index.add(child, layer: "a", [label(1, 10, 10), label(2, 500, 500), label(3, 900, 900)])
    let after = index.add(child, layer: "a", [label(3, 900, 900), label(1, 12, 12), label(4, 500, 500)])
    #expect(after[0] == before[2] && after[1] == before[0] && !before.contains(after[2]))
    #expect(index.idCount == 3 && index.free == [before[1]])
  }

  @Test func overscaledTilesOfOneTileAreRelated() {
    var index = CrossTileIndex()
    let deep = OverscaledTileID(canonical: TileID(z: 14, x: 9000, y: 5000))
    var deeper = deep
    deeper.overscaledZ = 15
    let ids = index.add(deep, layer: "a", [label(1, 1000, 1000)])
    #expect(index.add(deeper, layer: "a", [label(1, 1000, 1000)]) == ids)
    #expect(index.isHeld(ids[0], besides: deep) && index.isHeld(ids[0], besides: deeper))
    index.remove(deep, layer: "a")
    #expect(!index.isHeld(ids[0], besides: deeper))
  }

  @Test func tilesAndLayersThatGoFreeTheirIDs() {
    var index = CrossTileIndex()
    let above = index.add(parent, layer: "a", [label(1, 1000, 1000), label(2, 0, 0)])
    _ = index.add(child, layer: "a", [label(1, 2000, 2000)])
    index.remove(parent, layer: "a")
    #expect(index.idCount == 1 && index.free == [above[1]])
    index.forgetMade()
    // The free one is given out again, and is told to be new.
    #expect(index.add(grandchild, layer: "b", [label(9, 0, 0)]) == [above[1]] && index.made == [above[1]])
    index.remove(layer: "a")
    index.remove(layer: "b")
    index.remove(parent, layer: "a")
    index.remove(layer: "none")
    #expect(index.idCount == 0)
  }

  @Test func worldsAreCountedAnewWhereTheCameraWentAround() {
    var index = CrossTileIndex()
    let ids = index.add(parent, layer: "a", [label(1, 1000, 1000)])
    index.shiftWraps(by: -1)
    var there = child
    there.wrap = -1
    #expect(index.add(there, layer: "a", [label(1, 2000, 2000)]) == ids)
    #expect(index.add(child, layer: "a", [label(1, 2000, 2000)]) != ids)
  }

  /// The rule of pairs, by looking at all of them.
  @Test func labelsFindEachOtherAsTheRuleSays() {
    var random = SplitMix(seed: 7)
    for _ in 0..<40 {
      var index = CrossTileIndex()
      func labels() -> [SymbolInstance] {
        (0..<60).map { _ in
          label(UInt64(random.next() % 6), Float(random.next() % 128) * 4, Float(random.next() % 128) * 4)
        }
      }
      let above = labels(), below = labels()
      let ids = index.add(parent, layer: "a", above), found = index.add(child, layer: "a", below)
      #expect(Set(found).count == found.count)
      for (id, label) in zip(found, below) {
        guard let place = ids.firstIndex(of: id) else {
          // Nothing that it could have been is left.
          #expect(!zip(ids, above).contains { !found.contains($0) && isNear($1, label) })
          continue
        }
        #expect(isNear(above[place], label))
      }
    }
  }

  private func isNear(_ above: SymbolInstance, _ below: SymbolInstance) -> Bool {
    func cell(_ x: Float, _ unit: Float) -> Float { (x / unit).rounded(.down) }
    return above.key == below.key && abs(cell(above.anchor.x, 32) - cell(below.anchor.x, 64)) <= 1
      && abs(cell(above.anchor.y, 32) - cell(below.anchor.y, 64)) <= 1
  }

  /// Tens of thousands of equal labels: at one place, in a column, everywhere.
  @Test(.timeLimit(.minutes(2))) func equalLabelsInMassesEnd() {
    let count = 20_000
    let places: [(Int) -> SymbolInstance] = [
      { _ in label(1, 100, 100) }, { label(1, 100, Float($0 % 8192)) },
      { label(1, Float($0 % 128) * 64, Float($0 / 128) * 8) },
    ]
    for place in places {
      var index = CrossTileIndex()
      let labels = (0..<count).map(place)
      let above = index.add(parent, layer: "a", labels)
      #expect(Set(index.add(child, layer: "a", labels)).count == count)
      // The tile itself, laid out anew.
      let again = index.add(parent, layer: "a", labels)
      #expect(Set(again).count == count && Set(above).intersection(again).count > count / 2)
    }
  }

  @Test func anchorsThatAreNoNumbersDoNoHarm() {
    var index = CrossTileIndex()
    let labels = [Float.nan, .infinity, -.infinity, 1e30, -1e30].map { label(1, $0, $0) }
    #expect(Set(index.add(parent, layer: "a", labels)).count == 5)
    #expect(Set(index.add(child, layer: "a", labels)).count == 5)
    let deepest = OverscaledTileID(canonical: TileID(z: 30, x: 8 << 24, y: 8 << 24), overscaledZ: 30)
    #expect(Set(index.add(deepest, layer: "a", labels)).count == 5)
    #expect(index.add(deepest, layer: "a", []).isEmpty)
  }
}

@Suite struct LabelRecordTests {
  private func state(text: Bool = false, icon: Bool = false, skipFade: Bool = false) -> SymbolState {
    var state = SymbolState()
    (state.text, state.icon, state.skipFade) = (text, icon, skipFade)
    return state
  }

  @Test func labelsComeInAndGoOutWithinTheDuration() {
    var record = LabelRecord()
    record.take(state(text: true), anchor: nil, showsNew: false)
    #expect(record.text(after: 0) == 0 && record.text(after: 0.25) == 0.25 && record.text(after: 7) == 1)
    #expect(record.isSeen(after: 0) && record.isFading(after: 0.5) && !record.isFading(after: 1))
    record.lapse(0.75)
    record.take(state(), anchor: nil, showsNew: false)
    #expect(record.text(after: 0) == 0.75 && record.text(after: 0.5) == 0.25 && record.text(after: 0.75) == 0)
    #expect(record.isSeen(after: 0.5) && !record.isSeen(after: 0.75))
    // Back again, from where it was.
    record.lapse(0.25)
    record.take(state(text: true), anchor: nil, showsNew: true)
    #expect(record.text(after: 0) == 0.5, "one that is known fades on")
  }

  @Test func labelsOutOfSightAndNewOnesWhereNothingFadesAreThereAtOnce() {
    var record = LabelRecord()
    record.take(state(text: true, icon: true, skipFade: true), anchor: nil, showsNew: false)
    #expect(record.text(after: 0) == 1 && record.icon(after: 0) == 1)
    record = LabelRecord()
    record.take(state(icon: true), anchor: nil, showsNew: true)
    #expect(record.text(after: 0) == 0 && record.icon(after: 0) == 1)
  }

  @Test func aTextThatGoesOutStaysAsItStood() {
    var record = LabelRecord()
    var standing = state(text: true)
    standing.isVertical = true
    record.take(standing, anchor: .right, showsNew: true)
    record.lapse(1)
    record.take(state(), anchor: nil, showsNew: false)
    #expect(record.isVertical && record.anchor == .right)
  }
}
