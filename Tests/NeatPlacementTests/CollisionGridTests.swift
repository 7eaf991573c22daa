import NeatBase
import NeatPlacement
import Testing

@Suite struct CollisionGridTests {
  private let key = CollisionKey(bucket: 1, feature: 2)

  @Test func aFreePlaceIsFreeAndATakenOneIsNot() {
    var grid = CollisionGrid(width: 512, height: 512)
    grid.insert(CollisionRect(10, 10, 60, 40), key: key)
    #expect(grid.hitTest(CollisionRect(50, 30, 90, 80)) == true)
    #expect(grid.hitTest(CollisionRect(60, 40, 90, 80)) == true, "touching counts")
    #expect(grid.hitTest(CollisionRect(61, 41, 90, 80)) == false)
    #expect(grid.hitTest(CollisionRect(600, 600, 700, 700)) == false, "outside of the plane nothing is hit")
  }

  @Test func circlesMeetCirclesAndBoxes() {
    var grid = CollisionGrid(width: 200, height: 200)
    grid.insertCircle(x: 50, y: 50, radius: 10, key: key)
    #expect(grid.hitTestCircle(x: 69, y: 50, radius: 10) == true)
    #expect(grid.hitTestCircle(x: 71, y: 50, radius: 10) == false)
    #expect(grid.hitTest(CollisionRect(55, 55, 80, 80)) == true)
    #expect(grid.hitTest(CollisionRect(58, 58, 80, 80)) == false, "the corner of the circle's bounds is free")
    grid.insert(CollisionRect(100, 100, 120, 120), key: key)
    #expect(grid.hitTestCircle(x: 95, y: 110, radius: 6) == true)
    #expect(grid.hitTestCircle(x: 96, y: 96, radius: 5) == false)
  }

  @Test func overlapModesDecideWhoMayCoverWhom() {
    var grid = CollisionGrid(width: 200, height: 200)
    grid.insert(CollisionRect(0, 0, 20, 20), key: CollisionKey(bucket: 0, feature: 0, mode: .cooperative))
    grid.insert(CollisionRect(100, 100, 120, 120), key: CollisionKey(bucket: 0, feature: 1, mode: .never))
    let first = CollisionRect(5, 5, 15, 15), second = CollisionRect(105, 105, 115, 115)
    #expect(grid.hitTest(first, mode: .never) == true)
    #expect(grid.hitTest(first, mode: .cooperative) == false)
    #expect(grid.hitTest(second, mode: .cooperative) == true)
    #expect(grid.hitTest(second, mode: .always) == false)
  }

  @Test func groupsDoNotSeeEachOther() {
    var grid = CollisionGrid(width: 200, height: 200)
    grid.insert(CollisionRect(0, 0, 20, 20), key: CollisionKey(bucket: 0, feature: 0, group: 1))
    #expect(grid.hitTest(CollisionRect(0, 0, 5, 5), group: 1) == true)
    #expect(grid.hitTest(CollisionRect(0, 0, 5, 5), group: 2) == false)
  }

  @Test func aQueryNamesEachShapeOnce() {
    var grid = CollisionGrid(width: 500, height: 500)
    grid.insert(CollisionRect(0, 0, 300, 300), key: CollisionKey(bucket: 1, feature: 7))
    grid.insertCircle(x: 200, y: 200, radius: 20, key: CollisionKey(bucket: 1, feature: 8))
    #expect(grid.query(CollisionRect(0, 0, 499, 499)).map(\.feature) == [7, 8])
    grid.removeAll()
    #expect(grid.query(CollisionRect(0, 0, 499, 499)).isEmpty)
  }

  @Test func wildCoordinatesNeitherTrapNorHang() {
    var grid = CollisionGrid(width: 100, height: 100)
    for value in [Float.nan, .infinity, -.infinity, 1e30, -1e30] {
      grid.insert(CollisionRect(value, 0, value, 10), key: key)
      grid.insertCircle(x: value, y: value, radius: value, key: key)
      _ = grid.hitTest(CollisionRect(value, value, value, value))
      _ = grid.hitTestCircle(x: value, y: 5, radius: 3)
    }
    let odd = CollisionGrid(width: .infinity, height: .nan)
    #expect(odd.hitTest(CollisionRect(0, 0, 1, 1)) == false)
  }

  @Test func twentyThousandBoxesAreTestedAgainstEachOther() {
    var grid = CollisionGrid(width: 2000, height: 2000)
    var seed: UInt32 = 1
    func random() -> Float {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return Float(seed >> 8) / Float(1 << 24)
    }
    var placed = 0
    let clock = ContinuousClock()
    let time = clock.measure {
      for number in 0..<20000 {
        let x = random() * 1900, y = random() * 1900
        let rect = CollisionRect(x, y, x + 80, y + 16)
        if !grid.hitTest(rect) {
          grid.insert(rect, key: CollisionKey(bucket: 0, feature: UInt32(number)))
          placed += 1
        }
      }
    }
    #expect(placed > 500 && placed < 3000)
    #expect(grid.count == placed)
    print("20,000 boxes: \(time), \(placed) placed")
  }
}
