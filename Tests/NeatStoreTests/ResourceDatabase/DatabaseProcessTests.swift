import CSQLite
import NeatBase
import NeatStore
import Testing

/// Several processes, full and read-only disks, locks.
@Suite(.serialized) struct DatabaseProcessTests {
  private let folder = DatabaseFolder()

  private static let worker: String? = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    var candidates = CommandLine.arguments
    if count > 0 {
      candidates.append(String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    for path in candidates {
      guard let slash = path.lastIndex(of: "/") else { continue }
      let program = String(path[..<slash]) + "/NeatDatabaseWorker"
      if access(program, X_OK) == 0 { return program }
    }
    return nil
  }()
  private static let absent: Comment = "needs NeatDatabaseWorker beside the tests"

  private func spawn(_ arguments: [String], output: String) throws -> pid_t {
    let program = try #require(Self.worker)
    var pid = pid_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    #expect(posix_spawn(&pid, program, &actions, nil, &words, environ) == 0)
    return pid
  }

  /// How a process ended: its exit status, or minus the signal.
  private func wait(_ pid: pid_t) -> Int32 {
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  private func text(_ name: String) -> String {
    String(decoding: readFile(folder.folder.file(name)), as: UTF8.self)
  }

  /// A minute with NEATLINE_DATABASE_SECONDS=60.
  @Test(.enabled(if: worker != nil, absent)) func tenProcessesShareOneDatabase() throws {
    let seconds = getenv("NEATLINE_DATABASE_SECONDS").map { String(cString: $0) } ?? "2"
    let pids = try (1...10).map {
      try spawn(["mixed", folder.path, seconds, "\($0)"], output: folder.folder.file("out-\($0)"))
    }
    for (index, pid) in pids.enumerated() { #expect(wait(pid) == 0, "\(text("out-\(index + 1)"))") }
    #expect(folder.rows("PRAGMA integrity_check") == ["ok"])
    #expect(folder.rows("PRAGMA foreign_key_check") == [])
    #expect(!folder.names.contains { $0.contains("broken") })
    let database = try folder.open { $0.maximumAmbientBytes = 2 << 20 }
    #expect(try database.regions().count == 10)
    // What was kept up to date through all of it is what is there.
    let counted = folder.rows(
      """
      SELECT sum(length(data) + length(url_template) + ifnull(length(etag), 0) + 64) FROM tiles
      WHERE id NOT IN (SELECT tile_id FROM region_tiles)
      """)
    #expect(counted == ["\(try database.ambientBytes())"])
  }

  @Test(.enabled(if: worker != nil, absent)) func aKilledProcessLosesAtMostItsOpenBatch() throws {
    for round in 0..<4 {
      let output = folder.folder.file("out-\(round)")
      let pid = try spawn(["region", folder.path, "16"], output: output)
      for _ in 0..<400 where text("out-\(round)").split(separator: "\n").count < 3 + round { usleep(5000) }
      kill(pid, SIGKILL)
      #expect(wait(pid) == -SIGKILL)
      let told = Int64(text("out-\(round)").split(separator: "\n").last ?? "") ?? 0
      let database = try folder.open()
      let region = try #require(try database.regions().last)
      let counts = try database.counts(ofRegion: region.id)
      #expect(told > 0 && counts.tiles >= told && counts.tiles <= told + 16 && counts.tiles % 16 == 0)
      #expect(database.takeNotices() == [])
      #expect(try database.ambientBytes() == 0)
      try database.deleteRegion(region.id, now: 1)
      try database.clearAmbientCache()
    }
    #expect(folder.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test(.enabled(if: worker != nil, absent)) func aFileThatMayNotGrowIsAFullDisk() throws {
    for bytes in ["300000", "1000000"] {
      let pid = try spawn(["fill", folder.path, bytes], output: folder.folder.file("out"))
      #expect(wait(pid) == 0, "\(text("out"))")
      let database = try folder.open()
      #expect(database.takeNotices() == [])
      try database.clearAmbientCache()
      database.close()
      #expect(folder.rows("PRAGMA integrity_check") == ["ok"])
    }
  }

  // MARK: Disks

  /// Runs the body on a small file system of its own; nothing where the system does not let us make one.
  private func onDisk(_ kilobytes: Int, _ body: (String) throws -> Void) throws {
    let place = folder.folder.file("disk")
    mkdir(place, 0o700)
    defer { rmdir(place) }
    guard mount("none", place, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      print("skipped: no file system can be mounted here")
      return
    }
    defer { umount2(place, 0) }
    try body(place)
  }

  @Test func aFullDiskIsToldOnceAndNothingIsLost() throws {
    try onDisk(1500) { place in
      let database = try ResourceDatabase(path: place + "/cache.db")
      let region = try database.createRegion(world, metadata: [])
      var stored = 0
      while stored < 500 {
        do throws(NeatError) {
          _ = try database.putRegionResources(
            [(tile(stored), data(noise(10_000, UInt64(stored))))], region: region.id, now: 1)
          stored += 1
        } catch {
          #expect(error.code == .io && error.message.contains("disk is full"))
          break
        }
      }
      #expect(stored > 5 && stored < 150)
      #expect(database.lastFailure == .diskFull)
      expectFailure(.io, database.path) { try database.put(tile(900), data(noise(10_000)), now: 1) }
      #expect(database.takeNotices().map(\.failure) == [.diskFull])
      for index in 0..<stored {
        #expect(try database.get(tile(index), now: 1)?.content == .data(noise(10_000, UInt64(index))))
      }
      #expect(try database.counts(ofRegion: region.id).tiles == Int64(stored))
      // Room again, by deleting: it goes on, and would tell again.
      try? database.deleteRegion(region.id, now: 1)
      try? database.clearAmbientCache()
      database.close()
      let again = try ResourceDatabase(path: place + "/cache.db")
      #expect(again.takeNotices() == [])
      again.close()
    }
  }

  @Test func aDiskWithoutAnyRoomIsAnErrorOnOpening() throws {
    try onDisk(8) { place in
      let path = place + "/cache.db"
      do throws(NeatError) {
        _ = try ResourceDatabase(path: path)
        Issue.record("it was opened")
      } catch {
        #expect(error.code == .io && error.resource == path, "\(error)")
      }
    }
  }

  @Test func aReadOnlyDiskIsReadAndSaysSo() throws {
    try onDisk(2000) { place in
      let path = place + "/cache.db"
      do {
        let database = try ResourceDatabase(path: path)
        try database.put(tile(1), data([1]), now: 1)
        database.close()
      }
      #expect(mount("none", place, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
      let database = try ResourceDatabase(path: path)
      #expect(database.isReadOnly)
      #expect(try database.get(tile(1), now: 2) == data([1]))
      expectFailure(.io, path) { try database.put(tile(2), data([1]), now: 2) }
      expectFailure(.io, path) { try database.clearAmbientCache() }
      expectFailure(.io, path) { try database.pack() }
      expectFailure(.io, path) { _ = try database.createRegion(world, metadata: []) }
      #expect(database.lastFailure == .readOnly)
      // Once, however often.
      #expect(database.takeNotices().map(\.failure) == [.readOnly])
      database.close()
      do throws(NeatError) {
        _ = try ResourceDatabase(path: place + "/other.db")
        Issue.record("it was made")
      } catch {
        #expect(error.code == .io, "\(error)")
      }
    }
  }

  // MARK: Locks

  @Test func aLockThatDoesNotEndIsATimeout() throws {
    let database = try folder.open { $0.busyTimeoutMS = 100 }
    try database.put(tile(1), data([1]), now: 1)
    var other: OpaquePointer?
    sqlite3_open(folder.path, &other)
    #expect(sqlite3_exec(other, "BEGIN IMMEDIATE; UPDATE tiles SET etag = 'x'", nil, nil, nil) == SQLITE_OK)
    expectFailure(.timeout, database.path) { try database.put(tile(2), data([2]), now: 1) }
    #expect(database.lastFailure == .locked)
    expectFailure(.timeout, database.path) { try database.put(tile(2), data([2]), now: 1) }
    #expect(database.takeNotices().map(\.failure) == [.locked])
    // Reading goes on, and waits with the times of use.
    #expect(try database.get(tile(1), now: 500) == data([1]))
    #expect(try database.get(tile(1), now: 600) == data([1]))
    sqlite3_exec(other, "ROLLBACK", nil, nil, nil)
    sqlite3_close(other)
    try database.put(tile(2), data([2]), now: 1)
    #expect(try database.get(tile(2), now: 700) == data([2]))
    #expect(folder.rows("SELECT accessed FROM tiles WHERE x = 1") == ["600"])
  }

  @Test func aFolderThatOthersHoldIsATimeout() throws {
    let descriptor = open(folder.folder.path, O_RDONLY | O_DIRECTORY)
    #expect(flock(descriptor, LOCK_EX) == 0)
    expectFailure(.timeout, folder.path) { _ = try folder.open { $0.busyTimeoutMS = 50 } }
    close(descriptor)
    _ = try folder.open()
  }

  @Test func databasesOfSeveralThreadsShareAFile() throws {
    var threads = [pthread_t](repeating: pthread_t(), count: 6)
    for index in threads.indices {
      let context = Unmanaged.passRetained(ThreadWork(folder.path, index)).toOpaque()
      pthread_create(
        &threads[index], nil,
        { context in
          Unmanaged<ThreadWork>.fromOpaque(context!).takeRetainedValue().run() ? nil : context
        }, context)
    }
    for thread in threads {
      var result: UnsafeMutableRawPointer?
      pthread_join(thread, &result)
      #expect(result == nil)
    }
    #expect(folder.rows("PRAGMA integrity_check") == ["ok"])
    #expect(folder.rows("SELECT count(*) FROM tiles") == ["300"])
  }

  private final class ThreadWork {
    let path: String
    let index: Int
    init(_ path: String, _ index: Int) { (self.path, self.index) = (path, index) }

    func run() -> Bool {
      var options = DatabaseOptions()
      options.busyTimeoutMS = 20_000
      do {
        let database = try ResourceDatabase(path: path, options: options)
        for x in 0..<50 { try database.put(tile(x, index), data(noise(2000, UInt64(x))), now: 1) }
        for x in 0..<50 where try database.get(tile(x, index), now: 1) != data(noise(2000, UInt64(x))) {
          return false
        }
        return database.takeNotices().isEmpty
      } catch {
        return false
      }
    }
  }
}
