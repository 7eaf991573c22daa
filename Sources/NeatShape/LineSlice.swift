import NeatBase

extension Line {
  /// The part of the line between the places on it that are closest to two others; without one of those, from
  /// its start or to its end. It runs as the line does where the two lie on different segments, whichever
  /// comes first. Nil for a line without points.
  package func sliced(from start: LonLat?, to end: LonLat?) -> [LonLat]? {
    guard let first = points.first, let last = points.last else { return nil }
    var from = LinePlace(point: first, index: 0, along: 0)
    var to = LinePlace(point: last, index: count - 1, along: 0)
    if let start, let place = closest(to: start) { from = place }
    if let end, let place = closest(to: end) { to = place }
    if from.index > to.index { swap(&from, &to) }
    var result: [LonLat] = []
    result.reserveCapacity(to.index - from.index + 2)
    result.append(from.point)
    if to.index > from.index { result += points[from.index + 1...to.index] }
    if result.last != to.point { result.append(to.point) }
    return result
  }

  /// The part of the line between two distances from its start. Nil where the distances are below 0 or the
  /// wrong way round, and where the line ends before the first.
  package func trimmed(from start: Double, to stop: Double) -> [LonLat]? {
    guard start >= 0, stop >= start, count > 0 else { return nil }
    var result: [LonLat] = []
    var traveled = 0.0
    for index in 0..<count {
      if index > 0 { traveled += Globe.distance(points[index - 1], points[index]) }
      if start >= traveled && index == count - 1 { break }
      if traveled > start && result.isEmpty { result.append(back(from: index, by: traveled - start)) }
      if traveled >= stop {
        result.append(traveled == stop ? points[index] : back(from: index, by: traveled - stop))
        return result
      }
      if traveled >= start { result.append(points[index]) }
      if index == count - 1 { return result }
    }
    guard traveled >= start else { return nil }
    return [points[count - 1], points[count - 1]]
  }

  /// The part of the line that begins at the place on it closest to another and goes on for a distance, or
  /// back where that is below 0, to the line's end at the farthest. Nil for a distance of 0 and for a line
  /// without points.
  package func trimmed(from place: LonLat, distance: Double) -> [LonLat]? {
    guard distance != 0, let start = closest(to: place) else { return nil }
    let step = distance > 0 ? 1 : -1
    var index = start.index
    // The first vertex ahead.
    if distance > 0 || points[index] == start.point { index += step }
    var result = [start.point]
    var (left, last) = (abs(distance), start.point)
    while index >= 0, index < count {
      let next = points[index]
      let way = Globe.distance(last, next)
      guard way <= left else {
        result.append(Globe.destination(last, distance: left, direction: Globe.direction(last, next)))
        return result
      }
      result.append(next)
      left -= way
      last = next
      index += step
    }
    return result
  }
}
