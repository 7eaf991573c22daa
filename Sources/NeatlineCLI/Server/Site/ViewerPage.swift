import Neatline

/// The page at `/`: a map to drag and zoom, in a few lines of script without any library.
enum ViewerPage {
  /// `root`: how to get from the page to where the server begins. `live`: to the page of the live map.
  static func html(_ name: String, root: String, _ camera: Camera, live: String?) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(escapedXML(name))</title>
    <style>\(style)</style></head><body>
    <div id="map" tabindex="0" role="application" aria-label="Map: arrow keys move it, + and - zoom" \(Pages.place(camera))></div>
    <div id="buttons"><button id="in" aria-label="Zoom in">+</button><button id="out" aria-label="Zoom out">&minus;</button></div>
    <div id="foot"><span id="at"></span> <span id="credit"></span>\(live.map { " <a href=\"\($0)\">Live map</a>" } ?? "")</div>
    <script src="\(root)viewer/credit.js"></script>
    <script src="\(root)viewer/plain.js"></script>
    </body></html>

    """
  }

  private static let style = """
    html, body { margin: 0; height: 100%; overflow: hidden; background: #dde3e8; font: 12px/1.5 sans-serif }
    #map { position: absolute; inset: 0; isolation: isolate; cursor: grab; touch-action: none; overflow: hidden; outline: none }
    #map:focus-visible { box-shadow: inset 0 0 0 2px #36c }
    #map.held { cursor: grabbing }
    #map img { position: absolute; left: 0; top: 0; width: 256px; height: 256px; transform-origin: 0 0; user-select: none; -webkit-user-drag: none }
    #buttons { position: absolute; left: 10px; top: 10px; display: flex; flex-direction: column; box-shadow: 0 0 0 2px #0002; border-radius: 4px }
    #buttons button { width: 32px; height: 32px; border: 0; background: #fff; font: 20px/1 sans-serif; cursor: pointer }
    #buttons button:first-child { border-radius: 4px 4px 0 0; border-bottom: 1px solid #ccc }
    #buttons button:last-child { border-radius: 0 0 4px 4px }
    #buttons button:hover { background: #f0f0f0 }
    #buttons button:disabled { color: #bbb; cursor: default }
    #foot { position: absolute; right: 0; bottom: 0; max-width: 100%; padding: 1px 6px; background: #fffc; color: #333 }
    #foot a { color: #06c }
    """

  /// Longitude and latitude are kept as x and y of the Mercator square, 0 to 1. The world is 512 * 2^zoom
  /// pixels wide; tiles of 256 pixels are one level deeper. Tiles of other levels stay, scaled, under those
  /// of this one until all of these are there.
  static let script = #"""
    const base = '.';
    const $ = id => document.getElementById(id), map = $('map'), tiles = new Map(), held = new Map();
    const suffix = devicePixelRatio > 1 ? '@2x.png' : '.png', maxZoom = 21;
    const toX = lon => (lon + 180) / 360, toY = lat => (1 - Math.asinh(Math.tan(lat * Math.PI / 180)) / Math.PI) / 2;
    const lon = () => (x - Math.floor(x)) * 360 - 180, lat = () => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;
    const clamp = (v, low, high) => Math.min(high, Math.max(low, v));
    const start = { lon: +map.dataset.lon, lat: +map.dataset.lat, zoom: +map.dataset.zoom };
    let x = 0.5, y = 0.5, zoom = 0, motion = 0, hashTimer = 0, frame = 0;

    function readHash() {
      const parts = location.hash.slice(1).split('/').map(Number);
      if (parts.length < 3 || !parts.slice(0, 3).every(Number.isFinite)) return false;
      [zoom, y, x] = [parts[0], toY(clamp(parts[1], -85.05, 85.05)), toX(parts[2])];
      return true;
    }
    function writeHash() {
      const digits = Math.max(0, Math.ceil(zoom) + 2 > 7 ? 6 : 4);
      history.replaceState(null, '', `#${+zoom.toFixed(2)}/${lat().toFixed(digits)}/${lon().toFixed(digits)}`);
    }
    // The view never leaves the world: no further out than it is high, no higher or lower than its edges; to the sides it goes round, and x goes on.
    function keepInside() {
      const low = Math.log2(innerHeight / 512);
      zoom = clamp(zoom, low, Math.max(low, maxZoom));
      const half = innerHeight / 2 / (512 * 2 ** zoom);
      y = half >= 0.5 ? 0.5 : clamp(y, half, 1 - half);
      $('in').disabled = zoom >= maxZoom - 1e-6; $('out').disabled = zoom <= low + 1e-6;
    }
    function draw() { if (!frame) frame = requestAnimationFrame(() => { frame = 0; paint() }) }
    function paint() {
      keepInside();
      const world = 512 * 2 ** zoom, level = clamp(Math.round(zoom) + 1, 0, 22), count = 2 ** level, size = world / count;
      const left = x * world - innerWidth / 2, top = y * world - innerHeight / 2, wanted = new Set();
      for (let ty = Math.max(0, Math.floor(top / size)); ty <= Math.min(count - 1, Math.floor((top + innerHeight) / size)); ty++)
        for (let tx = Math.floor(left / size); tx <= Math.floor((left + innerWidth) / size); tx++) {
          const key = `${level}/${tx}/${ty}`;
          wanted.add(key);
          if (!tiles.has(key)) load(key, level, tx, ty, count);
        }
      const isWhole = [...wanted].every(key => tiles.get(key).done);
      for (const [key, tile] of tiles) {
        const edge = world / 2 ** tile.level, near = Math.round(tile.tx * edge - left), far = Math.round((tile.tx + 1) * edge - left);
        const high = Math.round(tile.ty * edge - top), deep = Math.round((tile.ty + 1) * edge - top);
        const isSeen = far > 0 && deep > 0 && near < innerWidth && high < innerHeight;
        if (!wanted.has(key) && (isWhole || !tile.done || !isSeen || tiles.size > 600)) { drop(key, tile); continue }
        tile.img.style.transform = `translate(${near}px,${high}px) scale(${(far - near) / 256},${(deep - high) / 256})`;
        tile.img.style.zIndex = tile.level === level ? 99 : tile.level;
      }
      $('at').textContent = `${lat().toFixed(4)}, ${lon().toFixed(4)} · zoom ${zoom.toFixed(1)}`;
      clearTimeout(hashTimer); hashTimer = setTimeout(writeHash, 200);
    }
    function load(key, level, tx, ty, count) {
      const img = new Image(), tile = { img, level, tx, ty, done: false, tries: 0 };
      const url = `${base}/256/${level}/${((tx % count) + count) % count}/${ty}${suffix}`;
      img.alt = ''; img.draggable = false; img.style.visibility = 'hidden';
      img.onload = () => { tile.done = true; img.style.visibility = ''; draw() };
      // A server that is busy is asked again, later and later; a tile that never comes does not keep the others from the screen.
      img.onerror = () => {
        if (!tiles.has(key)) return;
        if (tile.tries++ < 4) tile.timer = setTimeout(() => { img.src = url }, 500 * 2 ** tile.tries); else { tile.done = true; draw() }
      };
      img.src = url; map.append(img); tiles.set(key, tile);
    }
    function drop(key, tile) { tiles.delete(key); clearTimeout(tile.timer); tile.img.onload = tile.img.onerror = null; tile.img.src = ''; tile.img.remove() }

    // Zooms by a step about a point of the screen, which keeps its place.
    function zoomBy(step, cx = innerWidth / 2, cy = innerHeight / 2) {
      const dx = cx - innerWidth / 2, dy = cy - innerHeight / 2, before = 512 * 2 ** zoom;
      zoom += step; const low = Math.log2(innerHeight / 512); zoom = clamp(zoom, low, Math.max(low, maxZoom));
      const after = 512 * 2 ** zoom;
      x += dx / before - dx / after; y += dy / before - dy / after; draw();
    }
    function panBy(dx, dy) { const world = 512 * 2 ** zoom; x += dx / world; y += dy / world; draw() }
    function ease(step) {
      const run = ++motion, begin = performance.now(); let done = 0;
      const tick = now => {
        if (run !== motion) return;
        const t = clamp((now - begin) / 200, 0, 1), part = t * (2 - t);
        step(part - done, t); done = part;
        if (t < 1) requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }
    const zoomTo = (goal, cx, cy) => { const way = goal - zoom; ease((part, t) => zoomBy(t < 1 ? way * part : goal - zoom, cx, cy)) };
    const stepUp = () => Math.floor(zoom + 1 + 1e-6), stepDown = () => Math.ceil(zoom - 1 - 1e-6);

    map.onpointerdown = e => { motion++; map.setPointerCapture(e.pointerId); held.set(e.pointerId, e); map.classList.add('held') };
    map.onpointermove = e => {
      const old = held.get(e.pointerId); if (!old) return;
      const other = [...held.values()].find(p => p.pointerId !== e.pointerId);
      if (!other) panBy(old.clientX - e.clientX, old.clientY - e.clientY);
      else {
        const reach = p => Math.max(1, Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY));
        panBy((old.clientX - e.clientX) / 2, (old.clientY - e.clientY) / 2);
        zoomBy(Math.log2(reach(e) / reach(old)), (e.clientX + other.clientX) / 2, (e.clientY + other.clientY) / 2);
      }
      held.set(e.pointerId, e);
    };
    map.onpointerup = map.onpointercancel = e => { held.delete(e.pointerId); if (!held.size) map.classList.remove('held') };
    map.ondblclick = e => zoomTo(e.shiftKey ? stepDown() : stepUp(), e.clientX, e.clientY);
    map.addEventListener('wheel', e => {
      e.preventDefault(); motion++;
      const lines = e.deltaMode === 1 ? 16 : 1;
      zoomBy(clamp(-e.deltaY * lines / 300, -1, 1), e.clientX, e.clientY);
    }, { passive: false });
    map.onkeydown = e => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
      if (way) ease(part => panBy(way[0] * 120 * part, way[1] * 120 * part));
      else if (e.key === '+' || e.key === '=') zoomTo(stepUp());
      else if (e.key === '-') zoomTo(stepDown());
      else return;
      e.preventDefault();
    };
    $('in').onclick = () => zoomTo(stepUp()); $('out').onclick = () => zoomTo(stepDown());
    onresize = draw; onhashchange = () => { if (readHash()) draw() };

    fetch(base + '/info.json').then(r => r.json()).then(info => {
      if (info.name) document.title = info.name;
      (info.attribution || []).forEach((text, index) => $('credit').append(index ? ' | ' : '', credit(text)));
    }).catch(() => {});
    if (!readHash()) [x, y, zoom] = [toX(start.lon), toY(start.lat), start.zoom];
    paint(); map.focus({ preventScroll: true });
    """#
}
