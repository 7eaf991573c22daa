import NeatBase

package enum WorkingFolder {
  /// A path as seen from the root: relative ones start at the process's working folder. Addresses with a
  /// scheme stay as they are.
  package static func absolute(_ address: String) -> String {
    guard !address.isEmpty, !address.hasPrefix("/"), Address.scheme(address) == nil,
      let folder = getcwd(nil, 0)
    else { return address }
    defer { free(folder) }
    return Address.normalize(String(cString: folder) + "/" + address)
  }
}
