import NeatBase

extension ResourceDatabase {
  /// Changes which providers let only so many tiles be kept by regions, and how many.
  package func setTileLimit(_ count: Int64, templates: [String]) {
    options.limitedTileCount = max(0, count)
    options.limitedTemplates = templates
  }

  /// Bytes of the file that hold something: pages that are in use.
  package func usedBytes() throws(NeatError) -> Int64 {
    try perform(isWrite: false) { (connection) throws(NeatError) in
      func number(_ pragma: String) throws(NeatError) -> Int64 {
        max(0, try connection.value(try connection.prepare("PRAGMA " + pragma)) ?? 0)
      }
      let pages = try number("page_count") - number("freelist_count")
      return max(0, pages.multipliedReportingOverflow(by: try number("page_size")).partialValue)
    }
  }
}
