package typealias HTTPHeaders = [(name: String, value: String)]

extension HTTPHeaders {
  /// Adds those whose names are not there yet, whatever their case.
  package mutating func add(_ others: HTTPHeaders) {
    let known = Set(map { $0.name.lowercased() })
    self += others.filter { !known.contains($0.name.lowercased()) }
  }

  /// Adds headers in the place of all of the same names.
  package mutating func replace(by others: HTTPHeaders) {
    let names = Set(others.map { $0.name.lowercased() })
    removeAll { names.contains($0.name.lowercased()) }
    self += others
  }
}
