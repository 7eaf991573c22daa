import Neatline

/// The page of a live map: it hands the server pointers, wheel and keys, and paints what comes back. No library,
/// nothing of elsewhere.
enum LivePage {
  /// `id`: as it stands in the address.
  static func html(_ name: String, id: String, _ limits: ServerLimits) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(escapedXML(name))</title>
    <style>\(style)</style></head><body>
    <div id="map" tabindex="0" role="application" aria-label="Live map of \(escapedXML(name)): arrow keys move it, + and - zoom, with Shift arrows turn and tilt it"
      data-socket="live/socket" data-pixels="\(limits.pixels)" data-edge="\(limits.edge)" data-ratio="\(limits.ratio)"><canvas></canvas><div id="box" hidden></div></div>
    <div id="buttons"><button id="in" aria-label="Zoom in">+</button><button id="out" aria-label="Zoom out">&minus;</button><button
      id="north" aria-label="North up, seen from above"><span>&#x2191;</span></button></div>
    <div id="status" role="status" aria-live="polite" hidden></div>
    <div id="foot"><span id="at"></span> <span id="credit"></span></div>
    <script src="../../viewer/credit.js"></script>
    <script src="../../viewer/live.js"></script>
    </body></html>

    """
  }

  private static let style = """
    html, body { margin: 0; height: 100%; overflow: hidden; background: #dde3e8; font: 12px/1.5 sans-serif }
    #map { position: absolute; inset: 0; isolation: isolate; cursor: grab; touch-action: none; overflow: hidden; outline: none; user-select: none; -webkit-user-select: none }
    #map:focus-visible { box-shadow: inset 0 0 0 2px #36c }
    #map.held { cursor: grabbing }
    #map canvas { display: block; width: 100%; height: 100% }
    #map:focus-visible canvas { position: relative; z-index: -1 }
    #box { position: absolute; border: 2px solid #36c; background: #36c2; box-sizing: border-box; pointer-events: none }
    #buttons { position: absolute; left: 10px; top: 10px; display: flex; flex-direction: column; box-shadow: 0 0 0 2px #0002; border-radius: 4px }
    #buttons button { width: 32px; height: 32px; border: 0; border-bottom: 1px solid #ccc; background: #fff; font: 20px/1 sans-serif; cursor: pointer }
    #buttons button:first-child { border-radius: 4px 4px 0 0 }
    #buttons button:last-child { border-radius: 0 0 4px 4px; border-bottom: 0 }
    #buttons button:hover { background: #f0f0f0 }
    #buttons span { display: inline-block }
    #status { position: absolute; left: 50%; top: 10px; transform: translateX(-50%); max-width: 70%; padding: 4px 12px; background: #333d; color: #fff; border-radius: 4px }
    #status[hidden], #box[hidden] { display: none }
    #foot { position: absolute; right: 0; bottom: 0; max-width: 100%; padding: 1px 6px; background: #fffc; color: #333 }
    #foot a { color: #06c }
    """

  /// Messages are those of docs/live-view.md. A frame is painted whole, and said to be shown when it is: so the
  /// server sends as many as this page takes.
  static let script = #"""
    const $ = id => document.getElementById(id), map = $('map'), canvas = map.querySelector('canvas'), paper = canvas.getContext('2d');
    const held = new Map(), limits = { pixels: +map.dataset.pixels, edge: +map.dataset.edge, ratio: +map.dataset.ratio };
    let socket = null, isReady = false, tries = 0, timer = 0, camera = null, size = null, painting = Promise.resolve(), isPaused = false, hashTimer = 0, boxStart = null;
    // How it does, for whoever looks: tests, and people with a console.
    const live = window.live = { frames: 0, bytes: 0, isExact: false, isIdle: false, events: [], get camera() { return camera } };

    // MARK: The socket
    const isOpen = () => isReady && socket && socket.readyState === WebSocket.OPEN;
    const say = message => { if (isOpen()) socket.send(JSON.stringify(message)) };
    function wanted() {
      const width = Math.max(1, Math.min(16384, Math.round(map.clientWidth))), height = Math.max(1, Math.min(16384, Math.round(map.clientHeight)));
      // As sharp as the screen, where the server allows it.
      const ratio = Math.min(devicePixelRatio || 1, limits.ratio, limits.edge / Math.max(width, height), Math.sqrt(limits.pixels / (width * height)));
      return { width, height, ratio: Math.max(0.1, Math.floor(ratio * 1000) / 1000) };
    }
    function connect() {
      clearTimeout(timer); isPaused = false;
      const own = socket = new WebSocket(new URL(map.dataset.socket, location.href).href.replace(/^http/, 'ws'));
      own.binaryType = 'arraybuffer';
      own.onopen = () => {
        size = wanted();
        const start = camera || hash();
        own.send(JSON.stringify({ type: 'hello', version: 1, ...size, formats: ['png', 'jpeg', 'webp'], ...(start ? { camera: start } : {}) }));
        isReady = true;
      };
      own.onmessage = event => { if (own === socket) typeof event.data === 'string' ? heard(JSON.parse(event.data)) : show(own, event.data) };
      own.onclose = event => {
        if (own !== socket) return;
        isReady = false; held.clear(); live.isIdle = false;
        // Nobody was here: it goes on when somebody is.
        if (event.code === 1000) { isPaused = true; return tell('The map rests. Move it to go on.') }
        // What this page says is not understood: saying it again would not help.
        if ([1002, 1003, 1007, 1009].includes(event.code)) return tell(event.reason || 'The map has ended.');
        const wait = Math.min(30000, 500 * 2 ** tries++) * (0.75 + Math.random() / 2);
        tell((event.reason || 'The connection is lost') + '; trying again …');
        timer = setTimeout(connect, wait);
      };
    }
    const wake = () => { if (isPaused) connect() };
    const tell = text => { $('status').textContent = text; $('status').hidden = !text };

    function heard(message) {
      live.events.push(message); if (live.events.length > 500) live.events.splice(0, 250);
      switch (message.type) {
        case 'ready': tries = 0; live.isIdle = false; tell(''); break;
        case 'camera':
          live.isIdle = false;
          camera = { longitude: message.longitude, latitude: message.latitude, zoom: message.zoom, bearing: message.bearing, pitch: message.pitch };
          $('at').textContent = `${camera.latitude.toFixed(4)}, ${camera.longitude.toFixed(4)} · zoom ${camera.zoom.toFixed(1)}`;
          $('north').firstElementChild.style.transform = `scaleY(${Math.cos(camera.pitch * Math.PI / 180)}) rotate(${-camera.bearing}deg)`;
          clearTimeout(hashTimer); hashTimer = setTimeout(writeHash, 200);
          break;
        case 'style':
          document.title = message.name; $('credit').textContent = '';
          message.attribution.forEach((text, index) => $('credit').append(index ? ' | ' : '', credit(text)));
          break;
        case 'idle': live.isIdle = true; break;
        case 'missing': tell(`The map lacks a ${message.part}${message.source ? ' of ' + message.source : ''}.`); setTimeout(() => { if (isOpen()) tell('') }, 4000); break;
        case 'error': if (!message.isLast) { tell(message.message); setTimeout(() => { if (isOpen()) tell('') }, 4000) } break;
      }
    }

    // MARK: Frames
    const types = [, 'image/png', 'image/jpeg', 'image/webp'];
    function show(from, data) {
      painting = painting.then(() => paint(data)).then(number => {
        if (from === socket) say({ type: 'shown', frame: number });
      }).catch(fault => tell('A frame cannot be shown: ' + fault.message));
    }
    async function paint(data) {
      const view = new DataView(data), short = at => view.getUint16(at, true), long = at => view.getUint32(at, true);
      const parts = [], width = short(12), height = short(14);
      for (let at = 16, left = short(2); left > 0; left--) {
        const count = long(at + 12);
        parts.push({ x: short(at), y: short(at + 2), width: short(at + 4), height: short(at + 6), file: new Blob([new Uint8Array(data, at + 16, count)], { type: types[view.getUint8(at + 8)] }) });
        at += 16 + count;
      }
      const pictures = await Promise.all(parts.map(part => createImageBitmap(part.file)));
      if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height }
      parts.forEach((part, index) => {
        paper.clearRect(part.x, part.y, part.width, part.height);
        paper.drawImage(pictures[index], part.x, part.y);
        pictures[index].close();
      });
      live.frames++; live.bytes += data.byteLength; live.isExact = (view.getUint8(1) & 1) === 1;
      return long(4);
    }

    // MARK: Input
    const names = { shiftKey: 'shift', ctrlKey: 'control', altKey: 'alt', metaKey: 'meta' };
    const modifiers = e => Object.keys(names).filter(name => e[name]).map(name => names[name]);
    const place = e => { const box = map.getBoundingClientRect(); return { x: e.clientX - box.left, y: e.clientY - box.top } };
    const pointer = (e, phase, more) => ({ type: 'pointer', id: e.pointerId, phase, ...place(e), time: e.timeStamp, ...more });

    map.onpointerdown = e => {
      wake();
      // Further buttons of a mouse that is down come as moves; a finger has one.
      if (held.has(e.pointerId) || e.button > 2) return;
      map.focus({ preventScroll: true });
      map.setPointerCapture(e.pointerId); held.set(e.pointerId, e.button); map.classList.add('held');
      if (e.shiftKey && e.button === 0 && e.pointerType === 'mouse') boxStart = place(e);
      say(pointer(e, 'down', { kind: e.pointerType === 'touch' ? 'touch' : e.pointerType === 'pen' ? 'pen' : 'mouse',
        button: ['primary', 'middle', 'secondary'][e.button], modifiers: modifiers(e) }));
    };
    map.onpointermove = e => {
      if (!held.has(e.pointerId)) return;
      const all = e.getCoalescedEvents ? e.getCoalescedEvents() : [], steps = all.length ? all : [e];
      for (let at = 0; at < steps.length; at += 200) say(steps.slice(at, at + 200).map(step => pointer(step, 'move')));
      if (boxStart) drawBox(place(e));
    };
    const release = phase => e => {
      if (!held.delete(e.pointerId)) return;
      say(pointer(e, phase)); boxStart = null; $('box').hidden = true;
      if (!held.size) map.classList.remove('held');
    };
    map.onpointerup = release('up');
    map.onpointercancel = map.onlostpointercapture = release('cancel');
    function drawBox(to) {
      const box = $('box');
      box.hidden = false;
      Object.assign(box.style, { left: Math.min(boxStart.x, to.x) + 'px', top: Math.min(boxStart.y, to.y) + 'px',
        width: Math.abs(to.x - boxStart.x) + 'px', height: Math.abs(to.y - boxStart.y) + 'px' });
    }
    map.oncontextmenu = e => e.preventDefault();
    addEventListener('blur', () => { if (held.size) { held.clear(); map.classList.remove('held'); boxStart = null; $('box').hidden = true; say({ type: 'cancel' }) } });
    map.addEventListener('wheel', e => {
      e.preventDefault(); wake();
      const delta = e.deltaY * [1, 40, map.clientHeight][e.deltaMode];
      if (!delta) return;
      // A notch of a wheel is a large step, or a whole part of one; two fingers that pinch come with Control.
      const isTrackpad = e.ctrlKey || e.deltaMode === 0 && Math.abs(delta) < 50 && delta % 4.000244140625 !== 0;
      say({ type: 'wheel', ...place(e), delta, time: e.timeStamp, trackpad: isTrackpad });
    }, { passive: false });
    map.onkeydown = e => {
      const key = { '+': 'plus', '=': 'plus', '-': 'minus', '_': 'minus', ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }[e.key];
      if (!key || e.ctrlKey || e.altKey || e.metaKey) return;
      e.preventDefault(); wake();
      say({ type: 'key', key, modifiers: key === 'plus' || key === 'minus' ? [] : modifiers(e), time: e.timeStamp });
    };
    const press = key => e => { wake(); say({ type: 'key', key, modifiers: [], time: e.timeStamp }) };
    $('in').onclick = press('plus'); $('out').onclick = press('minus');
    $('north').onclick = () => { wake(); say({ type: 'camera', bearing: 0, pitch: 0, duration: 300 }) };

    // MARK: Size and place
    function fit() {
      const next = wanted();
      if (!size || next.width === size.width && next.height === size.height && next.ratio === size.ratio) return;
      size = next; say({ type: 'resize', ...size });
    }
    let fitTimer = 0;
    const fitSoon = () => { clearTimeout(fitTimer); fitTimer = setTimeout(fit, 50) };
    new ResizeObserver(fitSoon).observe(map);
    (function watchRatio() { matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => { fitSoon(); watchRatio() }, { once: true }) })();

    // #zoom/lat/lon[/bearing[/pitch]]
    function hash() {
      const [zoom, latitude, longitude, bearing = 0, pitch = 0] = location.hash.slice(1).split('/').map(Number);
      const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
      if (![zoom, latitude, longitude, bearing, pitch].every(Number.isFinite)) return null;
      return { zoom: clamp(zoom, 0, 22), latitude: clamp(latitude, -85, 85), longitude: clamp(longitude, -180, 180), bearing: clamp(bearing, -360, 360), pitch: clamp(pitch, 0, 85) };
    }
    function writeHash() {
      const digits = Math.max(0, Math.ceil(camera.zoom) + 2 > 7 ? 6 : 4), short = number => +number.toFixed(1);
      const turned = camera.bearing || camera.pitch ? `/${short(camera.bearing)}/${short(camera.pitch)}` : '';
      history.replaceState(null, '', `#${+camera.zoom.toFixed(2)}/${camera.latitude.toFixed(digits)}/${camera.longitude.toFixed(digits)}${turned}`);
    }
    addEventListener('hashchange', () => { const to = hash(); if (to) { wake(); say({ type: 'camera', ...to }) } });
    addEventListener('online', () => { if (!isOpen() && !isPaused && timer) { tries = 0; connect() } });
    // A page that nobody looks at gives its map back, and has one again when somebody does.
    let hiddenTimer = 0;
    addEventListener('visibilitychange', () => {
      clearTimeout(hiddenTimer);
      if (document.hidden) hiddenTimer = setTimeout(() => { if (isOpen()) socket.close(1000); else clearTimeout(timer), isPaused = true }, 60000);
      else wake();
    });
    // One that is left may be kept for the way back: it does not keep its map meanwhile.
    addEventListener('pagehide', () => { clearTimeout(timer); const own = socket; socket = null; isReady = false; if (own) own.close(1000) });
    addEventListener('pageshow', e => { if (e.persisted) connect() });
    connect(); map.focus({ preventScroll: true });
    """#
}
