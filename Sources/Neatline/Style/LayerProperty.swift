/// A layout or paint property of a layer type.
public struct LayerProperty: Sendable {
  /// The member of a layer that holds the property.
  public enum Group: String, Sendable { case layout, paint }

  /// The name in style JSON.
  public let name: String
  /// Whether it belongs to `layout` or to `paint`.
  public let group: Group
  /// Whether `name` with `-transition` is a property too.
  public let hasTransition: Bool
  /// Whether JSON is of the property's type: a constant of it, or an expression.
  public let accepts: @Sendable (JSONValue) -> Bool

  init<T: StyleConvertible>(
    _ name: String, _ group: Group, _ type: Value<T>.Type, hasTransition: Bool = false
  ) {
    self.name = name
    self.group = group
    self.hasTransition = hasTransition
    accepts = { type.init(json: $0) != nil }
  }
}

extension Layer {
  /// Names of what stands in `layout` and `paint` and reads as nil all the same: properties that layers of
  /// this type do not have, and values that are not of the property's type. They are kept and written back.
  public var unreadProperties: [String] {
    func unread(_ object: StyleObject, _ group: LayerProperty.Group) -> [String] {
      object.members.compactMap { member in
        let isRead = Self.properties.contains { property in
          guard property.group == group else { return false }
          if property.name == member.key { return property.accepts(member.value) }
          return property.hasTransition && property.name + "-transition" == member.key
            && member.value.object != nil
        }
        return isRead ? nil : member.key
      }
    }
    return unread(contents.layout, .layout) + unread(contents.paint, .paint)
  }
}
