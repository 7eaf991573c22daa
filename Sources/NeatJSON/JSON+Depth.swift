import NeatBase

extension JSON {
  /// Whether arrays and objects stand in each other more than `limit` deep; a number is 0 deep, `[1]` is 1.
  /// Cost: one pass over the value, without recursion.
  package func isNested(deeperThan limit: Int) -> Bool {
    /// Where on the tape the open containers end.
    var ends: [Int] = []
    let last = node.tag == .array || node.tag == .object ? Int(node.end) : index + 1
    for place in index..<last {
      while let end = ends.last, end <= place { ends.removeLast() }
      let node = document.nodes[place]
      guard node.tag == .array || node.tag == .object else { continue }
      ends.append(Int(node.end))
      if ends.count > limit { return true }
    }
    return false
  }
}
