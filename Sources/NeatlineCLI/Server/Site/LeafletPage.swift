import Neatline

/// A viewer of a style's tiles with Leaflet.
enum LeafletPage {
  /// `id`: as it stands in the address. `live`: how to get to the page of the live map.
  static func html(_ name: String, id: String, root: String, _ camera: Camera, live: String?) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(escapedXML(name))</title>
    <link rel="stylesheet" href="\(root)viewer/leaflet.css">
    <style>
    html, body, #map { margin: 0; height: 100%; background: #dde3e8 }
    .leaflet-control-attribution { max-width: 100vw; box-sizing: border-box }
    </style></head><body>
    <div id="map" data-id="\(id)" \(live.map { "data-live=\"\($0)\" " } ?? "")\(Pages.place(camera))></div>
    <script src="\(root)viewer/leaflet.js"></script>
    <script src="\(root)viewer/credit.js"></script>
    <script src="\(root)viewer/map.js"></script>
    </body></html>

    """
  }

  /// The world of Leaflet is 256 pixels at zoom 0; its zooms are one more than the style's.
  static let script = #"""
    const place = document.getElementById('map').dataset;
    const map = L.map('map', { center: [+place.lat, +place.lon], zoom: Math.round(+place.zoom + 1), minZoom: 1 });
    map.attributionControl.setPrefix('<a href="https://leafletjs.com" target="_blank" rel="noopener">Leaflet</a>');
    function readHash() {
      const parts = location.hash.slice(1).split('/').map(Number);
      if (parts.length >= 3 && parts.slice(0, 3).every(Number.isFinite)) map.setView([parts[1], parts[2]], parts[0]);
    }
    readHash();
    addEventListener('hashchange', readHash);
    map.on('moveend', () => {
      const at = map.getCenter().wrap();
      history.replaceState(null, '', `#${map.getZoom()}/${at.lat.toFixed(5)}/${at.lng.toFixed(5)}`);
    });
    L.tileLayer(`256/{z}/{x}/{y}${devicePixelRatio > 1 ? '@2x' : ''}.png`, { maxZoom: 22 }).addTo(map);
    L.control.scale().addTo(map);
    if (place.live) map.attributionControl.addAttribution(`<a href="${place.live}">Live map</a>`);
    fetch(`../${place.id}.json`).then(answer => answer.json()).then(about => {
      if (about.attribution) map.attributionControl.addAttribution(credit(about.attribution).innerHTML);
    }).catch(() => {});

    """#
}

/// What both viewers share.
enum ViewerCredit {
  static let script = #"""
    // Attributions are HTML of others: words and links of theirs are shown, nothing else of it.
    function credit(html) {
      const span = document.createElement('span');
      const copy = (from, to) => { for (const node of from.childNodes) {
        if (node.nodeType === 3) to.append(node.data);
        else if (node.nodeName === 'A' && /^https?:/i.test(node.getAttribute('href') || '')) {
          const link = document.createElement('a'); link.href = node.getAttribute('href'); link.target = '_blank'; link.rel = 'noopener';
          copy(node, link); to.append(link);
        } else if (!/^(SCRIPT|STYLE)$/.test(node.nodeName)) copy(node, to);
      } };
      copy(new DOMParser().parseFromString(html, 'text/html').body, span);
      return span;
    }
    """#
}
