import Neatline

/// The capabilities of a style's tiles as OGC WMTS 1.0.0 has them, for GIS programs.
enum WMTS {
  static func capabilities(_ style: StyleSite, _ origin: String) -> HTTPAnswer {
    let name = escapedXML(style.name)
    let id = escapedXML(style.id)
    let base = escapedXML("\(origin)/styles/\(escaped(style.id))")
    let layers = [(256, "GoogleMapsCompatible_256"), (512, "GoogleMapsCompatible_512")].map { edge, set in
      """
          <Layer>
            <ows:Title>\(name)\(edge == 256 ? "" : " (512)")</ows:Title>
            <ows:Abstract>\(name)</ows:Abstract>
            <ows:WGS84BoundingBox>
              <ows:LowerCorner>-180 -85.051128779807</ows:LowerCorner>
              <ows:UpperCorner>180 85.051128779807</ows:UpperCorner>
            </ows:WGS84BoundingBox>
            <ows:Identifier>\(id)-\(edge)</ows:Identifier>
            <Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style>
            <Format>image/png</Format>
            <TileMatrixSetLink><TileMatrixSet>\(set)</TileMatrixSet></TileMatrixSetLink>
            <ResourceURL format="image/png" resourceType="tile" template="\(base)/\(edge)/{TileMatrix}/{TileCol}/{TileRow}.png"/>
          </Layer>
      """
    }
    func operation(_ name: String, _ address: String) -> String {
      """
          <ows:Operation name="\(name)">
            <ows:DCP><ows:HTTP><ows:Get xlink:href="\(address)">
              <ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>RESTful</ows:Value></ows:AllowedValues></ows:Constraint>
            </ows:Get></ows:HTTP></ows:DCP>
          </ows:Operation>
      """
    }
    let sets = [(256, "GoogleMapsCompatible_256"), (512, "GoogleMapsCompatible_512")].map { edge, set in
      """
          <TileMatrixSet>
            <ows:Title>\(set)</ows:Title>
            <ows:Identifier>\(set)</ows:Identifier>
            <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
      \((0...(edge == 256 ? 22 : 21)).map { matrix($0, edge) }.joined(separator: "\n"))
          </TileMatrixSet>
      """
    }
    return HTTPAnswer(
      status: 200, type: "application/xml",
      body: Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" \
        xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
          <ows:ServiceIdentification>
            <ows:Title>\(name)</ows:Title>
            <ows:ServiceType>OGC WMTS</ows:ServiceType>
            <ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>
          </ows:ServiceIdentification>
          <ows:OperationsMetadata>
        \(operation("GetCapabilities", base + "/wmts.xml"))
        \(operation("GetTile", base + "/"))
          </ows:OperationsMetadata>
          <Contents>
        \((layers + sets).joined(separator: "\n"))
          </Contents>
          <ServiceMetadataURL xlink:href="\(base)/wmts.xml"/>
        </Capabilities>

        """.utf8)
    ).named()
  }

  private static func matrix(_ zoom: Int, _ edge: Int) -> String {
    // Meters of the equator, over pixels of 0.28 mm.
    let scale = 40_075_016.685578488 / Double(edge) / Double(1 << zoom) / 0.00028
    let count = 1 << zoom
    return "        <TileMatrix><ows:Identifier>\(zoom)</ows:Identifier>"
      + "<ScaleDenominator>\(scale)</ScaleDenominator>"
      + "<TopLeftCorner>-20037508.342789244 20037508.342789244</TopLeftCorner>"
      + "<TileWidth>\(edge)</TileWidth><TileHeight>\(edge)</TileHeight>"
      + "<MatrixWidth>\(count)</MatrixWidth><MatrixHeight>\(count)</MatrixHeight></TileMatrix>"
  }
}

/// Text within XML and HTML.
func escapedXML(_ text: String) -> String {
  var result = ""
  for character in text.unicodeScalars {
    switch character {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    default:
      // What XML cannot have at all.
      if character.value >= 32 || character == "\n" || character == "\t" {
        result.unicodeScalars.append(character)
      }
    }
  }
  return result
}
