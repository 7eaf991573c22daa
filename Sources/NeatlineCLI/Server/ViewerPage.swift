/// The page at `/`: a map to drag and zoom, in a few lines of script without any library.
enum ViewerPage {
  static func html(longitude: Double, latitude: Double, zoom: Double) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Neatline</title>
    <style>
      html, body { margin: 0; height: 100%; overflow: hidden; background: #dde3e8; font: 12px sans-serif }
      #map { position: absolute; inset: 0; cursor: grab; touch-action: none }
      #map img { position: absolute; width: 256px; height: 256px; user-select: none; -webkit-user-drag: none }
      #at { position: absolute; right: 0; bottom: 0; padding: 2px 6px; background: #fffc }
    </style></head><body><div id="map"></div><div id="at"></div>
    <script>
      const map = document.getElementById('map'), at = document.getElementById('at'), tiles = new Map();
      const suffix = devicePixelRatio > 1 ? '@2x.png' : '.png';
      const mx = lon => (lon + 180) / 360, my = lat => (1 - Math.asinh(Math.tan(lat * Math.PI / 180)) / Math.PI) / 2;
      let z = Math.max(0, Math.round(\(zoom)) + 1), x = mx(\(longitude)), y = my(\(latitude));
      function draw() {
        const n = 2 ** z, w = innerWidth, h = innerHeight, ox = x * n * 256 - w / 2, oy = y * n * 256 - h / 2, keep = new Set();
        for (let ty = Math.max(0, Math.floor(oy / 256)); ty <= Math.min(n - 1, Math.floor((oy + h) / 256)); ty++)
          for (let tx = Math.floor(ox / 256); tx <= Math.floor((ox + w) / 256); tx++) {
            const key = `${z}/${tx}/${ty}`; keep.add(key);
            let img = tiles.get(key);
            if (!img) { img = new Image(); img.src = `/${z}/${((tx % n) + n) % n}/${ty}${suffix}`; img.draggable = false; map.append(img); tiles.set(key, img) }
            img.style.transform = `translate(${Math.round(tx * 256 - ox)}px,${Math.round(ty * 256 - oy)}px)`;
          }
        for (const [key, img] of tiles) if (!keep.has(key)) { img.remove(); tiles.delete(key) }
        const lat = Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;
        at.textContent = `${(x * 360 - 180).toFixed(4)}, ${lat.toFixed(4)}, zoom ${z - 1}`;
      }
      let drag = null;
      map.onpointerdown = e => { drag = [e.clientX, e.clientY]; map.setPointerCapture(e.pointerId) };
      map.onpointermove = e => { if (drag) { const s = 256 * 2 ** z; x -= (e.clientX - drag[0]) / s; y -= (e.clientY - drag[1]) / s; y = Math.min(1, Math.max(0, y)); drag = [e.clientX, e.clientY]; draw() } };
      map.onpointerup = () => drag = null;
      let wheel = 0;
      map.onwheel = e => {
        e.preventDefault(); wheel += e.deltaY;
        if (Math.abs(wheel) < 60) return;
        const step = wheel < 0 ? 1 : -1, next = Math.min(22, Math.max(0, z + step)); wheel = 0;
        if (next === z) return;
        const dx = e.clientX - innerWidth / 2, dy = e.clientY - innerHeight / 2, a = 256 * 2 ** z, b = 256 * 2 ** next;
        x += dx / a - dx / b; y += dy / a - dy / b; z = next; draw();
      };
      onresize = draw; draw();
    </script></body></html>
    """
  }
}
