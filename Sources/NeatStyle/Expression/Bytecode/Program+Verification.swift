import NeatBase

// What the machine takes on trust, because looking at it at every step would cost: that instructions name
// registers, keys, tables and targets that there are. Debug builds look at every program once.
extension Program {
  /// What is wrong with the first faulty instruction; nil for a sound program.
  var fault: String? {
    guard codeCount > 0 else { return "a program without instructions" }
    guard (0..<codeCount).contains(where: { code[$0].op == .end }) else { return "a program without an end" }
    for pc in 0..<codeCount {
      if let fault = fault(code[pc], pc) { return "instruction \(pc), \(code[pc].op): \(fault)" }
    }
    return nil
  }

  private func fault(_ i: Instruction, _ pc: Int) -> String? {
    if max(i.dst, i.a, i.b) >= registerCount { return "registers past the last" }
    if i.dst >= constantStart { return "a constant is written over" }
    let (x, y, z) = (Int(i.x), Int(i.y), Int(i.z))
    func target(_ place: Int) -> String? { place >= 0 && place < codeCount ? nil : "a target outside" }
    func key() -> String? { x >= 0 && x < keys.count ? nil : "no such key" }
    func table() -> String? { z >= 0 && z < tableCount ? nil : "no such table" }
    func curve() -> String? { x >= 0 && x < curveCount ? nil : "no such curve" }
    func type() -> String? { x >= 0 && x < types.count ? nil : "no such type" }
    switch i.op {
    case .jump, .jumpIfFalse, .jumpIfTrue, .jumpIfNotNull, .ensure: return target(x)
    case .jumpIfType: return type() ?? target(y)
    case .requireType: return type()
    case .get, .has: return key()
    case .getNumber, .getString, .getBool:
      return key() ?? (y >= 0 && y < types.count ? nil : "no such type")
    case .testKey: return key() ?? table() ?? target(y) ?? target(Int(i.w))
    case .switchKey: return key() ?? table()
    case .switchValue: return table()
    case .testGeometry: return target(y)
    case .coerce: return (CoercionKind(rawValue: i.x) == nil ? "no such coercion" : nil) ?? target(y)
    case .failCoercion: return CoercionKind(rawValue: i.x) == nil ? "no such coercion" : nil
    case .compare: return Comparison(rawValue: i.x) == nil ? "no such comparison" : nil
    case .curve: return curve() ?? target(y)
    case .curveNumbers, .curveColors, .stepCurve: return curve()
    case .mixAny: return ColorSpace(rawValue: UInt8(clamping: x)) == nil ? "no such colour space" : nil
    case .slow: return SlowOperation(rawValue: i.x) == nil ? "no such operation" : nil
    default: return nil
    }
  }
}
