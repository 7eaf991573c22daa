// Draws a map of earthquakes by code alone: no style file. Usage: earthquakes QUAKES.geojson
// COUNTRIES.geojson OUT.png
import Neatline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
  print("usage: earthquakes QUAKES.geojson COUNTRIES.geojson OUT.png")
  exit(2)
}

let loop = try EventLoop()
let map = try Map(loop: loop, width: 800, height: 600)
map.onEvery(.mapLoadingError) { print($0) }
try map.setStyle(json: #"{"version":8,"sources":{},"layers":[]}"#)

var land = GeoJSONSource()
land.data = .url(arguments[2])
land.attribution = "Natural Earth"
try map.addSource("land", land)
var events = GeoJSONSource()
events.data = .url(arguments[1])
try map.addSource("quakes", events)

var sea = BackgroundLayer(id: "sea")
sea.backgroundColor = .constant(StyleColor(red: 223, green: 234, blue: 242))
try map.addLayer(sea)

var countries = FillLayer(id: "countries")
countries.source = "land"
countries.fillColor = .constant(StyleColor(red: 244, green: 241, blue: 234))
countries.fillOutlineColor = .constant(StyleColor(red: 201, green: 194, blue: 180))
try map.addLayer(countries)

var quakes = CircleLayer(id: "quakes")
quakes.source = "quakes"
quakes.circleRadius = .expression(
  Exp(.interpolate) {
    Exp(.linear)
    Exp(.get) { "mag" }
    0
    1.5
    6
    14
  })
quakes.circleColor = .expression(
  Exp(.step) {
    Exp(.get) { "mag" }
    "#51bbd6"
    2.5
    "#f1a340"
    4.5
    "#d7301f"
  })
quakes.circleOpacity = .constant(0.7)
try map.addLayer(quakes)

try map.setCamera(Camera(longitude: -120, latitude: 45, zoom: 2.2))
loop.run(timeout: 30_000)
let png = try map.draw().png()
guard let file = fopen(arguments[3], "wb") else {
  print("cannot write \(arguments[3])")
  exit(1)
}
fwrite(png, 1, png.count, file)
fclose(file)
