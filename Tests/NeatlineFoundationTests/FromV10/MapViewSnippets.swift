import Foundation
import NeatTestSupport
import Neatline
import NeatlineFoundation
import Testing

// ResourceOptions configuration, display a map, style loading functions.
extension FromV10 {
  @Test func theAccessTokenIsSetForTheApplication() throws {
    let provider = Provider()
    ResourceOptionsManager.default.resourceOptions.accessToken = ""

    func applicationDidFinishLaunching() {
      // Override point for customization after application launch.
      ResourceOptionsManager.default.resourceOptions.accessToken = "my-application-access-token"
    }

    #expect(MapInitOptions().resourceOptions.accessToken == "")
    applicationDidFinishLaunching()
    #expect(MapInitOptions().resourceOptions.accessToken == "my-application-access-token")
    let mapView = try MapView(frame: Self.bounds)
    mapView.loop.run(timeout: 20_000)
    #expect(mapView.mapboxMap.isLoaded && mapView.mapboxMap.style.uri == .streets)
    #expect(
      provider.server.countOfPaths {
        $0 == "/styles/v1/mapbox/streets-v11?access_token=my-application-access-token"
      } == 1)
    // Managers of one's own have theirs.
    let own = ResourceOptionsManager(accessToken: "another")
    #expect(own.resourceOptions.accessToken == "another" && own.resourceOptions.baseURL == nil)
    own.update { $0.baseURL = URL(string: "https://maps.example") }
    #expect(own.resourceOptions.baseURL?.host() == "maps.example")
    #expect(ResourceOptionsManager.default.resourceOptions.accessToken == "my-application-access-token")
  }

  private final class BasicMapViewController {
    var mapView: MapView!
    var accessToken: String!

    func viewDidLoad() throws {
      ResourceOptionsManager.default.resourceOptions.accessToken = self.accessToken

      mapView = try MapView(frame: FromV10.bounds)
    }
  }

  @Test func aMapIsDisplayed() throws {
    let provider = Provider()
    let controller = BasicMapViewController()
    controller.accessToken = "my-application-access-token"
    try controller.viewDidLoad()
    controller.mapView.loop.run(timeout: 20_000)
    #expect(try pixel(controller.mapView, 4, 4) == [0, 255, 0])
    #expect(controller.mapView.cameraState.center == CLLocationCoordinate2D(latitude: 48, longitude: 2))
    controller.mapView.frame.size.width = 32
    #expect(controller.mapView.size == PictureSize(32, 64))
    controller.mapView.frame = .zero
    #expect(controller.mapView.bounds == CGRect(x: 0, y: 0, width: 32, height: 64), "it is not taken")
    withExtendedLifetime(provider) {}
  }

  @Test func aStyleIsLoadedLater() throws {
    let provider = Provider()
    let bounds = Self.bounds
    var told: [String] = []

    // Pass a nil StyleURI to stop the map from loading a default style
    let mapView = try MapView(frame: bounds, mapInitOptions: MapInitOptions(styleURI: nil))

    mapView.loop.run(timeout: 1000)
    #expect(provider.server.countOfPaths { _ in true } == 0 && !mapView.mapboxMap.isLoaded)

    mapView.mapboxMap.loadStyleURI(.streets) { result in
      switch result {
      case .success(let style):
        told.append("The map has finished loading the style")
        // Do something with `style`
        #expect(style.uri == .streets && style.layerExists(withId: "land"))

      case let .failure(error):
        told.append("The map failed to load the style: \(error)")
      }
    }

    mapView.loop.run(timeout: 20_000)
    #expect(told == ["The map has finished loading the style"])
    mapView.mapboxMap.loadStyleURI(.satellite) { result in
      if case let .failure(error) = result { told.append("\(error)") }
    }
    mapView.loop.run(timeout: 20_000)
    #expect(told.count == 2 && told[1].contains("mapbox://styles/mapbox/satellite-v9"), "\(told)")
    mapView.mapboxMap.loadStyleJSON("{") { result in
      if case .failure = result { told.append("no style") }
    }
    #expect(told.last == "no style")
  }

  @Test func stylesOfTheProviderHaveTheirAddresses() {
    #expect(StyleURI.streets.rawValue == "mapbox://styles/mapbox/streets-v11")
    let all: [StyleURI] = [.streets, .outdoors, .light, .dark, .satellite, .satelliteStreets]
    #expect(Set(all).count == 6 && all.allSatisfy { $0.rawValue.hasPrefix("mapbox://styles/mapbox/") })
    #expect(StyleURI(url: URL(filePath: "/styles/a b.json")).rawValue == "/styles/a b.json")
  }

  @Test func withoutATokenTheProvidersAddressesFail() throws {
    ResourceOptionsManager.destroyDefault()
    let mapView = try MapView(frame: Self.bounds)
    var message = ""
    mapView.mapboxMap.onNext(event: .mapLoadingError) { message = $0.payload.message }
    mapView.loop.run(timeout: 5000)
    #expect(message.contains("mapbox"))
  }
}
