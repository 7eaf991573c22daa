import NeatBase
import NeatMap

/// Data of GeoJSON sources on its way.
struct MapData {
  struct Job {
    let edit: SourceEdit
    let dataID: String
    /// The source's: another one of its name has another.
    let number: UInt64?
  }

  /// By source, in the order in which they came; the first of each is a worker's.
  var waiting: [String: [Job]] = [:]

  var count: Int { waiting.values.reduce(0) { $0 + $1.count } }
}

extension LiveMap {
  /// Changes of GeoJSON sources under way at once.
  package static let dataLimit = 1000

  /// Has a worker read data and change a GeoJSON source by it, after what came before for that source; then
  /// `sourceDataLoaded` says so with the data's id, or `mapLoadingError` why not. Nothing is told where another
  /// style has come, or the source went. Throws for a source that is not there, or no GeoJSON source.
  package func loadData(_ edit: SourceEdit, dataID: String) throws(NeatError) {
    let core = try loadedCore()
    let source = edit.source
    _ = try core.geojsonSource(source)
    guard data.count < LiveMap.dataLimit else {
      throw NeatError(.limitExceeded, "more than \(LiveMap.dataLimit) changes of data are under way")
    }
    let job = MapData.Job(edit: edit, dataID: dataID, number: core.number(ofSource: source))
    data.waiting[source, default: []].append(job)
    if data.waiting[source]?.count == 1 { startData(source, core) }
  }

  private func startData(_ source: String, _ core: MapCore) {
    guard let job = data.waiting[source]?.first else { return }
    let generation = generation
    let began = SystemClock.microseconds
    let fault = Locked<NeatError?>(nil)
    let isTaken = loop.work({
      do throws(NeatError) { try core.make(job.edit, number: job.number) } catch {
        fault.withLock { $0 = error }
      }
    }) { [weak self] in
      guard let self, self.generation == generation, self.core === core else { return }
      self.endData(job, source, core, fault.withLock { $0 }, began: began)
    }
    // The loop is closed: nothing is told any more.
    if !isTaken { data.waiting[source] = nil }
  }

  private func endData(
    _ job: MapData.Job, _ source: String, _ core: MapCore, _ fault: NeatError?, began: Int64
  ) {
    data.waiting[source]?.removeFirst()
    if data.waiting[source]?.isEmpty == true { data.waiting[source] = nil }
    startData(source, core)
    guard core.number(ofSource: source) == job.number else { return }
    if let fault {
      var problem = MapProblem(fault, resource: source, part: .source, source: source)
      problem.dataID = job.dataID
      tell(problem)
    } else {
      invalidate()
      send(.sourceDataChanged(source, dataID: job.dataID), since: began)
    }
  }
}
