import NeatBase
import NeatCamera
import NeatJSON

/// A model of triangles, as it stands on the map: x east, y south, z up, in units of its own.
package struct PuckModel: Sendable {
  package struct Corner: Sendable {
    package var position: SIMD3<Float>
    /// Unit length.
    package var normal: SIMD3<Float>
    /// The number of its colour.
    package var color: UInt32
  }

  package var corners: [Corner] = []
  package var indices: [UInt32] = []
  /// Straight.
  package var colors: [Color] = []
  /// Whether triangles are seen from behind too.
  package var isDoubleSided = false

  package static let byteLimit = 64 << 20
  package static let cornerLimit = 500_000
  package static let triangleLimit = 1_000_000
}

/// The triangles of a glTF 2.0 model: positions, normals and base colours, in a `.glb`, or in a `.gltf` whose buffers are
/// `data:` URLs. Textures, animations, skins and morphs are passed over; what a model says that it cannot do without
/// is an error.
///
/// glTF's y is up and its z to the front; here the front (-z) is north.
struct GLTFReader {
  private static let depthLimit = 64

  private let json: JSON
  private var buffers: [[UInt8]] = []
  private var model = PuckModel()
  /// What the document lists, by number: each is looked up once, whatever refers to it how often.
  private let nodes, meshes, accessors, views, materials: [JSON]
  /// Nodes that were placed: each stands in one place.
  private var placedNodes: Set<Int> = []
  private var primitiveCount = 0
  /// Elements that were read of accessors: several may read the same.
  private var elementCount = 0

  private static let listLimit = 100_000
  /// Members of an object that is looked into.
  private static let memberLimit = 256
  private static let primitiveLimit = 100_000
  private static let elementLimit = 8_000_000

  /// Throws `invalidArgument` for what is no glTF, `unsupported` for what needs more than this reads, `limitExceeded`
  /// past 64 MiB, 500,000 corners and 1,000,000 triangles.
  static func read(_ bytes: [UInt8]) throws(NeatError) -> PuckModel {
    guard bytes.count <= PuckModel.byteLimit else {
      throw NeatError(.limitExceeded, "a model of \(bytes.count) bytes: 64 MiB are the most")
    }
    let isBinary = bytes.starts(with: Array("glTF".utf8))
    let (text, chunk) = isBinary ? try chunks(bytes) : (bytes[...], nil)
    let json: JSON
    do throws(NeatError) { json = try JSON.parse(Array(text)) } catch {
      throw NeatError(.invalidArgument, "a model that is no glTF: \(error.message)", offset: error.offset)
    }
    var reader = try GLTFReader(json, chunk)
    try reader.readScene()
    guard !reader.model.indices.isEmpty else {
      throw NeatError(.invalidArgument, "a model without triangles")
    }
    return reader.model
  }

  // MARK: Containers

  private static func number(_ bytes: ArraySlice<UInt8>, _ at: Int) -> UInt32? {
    guard at >= bytes.startIndex, at + 4 <= bytes.endIndex else { return nil }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
  }

  /// The text and the buffer of a GLB.
  private static func chunks(_ bytes: [UInt8]) throws(NeatError) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
    guard number(bytes[...], 4) == 2 else { throw NeatError(.unsupported, "a GLB that is not of version 2") }
    var text: ArraySlice<UInt8>?, binary: ArraySlice<UInt8>?
    var at = 12
    while at < bytes.count {
      guard let size = number(bytes[...], at), let kind = number(bytes[...], at + 4),
        Int(size) <= bytes.count - at - 8
      else { throw NeatError(.invalidArgument, "a GLB with a chunk that is cut", offset: at) }
      let chunk = bytes[(at + 8)..<(at + 8 + Int(size))]
      if kind == 0x4E4F_534A, text == nil { text = chunk }
      if kind == 0x004E_4942, binary == nil { binary = chunk }
      at += 8 + Int(size)
    }
    guard let text else { throw NeatError(.invalidArgument, "a GLB without its JSON") }
    return (text, binary)
  }

  private init(_ json: JSON, _ chunk: ArraySlice<UInt8>?) throws(NeatError) {
    self.json = json
    guard json.isObject, json.count <= GLTFReader.memberLimit, let version = json["asset"]?["version"]?.string
    else {
      throw NeatError(.invalidArgument, "a model without \"asset\" and its \"version\"")
    }
    (nodes, meshes) = (try GLTFReader.list(json, "nodes"), try GLTFReader.list(json, "meshes"))
    (accessors, views) = (try GLTFReader.list(json, "accessors"), try GLTFReader.list(json, "bufferViews"))
    materials = try GLTFReader.list(json, "materials")
    guard version.hasPrefix("2.") else {
      throw NeatError(.unsupported, "glTF of version \(version.prefix(20))")
    }
    for name in json["extensionsRequired"]?.elements.compactMap(\.string) ?? []
    where name != "KHR_materials_unlit" {
      throw NeatError(.unsupported, "a model that needs the extension \(name.prefix(60))")
    }
    for (index, buffer) in try GLTFReader.list(json, "buffers").enumerated() {
      guard let address = buffer["uri"]?.string else {
        guard index == 0, let chunk else {
          throw NeatError(.invalidArgument, "buffer \(index) of a model has no data")
        }
        buffers.append(Array(chunk))
        continue
      }
      guard address.hasPrefix("data:"), let comma = address.utf8.firstIndex(of: UInt8(ascii: ",")),
        address[..<comma].hasSuffix(";base64")
      else {
        throw NeatError(.unsupported, "buffer \(index) of a model lies elsewhere: only data: URLs are read")
      }
      guard let data = GLTFReader.base64(address.utf8[address.utf8.index(after: comma)...]) else {
        throw NeatError(.invalidArgument, "buffer \(index) of a model is no base64")
      }
      buffers.append(data)
    }
  }

  private static func list(_ json: JSON, _ name: String) throws(NeatError) -> [JSON] {
    guard let list = json[name] else { return [] }
    guard list.count <= listLimit else {
      throw NeatError(
        .limitExceeded, "\"\(name)\" of a model has \(list.count) elements: \(listLimit) are the most")
    }
    let elements = list.elements.map { $0 }
    guard elements.allSatisfy({ $0.count <= memberLimit }) else {
      throw NeatError(
        .limitExceeded, "\"\(name)\" of a model has an object of more than \(memberLimit) members")
    }
    return elements
  }

  private static func base64(_ text: Substring.UTF8View) -> [UInt8]? {
    var out: [UInt8] = []
    out.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0, count = 0
    for byte in text {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte + 4
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="): continue
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return out
  }

  // MARK: The scene

  private mutating func readScene() throws(NeatError) {
    let scene = json["scene"]?.int ?? 0
    let roots = json["scenes"]?[scene]?["nodes"]?.elements.compactMap(\.int)
    // glTF's axes to those of the map: x stays, -z is north, y is up.
    let turn = Matrix4(
      columns: (SIMD4(1, 0, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 0, 1)))
    guard let roots else { throw NeatError(.invalidArgument, "a model without a scene") }
    for root in roots { try add(node: root, turn, depth: 0) }
  }

  private mutating func add(node index: Int, _ above: Matrix4, depth: Int) throws(NeatError) {
    guard depth < GLTFReader.depthLimit else {
      throw NeatError(.limitExceeded, "nodes of a model are nested deeper than \(GLTFReader.depthLimit)")
    }
    guard nodes.indices.contains(index) else {
      throw NeatError(.invalidArgument, "a model has no node \(index)")
    }
    guard placedNodes.insert(index).inserted else {
      throw NeatError(.invalidArgument, "node \(index) of a model stands in two places")
    }
    let node = nodes[index]
    let matrix = above * (try GLTFReader.matrix(node, index))
    if let mesh = node["mesh"]?.int { try add(mesh: mesh, matrix) }
    for child in node["children"]?.elements.compactMap(\.int) ?? [] {
      try add(node: child, matrix, depth: depth + 1)
    }
  }

  private static func matrix(_ node: JSON, _ index: Int) throws(NeatError) -> Matrix4 {
    func numbers(_ name: String, _ count: Int) throws(NeatError) -> [Double]? {
      guard let member = node[name] else { return nil }
      let values = member.elements.compactMap(\.number)
      guard values.count == count, member.count == count, values.allSatisfy(\.isFinite) else {
        throw NeatError(.invalidArgument, "\"\(name)\" of node \(index) of a model is not \(count) numbers")
      }
      return values
    }
    if let m = try numbers("matrix", 16) {
      func column(_ at: Int) -> SIMD4<Double> { SIMD4(m[at], m[at + 1], m[at + 2], m[at + 3]) }
      return Matrix4(columns: (column(0), column(4), column(8), column(12)))
    }
    let t = try numbers("translation", 3) ?? [0, 0, 0]
    let q = try numbers("rotation", 4) ?? [0, 0, 0, 1]
    let s = try numbers("scale", 3) ?? [1, 1, 1]
    let (x, y, z, w) = (q[0], q[1], q[2], q[3])
    let c0 = SIMD4(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0)
    let c1 = SIMD4(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0)
    let c2 = SIMD4(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0)
    return Matrix4(columns: (c0 * s[0], c1 * s[1], c2 * s[2], SIMD4(t[0], t[1], t[2], 1)))
  }

  private mutating func add(mesh index: Int, _ matrix: Matrix4) throws(NeatError) {
    guard meshes.indices.contains(index), let primitives = meshes[index]["primitives"] else {
      throw NeatError(.invalidArgument, "a model has no mesh \(index)")
    }
    for primitive in primitives.elements {
      primitiveCount += 1
      guard primitiveCount <= GLTFReader.primitiveLimit, primitive.count <= GLTFReader.memberLimit,
        (primitive["attributes"]?.count ?? 0) <= GLTFReader.memberLimit
      else { throw NeatError(.limitExceeded, "mesh \(index) of a model has too many parts") }
      let mode = primitive["mode"]?.int ?? 4
      // Points and lines have no surface.
      if mode < 4 { continue }
      guard mode == 4 else {
        throw NeatError(.unsupported, "mesh \(index) of a model has triangles in strips or fans")
      }
      try add(primitive, matrix, mesh: index)
    }
  }

  private mutating func add(_ primitive: JSON, _ matrix: Matrix4, mesh: Int) throws(NeatError) {
    guard let place = primitive["attributes"]?["POSITION"]?.int else {
      throw NeatError(.invalidArgument, "mesh \(mesh) of a model has no positions")
    }
    let positions = try vectors(accessor: place)
    var normals: [SIMD3<Float>]?
    if let place = primitive["attributes"]?["NORMAL"]?.int {
      normals = try vectors(accessor: place)
      guard normals?.count == positions.count else {
        throw NeatError(.invalidArgument, "mesh \(mesh) of a model has other normals than positions")
      }
    }
    var order = [UInt32](0..<UInt32(positions.count))
    if let place = primitive["indices"]?.int { order = try numbers(accessor: place) }
    guard order.allSatisfy({ $0 < positions.count }) else {
      throw NeatError(
        .invalidArgument, "mesh \(mesh) of a model has an index past its \(positions.count) positions")
    }
    order.removeLast(order.count % 3)
    guard model.indices.count + order.count <= 3 * PuckModel.triangleLimit else {
      throw NeatError(.limitExceeded, "a model has more than \(PuckModel.triangleLimit) triangles")
    }
    let color = material(primitive["material"]?.int)
    let placed = positions.map { GLTFReader.xyz(matrix * SIMD4($0, 1)) }
    guard let normals else { return try addFlat(placed, order, color) }
    guard model.corners.count + placed.count <= PuckModel.cornerLimit else { throw GLTFReader.tooManyCorners }
    let first = UInt32(model.corners.count)
    for (position, normal) in zip(placed, normals) {
      let turned = GLTFReader.xyz(GLTFReader.normal(matrix, normal))
      model.corners.append(
        PuckModel.Corner(position: position, normal: GLTFReader.unit(turned), color: color))
    }
    for index in order { model.indices.append(first + index) }
  }

  private static let tooManyCorners = NeatError(
    .limitExceeded, "a model has more than \(PuckModel.cornerLimit) corners")

  /// Without normals each triangle has its own.
  private mutating func addFlat(_ positions: [SIMD3<Float>], _ order: [UInt32], _ color: UInt32)
    throws(NeatError)
  {
    guard model.corners.count + order.count <= PuckModel.cornerLimit else { throw GLTFReader.tooManyCorners }
    for start in stride(from: 0, to: order.count, by: 3) {
      let corners = (0..<3).map { positions[Int(order[start + $0])] }
      let (u, v) = (corners[1] - corners[0], corners[2] - corners[0])
      // The axes of the map are a mirror of glTF's: its y is south.
      let cross = SIMD3(u.z * v.y - u.y * v.z, u.x * v.z - u.z * v.x, u.y * v.x - u.x * v.y)
      for corner in corners {
        model.indices.append(UInt32(model.corners.count))
        model.corners.append(
          PuckModel.Corner(position: corner, normal: GLTFReader.unit(cross), color: color))
      }
    }
  }

  private static func xyz(_ v: SIMD4<Double>) -> SIMD3<Float> { SIMD3(Float(v.x), Float(v.y), Float(v.z)) }

  /// A normal as the inverse of the matrix's upper part turns it, but for its length: the cofactors.
  private static func normal(_ m: Matrix4, _ n: SIMD3<Float>) -> SIMD4<Double> {
    func cross(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
      SIMD4(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 0)
    }
    let (a, b, c) = (m.columns.0, m.columns.1, m.columns.2)
    let sum =
      cross(b, c) * Double(n.x) + cross(c, a) * Double(n.y) + cross(a, b) * Double(n.z)
    // Where the matrix mirrors, cofactors point inwards.
    let determinant = (a * cross(b, c)).sum()
    return determinant < 0 ? -sum : sum
  }

  private static func unit(_ v: SIMD3<Float>) -> SIMD3<Float> {
    let length = (v * v).sum().squareRoot()
    return length > 0 && length.isFinite ? v / length : SIMD3(0, 0, 1)
  }

  private mutating func material(_ index: Int?) -> UInt32 {
    var color = Color.white
    if let index, materials.indices.contains(index) {
      let material = materials[index]
      let factor = material["pbrMetallicRoughness"]?["baseColorFactor"]?.elements.compactMap(\.number) ?? []
      if factor.count == 4, factor.allSatisfy(\.isFinite) {
        // Linear light, as glTF has it, in sRGB.
        func channel(_ value: Double) -> Float {
          let held = min(max(value, 0), 1)
          return Float(held <= 0.0031308 ? held * 12.92 : 1.055 * pow(held, 1 / 2.4) - 0.055)
        }
        color = Color(r: channel(factor[0]), g: channel(factor[1]), b: channel(factor[2]), a: 1)
      }
      if material["doubleSided"]?.bool == true { model.isDoubleSided = true }
    }
    if let last = model.colors.last, last == color { return UInt32(model.colors.count - 1) }
    model.colors.append(color)
    return UInt32(model.colors.count - 1)
  }

  // MARK: Accessors

  /// The bytes of an accessor's elements: where they begin in their buffer, and from one to the next.
  private mutating func view(_ index: Int, element: Int) throws(NeatError) -> (
    buffer: [UInt8], start: Int, stride: Int, count: Int
  ) {
    guard accessors.indices.contains(index) else {
      throw NeatError(.invalidArgument, "a model has no accessor \(index)")
    }
    let accessor = accessors[index]
    func fault(_ words: String) -> NeatError {
      NeatError(.invalidArgument, "accessor \(index) of a model \(words)")
    }
    guard accessor["sparse"] == nil else {
      throw NeatError(.unsupported, "accessor \(index) of a model is sparse")
    }
    guard let count = accessor["count"]?.int, (0...3 * PuckModel.triangleLimit).contains(count) else {
      throw fault("has no count within 0 to \(3 * PuckModel.triangleLimit)")
    }
    elementCount += count
    guard elementCount <= GLTFReader.elementLimit else {
      throw NeatError(.limitExceeded, "parts of a model read \(GLTFReader.elementLimit) elements and more")
    }
    guard let place = accessor["bufferView"]?.int, views.indices.contains(place) else {
      throw fault("has no data")
    }
    let view = views[place]
    guard let number = view["buffer"]?.int, buffers.indices.contains(number),
      let size = view["byteLength"]?.int
    else { throw fault("has no data") }
    let (start, offset) = (view["byteOffset"]?.int ?? 0, accessor["byteOffset"]?.int ?? 0)
    let stride = view["byteStride"]?.int ?? element
    let range = 0...PuckModel.byteLimit
    guard range.contains(size), range.contains(start), range.contains(offset),
      (element...252).contains(stride),
      start + size <= buffers[number].count,
      count == 0 || offset + (count - 1) * stride + element <= size
    else { throw fault("reaches past its buffer") }
    return (buffers[number], start + offset, stride, count)
  }

  private mutating func vectors(accessor index: Int) throws(NeatError) -> [SIMD3<Float>] {
    let accessor = accessors.indices.contains(index) ? accessors[index] : nil
    guard accessor?["componentType"]?.int == 5126, accessor?["type"]?.string == "VEC3" else {
      throw NeatError(.unsupported, "accessor \(index) of a model is not of three floats")
    }
    let view = try view(index, element: 12)
    guard view.count <= PuckModel.cornerLimit else { throw GLTFReader.tooManyCorners }
    var result: [SIMD3<Float>] = []
    result.reserveCapacity(view.count)
    for element in 0..<view.count {
      let at = view.start + element * view.stride
      func float(_ offset: Int) -> Float {
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(view.buffer[at + offset + $1]) << UInt32(8 * $1) }
        return Float(bitPattern: bits)
      }
      let vector = SIMD3(float(0), float(4), float(8))
      guard vector.x.isFinite, vector.y.isFinite, vector.z.isFinite, (vector * vector).sum() < 1e24 else {
        throw NeatError(.invalidArgument, "accessor \(index) of a model has no number at element \(element)")
      }
      result.append(vector)
    }
    return result
  }

  private mutating func numbers(accessor index: Int) throws(NeatError) -> [UInt32] {
    let kind = accessors.indices.contains(index) ? accessors[index]["componentType"]?.int : nil
    let size: Int
    switch kind {
    case 5121: size = 1
    case 5123: size = 2
    case 5125: size = 4
    default: throw NeatError(.invalidArgument, "accessor \(index) of a model is not of whole numbers")
    }
    let view = try view(index, element: size)
    return (0..<view.count).map { element in
      let at = view.start + element * view.stride
      return (0..<size).reduce(UInt32(0)) { $0 | UInt32(view.buffer[at + $1]) << UInt32(8 * $1) }
    }
  }
}

extension SIMD4 where Scalar == Double {
  fileprivate init(_ v: SIMD3<Float>, _ w: Double) { self.init(Double(v.x), Double(v.y), Double(v.z), w) }
}
