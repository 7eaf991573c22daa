import NeatBase

extension JSON {
  /// Throws `invalidArgument` for a member that is not among those known, naming it and them: a wish that
  /// nobody reads is a mistake.
  package func refuseMembers(besides known: [String], of what: String) throws(NeatError) {
    for (name, value) in members where !known.contains(name) {
      throw NeatError(
        .invalidArgument, "\(what) have no member \"\(name)\"; known are \(known.joined(separator: ", "))",
        offset: value.offset)
    }
  }
}
