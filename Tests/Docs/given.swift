// What fragments of Swift in the documentation take for granted: objects that were made before, data of the reader's.
import Neatline

func given<T>(_ type: T.Type = T.self) -> T { fatalError("only compiled") }

var map: Map { given() }
var renderer: Renderer { given() }
var text: String { given() }
var bytes: [UInt8] { given() }
var collection: FeatureCollection { given() }
var newer: [Feature] { given() }
var park: Polygon { given() }
var x: Double { given() }
var y: Double { given() }
