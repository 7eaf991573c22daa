/// The two tables of entries, which are asked the same things.
enum DatabaseTable: Int, CaseIterable {
  case tiles, resources

  var name: String { self == .tiles ? "tiles" : "resources" }
  var links: String { self == .tiles ? "region_tiles" : "region_resources" }
  var link: String { self == .tiles ? "tile_id" : "resource_id" }
  private var address: String { self == .tiles ? "url_template" : "url" }

  /// The columns of a key, bound to the first parameters.
  private var isKey: String {
    self == .tiles
      ? "url_template = ?1 AND pixel_ratio = ?2 AND z = ?3 AND x = ?4 AND y = ?5" : "url = ?1"
  }

  private var keyColumns: String { self == .tiles ? "url_template, pixel_ratio, z, x, y" : "url, kind" }
  private var keyParameters: String { self == .tiles ? "?1, ?2, ?3, ?4, ?5" : "?1, ?2" }

  /// What an entry counts: body as it is stored, address and etag, and `DatabaseTable.rowBytes` for the rest.
  /// No column behind the body is looked at: its pages are then not read.
  var size: String {
    """
    (ifnull(length(data), 0) + length(CAST(\(address) AS BLOB)) + ifnull(length(CAST(etag AS BLOB)), 0) \
    + \(DatabaseTable.rowBytes))
    """
  }
  static let rowBytes = 64

  private var isAmbient: String { "NOT EXISTS (SELECT 1 FROM \(links) WHERE \(link) = \(name).id)" }

  enum Query: Int, CaseIterable {
    case read, facts, find, insert, update, renew, touch, makeStale, remove, removeLinks
    case oldest, fromTheFuture, ambientSize, ambientRows
    case addLink, isLinkedElsewhere, linkedRows, linkedCount, soleSize, dropRegionLinks
  }

  /// `marksRevalidation`: schema 6 and later has `must_revalidate`.
  func sql(_ query: Query, marksRevalidation: Bool) -> String {
    let revalidation = marksRevalidation ? "must_revalidate" : "0"
    switch query {
    case .read:
      return """
        SELECT id, etag, expires, modified, data, compressed, accessed, \(revalidation)
        FROM \(name) WHERE \(isKey)
        """
    case .facts:
      return """
        SELECT id, etag, expires, modified, length(data), \(revalidation) FROM \(name) WHERE \(isKey)
        """
    case .find:
      return "SELECT id, \(size), NOT \(isAmbient) FROM \(name) WHERE \(isKey)"
    case .insert:
      return """
        INSERT INTO \(name) (\(keyColumns), etag, expires, modified, data, compressed, accessed, must_revalidate)
        VALUES (\(keyParameters), ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        """
    case .update:
      return """
        UPDATE \(name) SET \(self == .resources ? "kind = ?2, " : "")etag = ?6, expires = ?7, modified = ?8,
          data = ?9, compressed = ?10, accessed = ?11, must_revalidate = ?12 WHERE id = ?13
        """
    case .renew:
      return "UPDATE \(name) SET expires = ?2, accessed = ?3, must_revalidate = ?4 WHERE id = ?1"
    case .touch:
      return "UPDATE \(name) SET accessed = ?2 WHERE id = ?1"
    case .makeStale:
      return "UPDATE \(name) SET expires = 0, must_revalidate = 1 WHERE id = ?1"
    case .remove:
      return "DELETE FROM \(name) WHERE id = ?1"
    case .removeLinks:
      return "DELETE FROM \(links) WHERE \(link) = ?1"
    case .oldest:
      return """
        SELECT id, accessed, \(size) FROM \(name) WHERE accessed >= ?1 AND \(isAmbient)
        ORDER BY accessed, id LIMIT ?2
        """
    case .fromTheFuture:
      return """
        SELECT id, accessed, \(size) FROM \(name) WHERE accessed > ?1 AND \(isAmbient)
        ORDER BY accessed DESC, id LIMIT ?2
        """
    case .ambientSize:
      return "SELECT sum(\(size)) FROM \(name) WHERE \(isAmbient)"
    case .ambientRows:
      return "SELECT id, \(size) FROM \(name) WHERE id > ?1 AND \(isAmbient) ORDER BY id LIMIT ?2"
    case .addLink:
      return "INSERT OR IGNORE INTO \(links) (region_id, \(link)) VALUES (?1, ?2)"
    case .isLinkedElsewhere:
      return "SELECT 1 FROM \(links) WHERE \(link) = ?2 AND region_id != ?1 LIMIT 1"
    case .linkedRows:
      return "SELECT \(link) FROM \(links) WHERE region_id = ?1 AND \(link) > ?2 ORDER BY \(link) LIMIT ?3"
    case .linkedCount:
      return """
        SELECT count(*), sum(ifnull(length(data), 0)) FROM \(links) JOIN \(name) ON \(name).id = \(link)
        WHERE region_id = ?1
        """
    case .soleSize:
      return """
        SELECT sum(\(size)) FROM \(links) AS own JOIN \(name) ON \(name).id = own.\(link)
        WHERE own.region_id = ?1 AND NOT EXISTS (
          SELECT 1 FROM \(links) AS other WHERE other.\(link) = own.\(link) AND other.region_id != ?1)
        """
    case .dropRegionLinks:
      return "DELETE FROM \(links) WHERE region_id = ?1"
    }
  }
}
