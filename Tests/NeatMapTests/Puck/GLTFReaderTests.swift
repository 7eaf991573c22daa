import NeatBase
import Testing

@testable import NeatMap

@Suite struct GLTFReaderTests {
  /// A triangle: (0,0,0), (1,0,0), (0,1,0) of glTF, in bytes, with indices behind.
  private static let data: [UInt8] = {
    let numbers: [Float] = [0, 0, 0, 1, 0, 0, 0, 1, 0]
    var bytes: [UInt8] = []
    for number in numbers {
      for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(8 * shift))) }
    }
    return bytes + [0, 1, 2, 0]
  }()

  private func document(
    _ buffer: String, node: String = "", primitive: String = #""indices":1"#, accessor: String = "",
    count: Int = 3, more: String = ""
  ) -> String {
    """
    {"asset":{"version":"2.0"},\(more)"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0\(node)}],
     "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0,\(primitive)}]}],
     "materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0,0.5,1]},"doubleSided":true}],
     "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":\(count)\(accessor)},
                  {"bufferView":1,"componentType":5121,"type":"SCALAR","count":3}],
     "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":3}],
     "buffers":[\(buffer)]}
    """
  }

  private let url =
    #"{"byteLength":40,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAECAA=="}"#

  private func binary(_ text: String) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    var json = Array(text.utf8)
    while json.count % 4 != 0 { json.append(32) }
    let data = GLTFReaderTests.data
    let size = 12 + 8 + json.count + 8 + data.count
    return Array("glTF".utf8) + word(2) + word(size) + word(json.count) + word(0x4E4F_534A) + json
      + word(data.count) + word(0x004E_4942) + data
  }

  private func read(_ text: String) throws(NeatError) -> PuckModel { try GLTFReader.read(Array(text.utf8)) }

  private func fault(_ text: String) -> NeatError? {
    do throws(NeatError) {
      _ = try read(text)
      return nil
    } catch { return error }
  }

  @Test func aTriangleStandsOnTheMap() throws {
    for model in [try read(document(url)), try GLTFReader.read(binary(document(#"{"byteLength":40}"#)))] {
      #expect(model.indices == [0, 1, 2] && model.isDoubleSided)
      // glTF's up is up, its x east; the front looks south, as glTF's z does.
      #expect(model.corners.map(\.position) == [SIMD3(0, 0, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1)])
      #expect(model.corners.allSatisfy { $0.normal == SIMD3(0, 1, 0) })
      // Linear light in sRGB.
      #expect(model.colors[0].r == 1 && model.colors[0].g == 0 && abs(model.colors[0].b - 0.7354) < 1e-3)
    }
  }

  @Test func nodesAreTurnedScaledAndMoved() throws {
    let model = try read(
      document(url, node: #","translation":[0,0,-5],"scale":[2,2,2],"rotation":[0,0.70710678,0,0.70710678]"#))
    // A quarter turn about up takes east to the back, which is north.
    let far = model.corners[1].position
    #expect(abs(far.x) < 1e-5 && abs(far.y + 7) < 1e-5 && far.z == 0)
    let moved = try read(document(url, node: #","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,4,5,6,1]"#))
    #expect(moved.corners[0].position == SIMD3(4, 6, 5))
  }

  @Test func withoutIndicesCornersComeInOrder() throws {
    #expect(try read(document(url, primitive: #""mode":4"#)).indices == [0, 1, 2])
    // Points and lines have no surface.
    #expect(fault(document(url, primitive: #""mode":1"#))?.message == "a model without triangles")
  }

  @Test(arguments: [
    ("", ErrorCode.invalidArgument, "no glTF"), ("{}", .invalidArgument, "asset"),
    (#"{"asset":{"version":"1.0"}}"#, .unsupported, "version 1.0"),
    (#"{"asset":{"version":"2.0"}}"#, .invalidArgument, "without a scene"),
    (
      #"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]}"#, .unsupported,
      "draco"
    ),
    (#"{"asset":{"version":"2.0"},"buffers":[{"uri":"x.bin"}]}"#, .unsupported, "lies elsewhere"),
    (#"{"asset":{"version":"2.0"},"buffers":[{"uri":"data:;base64,??"}]}"#, .invalidArgument, "no base64"),
    (#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[7]}]}"#, .invalidArgument, "no node 7"),
    (
      #"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"children":[0]}]}"#, .invalidArgument,
      "two places"
    ),
    (
      #"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":4}]}"#, .invalidArgument,
      "no mesh 4"
    ),
  ])
  func whatIsNoModelSaysWhy(_ text: String, _ code: ErrorCode, _ words: String) {
    let error = fault(text)
    #expect(error?.code == code && error?.message.contains(words) == true, "\(error as Any)")
  }

  @Test func whatReachesPastItsBufferIsRefused() {
    #expect(fault(document(url, count: 4))?.message.contains("past its buffer") == true)
    #expect(fault(document(url, accessor: #","byteOffset":1000000000000"#))?.code == .invalidArgument)
    #expect(fault(document(url, accessor: #","byteOffset":-4"#))?.code == .invalidArgument)
    #expect(fault(document(url, accessor: #","sparse":{}"#))?.code == .unsupported)
    #expect(fault(document(url, primitive: #""mode":5"#))?.code == .unsupported)
    #expect(fault(document(url, primitive: #""indices":9"#))?.code == .invalidArgument)
    #expect(fault(document(url, node: #","scale":[1,2]"#))?.message.contains("scale") == true)
    #expect(fault(document(#"{"byteLength":40}"#))?.message.contains("has no data") == true)
    let deep = (0..<100).map { #"{"children":[\#($0 + 1)]}"# }.joined(separator: ",")
    #expect(
      fault(#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[\#(deep),{}]}"#)?.code
        == .limitExceeded)
  }

  /// Binaries that are cut or changed anywhere are refused, or read, and no more.
  @Test func damagedModelsDoNoHarm() {
    let whole = binary(document(#"{"byteLength":40}"#))
    for end in 0..<whole.count { _ = try? GLTFReader.read(Array(whole[..<end])) }
    for at in whole.indices {
      for value in [0, 0x22, 0x39, 0x7F, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[at] = value
        _ = try? GLTFReader.read(bytes)
      }
    }
  }
}
