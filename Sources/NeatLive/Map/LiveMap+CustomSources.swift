import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import NeatResource
import NeatStyle

/// What is asked for the tiles of a source of the application's. All is called on the loop's thread, and may call any
/// function of the map.
package struct CustomSourceHost {
  /// A tile is wanted. It is answered, now or later, by `CustomAnswers.give`.
  package var fetch: (_ source: UInt64, TileID) -> Void
  /// A tile that was wanted and not answered is wanted no more.
  package var cancel: (_ source: UInt64, TileID) -> Void
  /// The last call of all.
  package var release: () -> Void

  package init(
    fetch: @escaping (UInt64, TileID) -> Void, cancel: @escaping (UInt64, TileID) -> Void = { _, _ in },
    release: @escaping () -> Void = {}
  ) {
    (self.fetch, self.cancel, self.release) = (fetch, cancel, release)
  }
}

/// A source of the application's. Only for the loop's thread.
final class CustomSource {
  let id: String
  let options: SourceSpec.CustomSource
  let host: CustomSourceHost
  let answers: CustomAnswers
  /// Tiles that were asked for and are not answered.
  var asked: [TileID: Need] = [:]

  init(
    _ id: String, _ options: SourceSpec.CustomSource, _ host: CustomSourceHost, _ answers: CustomAnswers
  ) {
    (self.id, self.options, self.host, self.answers) = (id, options, host, answers)
  }
}

extension LiveMap {
  /// Adds a source whose tiles the application gives; the number by which it does. Throws `invalidArgument` for an id
  /// that is taken, `state` without a style; the host is not called then.
  /// - Parameter numbered: called with the number before anything is told.
  @discardableResult package func addCustomSource(
    _ id: String, _ options: SourceSpec.CustomSource, _ host: CustomSourceHost,
    numbered: (UInt64) -> Void = { _ in }
  ) throws(NeatError) -> UInt64 {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    guard !id.isEmpty else { throw NeatError(.invalidArgument, "a source's id is empty") }
    let inLoop = LoopBound(WeakMap(self), loop)
    let answers = CustomAnswers(options) { [weak loop] in
      loop?.post { inLoop.value.map?.takeCustomAnswers(id) }
    }
    let source = CustomSource(id, options, host, answers)
    try edit { editor throws(NeatError) in
      try editor.addSource(SourceSpec(id: id, custom: options))
      // Past all that can fail, and before anything is told.
      custom.sources[id] = source
      answers.open()
      numbered(answers.number)
    }
    return answers.number
  }

  /// Says that a tile, or what lies in a region, is other data now: it is asked for anew where the view needs it, and
  /// shown as it is until then. What was asked for is cancelled, and asked for again.
  package func invalidateCustomSource(_ id: String, _ what: CustomInvalidation) throws(NeatError) {
    let core = try loadedCore()
    let source = try customSource(id)
    if case .tile(let tile) = what, !source.options.has(tile) {
      throw NeatError(.invalidArgument, "tile \(tile) is none of the source's", resource: id)
    }
    let isMeant = try what.checked().tiles(of: source.options)
    core.invalidateCustom(id, isMeant)
    for tile in source.asked.keys.sorted(by: LiveMap.precedes) where isMeant(tile) {
      ask(source, tile, isCancelled: true)
      ask(source, tile)
    }
    invalidate()
    tellHosts()
  }

  /// The number by which the tiles of a source are given. Throws `notFound`.
  package func customSourceNumber(_ id: String) throws(NeatError) -> UInt64 {
    try customSource(id).answers.number
  }

  private func customSource(_ id: String) throws(NeatError) -> CustomSource {
    guard let source = custom.sources[id] else {
      throw NeatError(.notFound, "no such custom geometry source", resource: id)
    }
    return source
  }

  private static func precedes(_ a: TileID, _ b: TileID) -> Bool { (a.z, a.y, a.x) < (b.z, b.y, b.x) }

  /// Ends a source: what was asked for is cancelled, and answers find nobody.
  func end(_ source: CustomSource) {
    custom.sources[source.id] = nil
    source.answers.close()
    for answer in source.answers.take() { source.answers.done(answer) }
    for tile in source.asked.keys.sorted(by: LiveMap.precedes) { ask(source, tile, isCancelled: true) }
    source.asked = [:]
    custom.calls.add(source.host.release)
  }

  private func ask(_ source: CustomSource, _ tile: TileID, isCancelled: Bool = false) {
    let (host, number) = (source.host, source.answers.number)
    custom.calls.add { isCancelled ? host.cancel(number, tile) : host.fetch(number, tile) }
  }

  /// The application's source that a need is for; nil where others have it.
  func customSource(of need: Need) -> CustomSource? {
    custom.sources.isEmpty ? nil : need.source.flatMap { custom.sources[$0] }
  }

  /// Has a tile asked for with the next calls.
  func request(_ need: Need, of source: CustomSource) {
    guard let tile = need.tile else { return }
    source.asked[tile] = need
    requests.add(
      need,
      CancelHandle { [weak self, weak source] in
        guard let self, let source, source.asked.removeValue(forKey: tile) != nil else { return }
        self.ask(source, tile, isCancelled: true)
      })
    ask(source, tile)
  }

  /// Takes what has come for a source.
  private func takeCustomAnswers(_ id: String) {
    guard !isDestroyed, let source = custom.sources[id] else { return }
    let answers = source.answers.take()
    // Of several for a tile the last counts.
    var last: [TileID: Int] = [:]
    for (place, answer) in answers.enumerated() { last[answer.tile] = place }
    for (place, answer) in answers.enumerated() {
      // A handler may have ended it meanwhile.
      guard last[answer.tile] == place, let core, custom.sources[id] === source else {
        source.answers.done(answer)
        continue
      }
      let asked = source.asked.removeValue(forKey: answer.tile)
      guard let need = asked ?? core.customNeed(id, answer.tile) else {
        source.answers.done(answer)
        continue
      }
      var facts = ResourceFacts()
      facts.origin = .data
      (facts.beganAt, facts.endedAt) = (answer.beganAt, answer.beganAt)
      facts.byteCount = answer.byteCount
      take(need, ResourceAnswer(answer.result, facts), core, isAsked: asked != nil) {
        source.answers.done(answer)
      }
    }
  }
}
