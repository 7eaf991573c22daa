import Glibc
import NeatBase
import NeatLoop
import Synchronization
import Testing

@testable import NeatLive

/// Pictures that are drawn at the same time share the processors.
@Suite struct PicturesAtWorkTests {
  @Test func onePictureHasAllAndManyHaveOneEach() throws {
    let pictures = PicturesAtWork()
    #expect(pictures.share(of: 8) == 8)
    try pictures.working { () throws(NeatError) in
      #expect(pictures.share(of: 8) == 8)
      try pictures.working { () throws(NeatError) in
        #expect(pictures.share(of: 8) == 4 && pictures.share(of: 2) == 1 && pictures.share(of: 1) == 1)
        // Who waits for what it loads needs no processor.
        pictures.waiting { #expect(pictures.share(of: 8) == 8) }
        #expect(pictures.share(of: 3) == 1)
      }
    }
    #expect(throws: NeatError.self) {
      try pictures.working { () throws(NeatError) in throw NeatError(.cancelled, "") }
    }
    #expect(pictures.share(of: 8) == 8)
  }

  /// What a picture may use is looked at each time there is work.
  @Test func aShareIsHeededWhileThePictureIsDrawn() throws {
    let share = Mutex(3)
    let executor = WorkerPool(width: 4).executor { share.withLock { $0 } }
    #expect(executor.width == 3)
    share.withLock { $0 = 1 }
    let caller = pthread_self()
    let others = Mutex(0)
    executor.forEach(100) { _ in
      if pthread_self() != caller { others.withLock { $0 += 1 } }
    }
    #expect(others.withLock { $0 } == 0)
  }
}
