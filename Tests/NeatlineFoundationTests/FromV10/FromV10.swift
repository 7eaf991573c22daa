import Foundation
import NeatTestSupport
import Neatline
import NeatlineFoundation
import Testing

/// The snippets of the guide to version 10 of the mobile SDKs, as near to its words as Linux allows:
/// docs/from-v10.md shows both side by side. One after the other, as the application's resource options are one for
/// the process.
@Suite(.serialized) struct FromV10 {
  static let style = #"""
    {"version":8,"center":[2,48],"zoom":3,"sources":{"places":{"type":"geojson","data":{"type":"Point",
     "coordinates":[2,48]}}},
     "layers":[{"id":"land","type":"background","paint":{"background-color":"#00ff00"}},
               {"id":"country-label","type":"symbol","source":"places","layout":{"text-field":["get","name"]}},
               {"id":"city-label","type":"symbol","source":"places","layout":{"text-field":["get","name"]}}]}
    """#

  /// A provider's server on loopback, which stands for api.mapbox.com, and the application's options for it.
  final class Provider {
    let server: TestServer

    init(style: String = FromV10.style) {
      server = TestServer { request in
        guard request.path.contains("access_token=my-application-access-token") else { return .status(401) }
        if request.path.hasPrefix("/styles/v1/mapbox/streets-v11?") {
          return .status(200, [:], Array(style.utf8))
        }
        if request.path.hasPrefix("/v4/mapbox.mapbox-terrain-dem-v1.json?") {
          return .status(
            200, [:], Array(#"{"tilejson":"2.2.0","tiles":["https://dem.invalid/{z}/{x}/{y}.png"]}"#.utf8))
        }
        return .status(404)
      }
      ResourceOptionsManager.destroyDefault()
      ResourceOptionsManager.default.resourceOptions.baseURL = URL(string: server.url(""))
      ResourceOptionsManager.default.resourceOptions.accessToken = "my-application-access-token"
    }

    deinit {
      ResourceOptionsManager.destroyDefault()
      server.stop()
    }
  }

  /// Stands for the window of a view controller.
  static let bounds = CGRect(x: 0, y: 0, width: 64, height: 64)

  /// A map view with the style above, loaded.
  func loadedView(_ frame: CGRect = FromV10.bounds, hostPaces: Bool = false) throws -> MapView {
    let mapView = try MapView(frame: frame, mapInitOptions: MapInitOptions(styleURI: nil))
    if hostPaces { try mapView.mapboxMap.setFramePacing(.host) }
    var failure: (any Error)?
    mapView.mapboxMap.loadStyleJSON(Self.style) { result in
      if case .failure(let error) = result { failure = error }
    }
    mapView.loop.run(timeout: 20_000)
    if let failure { throw failure }
    if hostPaces { try mapView.mapboxMap.beginFrame(milliseconds: 0) }
    return mapView
  }

  /// Red, green and blue of a pixel of what is shown.
  func pixel(_ mapView: MapView, _ x: Int = 32, _ y: Int = 32) throws -> [UInt8] {
    let image = try mapView.mapboxMap.draw()
    return image.withPixels { Array($0[4 * (y * image.width + x)..<4 * (y * image.width + x) + 3]) }
  }
}

/// As a host has them for the image `red_pin` of its catalogue.
func redPin() throws -> Image {
  try Image(width: 8, height: 8, pixels: [UInt8]((0..<64).flatMap { _ in [255, 0, 0, 255] as [UInt8] }))
}
