import NeatTestSupport
import Neatline

/// The switch of the whole process: resources, and renderers without any.
func switchedOff() throws {
  let service = ServiceDouble { request, _ in Pages.answer(request) }
  try install(service)
  let resources = try Resources()
  OfflineSwitch.shared.isMapboxStackConnected = false
  expectEqual(OfflineSwitch.shared.isMapboxStackConnected, false)
  for options in [Pages.options(resources), Options()] {
    expectEqual(failure { _ = try Pages.draw(options) }?.status, .network)
  }
  expectEqual(service.requests.count, 0)
  OfflineSwitch.shared.isMapboxStackConnected = true
  expectEqual(try Pages.draw(Pages.options(resources)).pixel, Pages.red)
  // What has drawn already asks nobody either.
  let before = service.requests.count
  OfflineSwitch.shared.isMapboxStackConnected = false
  expectEqual(failure { _ = try Pages.draw(Pages.options(resources)) }?.status, .network)
  expectEqual(service.requests.count, before)
}
