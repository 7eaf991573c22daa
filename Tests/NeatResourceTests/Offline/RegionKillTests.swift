import NeatBase
import NeatLoop
import NeatResource
import NeatStore
import NeatTestSupport
import Testing

@Suite struct RegionKillTests {
  private static let worker = TestProgram("NeatOfflineWorker")
  private static let absent: Comment = "needs NeatOfflineWorker beside the tests"

  private func spawn(_ arguments: [String]) throws -> pid_t {
    let program = try #require(Self.worker).path
    var pid = pid_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    #expect(posix_spawn(&pid, program, &actions, nil, &words, environ) == 0)
    return pid
  }

  @Test(.enabled(if: worker != nil, absent)) func aKilledDownloadGoesOnWhereItWas() throws {
    let world = try RegionWorld(tiles: #"{"tiles":["t/{z}/{x}/{y}.pbf"],"minzoom":0,"maxzoom":5}"#)
    // Fresh for the other process too, which has the machine's clock.
    world.trouble.withLock {
      $0 = { request in
        request.path == "/style.json" || request.path == "/v.json"
          ? nil : .status(200, ["ETag": "x"], Array(request.path.utf8))
      }
    }
    let id = try world.make(world.definition(zooms: 0...5))
    world.cache.close()
    var total = 0
    for part in [200, 600, 1100] {
      let pid = try spawn([world.path, "\(id)"])
      let late = Deadline.after(ms: 20_000)
      while world.asked.count < part, !late.isOver { usleep(1000) }
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
      #expect(status & 0x7f == SIGKILL, "\(status >> 8) at \(part) after \(world.asked.count)")
      total = world.asked.count
    }
    // Let what was sent in the last moment arrive.
    usleep(50_000)
    let pid = try spawn([world.path, "\(id)"])
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    #expect(status == 0)
    try world.open()
    let known = try world.regions.status(id)
    #expect(known.state == .complete && known.requiredTiles == 1365)
    let asked = world.asked
    let repeated = asked.count - Set(asked).count
    // 64 for each time that it was killed.
    #expect(repeated <= 3 * 64, "\(repeated) of \(asked.count), \(total) before the last")
    #expect(Set(asked).count == Int(known.required))
  }
}
