import NeatBase
import NeatStore

// Another process for the tests of the resource database, and its figures:
//
//   NeatDatabaseWorker mixed PATH SECONDS SEED     reads and writes, and checks what it reads
//   NeatDatabaseWorker region PATH BATCH           fills a region, and prints how much it has after each batch
//   NeatDatabaseWorker fill PATH BYTES             stores in a file that may have so many bytes
//   NeatDatabaseWorker bench FOLDER [TILE]         prints reads and writes a second, and opening times

func now() -> Int64 { Int64(time(nil)) }

func fail(_ what: String) -> Never {
  say(what, to: 2)
  exit(1)
}

/// A line that comes out at once, also into a file.
func say(_ line: String, to descriptor: Int32 = 1) {
  let bytes = Array((line + "\n").utf8)
  _ = write(descriptor, bytes, bytes.count)
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { fail("usage: NeatDatabaseWorker MODE PATH …") }
func argument(_ index: Int) -> Int {
  guard arguments.count > index, let value = Int(arguments[index]) else {
    fail("argument \(index) is no number")
  }
  return value
}

do throws(NeatError) {
  switch arguments[1] {
  case "mixed": try mixed(arguments[2], seconds: argument(3), seed: UInt64(argument(4)))
  case "region": try region(arguments[2], batch: argument(3))
  case "fill": try fill(arguments[2], bytes: argument(3))
  case "bench": try bench(arguments[2], tile: arguments.count > 3 ? arguments[3] : nil)
  default: fail("no mode \(arguments[1])")
  }
} catch {
  fail("\(error)")
}
