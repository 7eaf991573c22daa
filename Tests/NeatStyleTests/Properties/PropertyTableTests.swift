import NeatJSON
import NeatStyle
import Testing

@Suite struct PropertyTableTests {
  @Test func holdsEveryPropertyOfTheReference() throws {
    guard let shared = StyleFixtures.shared else {
      print("skipped: no shared data beside the package")
      return
    }
    let v8 = try JSON.parse(try #require(StyleFixtures.read(shared + "/conformance/style-spec/v8.json")))
    for type in LayerType.allCases where type != .sky && type != .custom {
      for (group, name) in [(PropertySpec.Group.layout, "layout"), (.paint, "paint")] {
        for (property, spec) in try #require(v8["\(name)_\(type.name)"]).members {
          let found = try #require(PropertySpec.find(property, of: type.owner), "\(type.name) \(property)")
          #expect(found.spec.group == group)
          #expect(found.name == property)
          #expect(
            found.spec.reference.defaultText.map { try? JSON.parse($0) } == spec["default"].map { .some($0) })
          #expect(found.spec.reference.hasTransition == (spec["transition"]?.bool ?? false))
        }
      }
    }
  }

  @Test func rawValuesAreIndicesOfTheTable() {
    #expect(PropertySpec.all.count == Property.allCases.count)
    for property in Property.allCases { #expect(property.spec.property == property) }
  }

  @Test func layersHaveTheirOwnAndTheSharedPropertiesOnly() {
    #expect(PropertySpec.find("line-width", of: .line) == .lineWidth)
    #expect(PropertySpec.find("line-width", of: .fill) == nil)
    #expect(PropertySpec.find("visibility", of: .fill) == .visibility)
    #expect(PropertySpec.find("resampling", of: .fill) == nil)
    #expect(PropertySpec.find("resampling", of: .raster) == .resampling)
    #expect(PropertySpec.find("visibility", of: .light) == nil)
    #expect(PropertySpec.find("visibility", of: .customLayer) == .visibility)
    #expect(PropertySpec.find("sky-opacity", of: .customLayer) == nil)
    #expect(PropertySpec.find("anchor", of: .light) == .lightAnchor)
  }

  @Test func namesOfLayerTypesReadBack() {
    for type in LayerType.allCases where type != .custom { #expect(LayerType(name: type.name) == type) }
    #expect(LayerType(name: "custom") == nil)
  }
}
