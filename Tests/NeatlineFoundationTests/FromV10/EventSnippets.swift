import Foundation
import Neatline
import NeatlineFoundation
import Testing

// Listening to the map's lifecycle.
extension FromV10 {
  private final class BasicMapViewController {
    var mapView: MapView!
    var accessToken: String!
    var handler: ((Event) -> Void)?
    var printed: [String] = []

    func viewDidLoad() throws {
      ResourceOptionsManager.default.resourceOptions.accessToken = self.accessToken

      mapView = try MapView(frame: FromV10.bounds)

      mapView.mapboxMap.onEvery(.styleDataLoaded) { [weak self] (event) in
        guard let data = event.data as? [String: Any],
          let type = data["type"],
          let handler = self?.handler
        else {
          return
        }

        self?.printed.append("The map has finished loading style data of type = \(type)")
        handler(event)
      }

      mapView.mapboxMap.onNext(.styleLoaded) { (event) in
        self.printed.append("The map has finished loading style ... Event = \(event)")
        self.handler?(event)
      }

      mapView.mapboxMap.onNext(.mapLoaded) { (event) in
        self.printed.append("The map has finished loading... Event = \(event)")
        self.handler?(event)
      }

      mapView.mapboxMap.onNext(.mapIdle) { (event) in
        self.printed.append("The map is idle... Event = \(event)")
        self.handler?(event)
      }

      mapView.mapboxMap.onNext(.mapLoadingError) { (event) in
        guard let data = event.data as? [String: Any],
          let type = data["type"],
          let message = data["message"]
        else {
          return
        }

        self.printed.append("The map failed to load.. \(type) = \(message)")
      }
    }
  }

  @Test func theLifecycleIsHeard() throws {
    let provider = Provider()
    let controller = BasicMapViewController()
    controller.accessToken = "my-application-access-token"
    var kinds: [MapEvent.Kind] = []
    controller.handler = { kinds.append($0.kind) }
    try controller.viewDidLoad()
    controller.mapView.loop.run(timeout: 20_000)
    #expect(kinds == [.styleDataLoaded, .styleDataLoaded, .styleLoaded, .mapLoaded, .mapIdle])
    #expect(
      Array(controller.printed.prefix(2)) == [
        "The map has finished loading style data of type = style",
        "The map has finished loading style data of type = sources",
      ])
    #expect(controller.printed.count == 5)
    withExtendedLifetime(provider) {}
  }

  @Test func aStyleThatCannotBeHadIsHeard() throws {
    let provider = Provider()
    let controller = BasicMapViewController()
    controller.accessToken = "one that is not known"
    try controller.viewDidLoad()
    controller.mapView.loop.run(timeout: 20_000)
    #expect(controller.printed.count == 1)
    #expect(controller.printed.first?.hasPrefix("The map failed to load.. style = ") == true)
    withExtendedLifetime(provider) {}
  }
}
