// Everything that a page tries to reach something outside of itself: each makes a request, and none may arrive.
// `site` is a server of somebody else's, `service` ours. Run in the plugin's own realm.
async ([site, service]) => {
  const after = (ms) => new Promise((yes) => setTimeout(yes, ms))
  const add = (tag, attributes, inside = document.body) => {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    inside.append(element)
    return element
  }
  const made = (source) => new Promise((yes, no) => { source.onopen = () => yes('open'); source.onmessage = () => yes('heard'); source.onerror = () => no(new Error('refused')) })
  const link = (rel, more = {}) => add('link', { rel, href: `${site}/link-${rel.replace(/\W/g, '')}`, ...more }, document.head)
  const reach = {
    fetch: () => fetch(`${site}/fetch`),
    noCors: () => fetch(`${site}/nocors`, { mode: 'no-cors' }),
    post: () => fetch(`${site}/post`, { method: 'POST', body: 'secret', mode: 'no-cors', keepalive: true }),
    xhr: () => new Promise((yes, no) => { const asked = new XMLHttpRequest(); asked.open('GET', `${site}/xhr`); asked.onload = yes; asked.onerror = () => no(new Error('refused')); asked.send() }),
    beacon: () => navigator.sendBeacon(`${site}/beacon`, 'secret'),
    socket: () => made(new WebSocket(`${site.replace('http', 'ws')}/socket`)),
    events: () => made(new EventSource(`${site}/events`)),
    image: () => { new Image().src = `${site}/image` },
    picture: () => { add('img', { srcset: `${site}/srcset 1x` }) },
    style: () => { add('style', {}).textContent = `@import url(${site}/import.css); body { background: url(${site}/background) }` },
    attribute: () => { document.body.style.listStyleImage = `url(${site}/liststyle)` },
    font: () => new FontFace('x', `url(${site}/font)`).load(),
    script: () => { add('script', { src: `${site}/script.js` }) },
    module: () => import(`${site}/module.js`),
    video: () => { add('video', { src: `${site}/video`, poster: `${site}/poster`, autoplay: '' }) },
    track: () => { add('track', { src: `${site}/track`, default: '' }, add('video', {})) },
    object: () => { add('object', { data: `${site}/object` }) },
    embed: () => { add('embed', { src: `${site}/embed` }) },
    frame: () => { add('iframe', { src: `${site}/frame` }) },
    srcdoc: () => { add('iframe', { srcdoc: `<img src="${site}/srcdoc"><script src="${site}/srcdoc.js"></script>` }) },
    blank: () => add('iframe', {}).contentWindow.fetch(`${site}/blank`, { mode: 'no-cors' }),
    blankImage: () => { new (add('iframe', {}).contentWindow.Image)().src = `${site}/blankimage` },
    formTop: () => add('form', { action: `${site}/formtop`, target: '_top' }).submit(),
    formNew: () => add('form', { action: `${site}/formnew`, target: '_blank' }).submit(),
    ping: () => add('a', { href: '#here', ping: `${site}/ping` }).click(),
    anchor: () => add('a', { href: `${site}/anchor`, target: '_blank' }).click(),
    preload: () => { link('preload', { as: 'image' }) },
    prefetch: () => { link('prefetch') },
    prerender: () => { link('prerender') },
    modulepreload: () => { link('modulepreload') },
    stylesheet: () => { link('stylesheet') },
    icon: () => { link('icon') },
    manifest: () => { link('manifest') },
    preconnect: () => { link('preconnect') },
    dnsPrefetch: () => { link('dns-prefetch') },
    speculation: () => { add('script', { type: 'speculationrules' }).textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: [`${site}/speculation`] }] }) },
    refresh: () => { add('meta', { 'http-equiv': 'refresh', content: `600; url=${site}/refresh` }, document.head) },
    worker: () => made(new Worker(`${site}/worker.js`)),
    blobWorker: () => made(new Worker(URL.createObjectURL(new Blob([`fetch('${site}/blobworker'); postMessage(1)`])))),
    dataWorker: () => made(new Worker(`data:text/javascript,fetch('${site}/dataworker');postMessage(1)`)),
    audioWorklet: () => new AudioContext().audioWorklet.addModule(`${site}/worklet.js`),
    transport: () => new WebTransport(`${site.replace('http:', 'https:')}/transport`).ready,
    report: () => { add('img', { src: `${site}/report` }); return 'policy reports go nowhere' },
    svg: () => { document.body.insertAdjacentHTML('beforeend', `<svg><image href="${site}/svgimage"></image><use href="${site}/svguse#x"></use></svg>`) },
    markup: () => { document.body.insertAdjacentHTML('beforeend', `<img src="${site}/markup"><base href="${site}/base/"><input type=image src="${site}/inputimage">`) },
    relative: () => { add('base', { href: `${site}/based/` }, document.head); new Image().src = 'relative' },
    popup: () => { if (!open(`${site}/popup`)) throw new Error('no window'); return 'opened' },
    top: () => { top.location.href = `${site}/top` },
    parent: () => { parent.location.replace(`${site}/parent`) },
    health: () => fetch(`${service}/v1/health`).then((answer) => answer.text()),
    plugins: () => fetch(`${service}/v1/plugins`, { mode: 'no-cors', credentials: 'include' }).then((answer) => { if (answer.type === 'opaque') return 'opaque' ; return answer.text() }),
    serviceSocket: () => made(new WebSocket(`${service.replace('http', 'ws')}/v1/events`, ['hermes-plugins.v1'])),
    serviceImage: () => new Promise((yes, no) => { const image = new Image(); image.onload = () => yes('loaded'); image.onerror = () => no(new Error('refused')); image.src = `${service}/workbench/icon.svg` }),
    serviceScript: () => import(`${service}/workbench/dom.js`),
    servicePage: () => { add('iframe', { src: `${service}/` }) },
    serviceWorker: () => navigator.serviceWorker.register('/worker.js'),
    parentDocument: () => parent.document.title,
    topStorage: () => top.sessionStorage.length,
    frameElement: () => { if (frameElement === null) throw new Error('none'); return 'mine' },
    opener: () => opener.document,
    cookieOfTheHost: () => { document.cookie = 'wall=1; domain=localhost'; document.cookie = 'wall=1; domain=127.0.0.1'; return 'tried' },
    geolocation: () => new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no)),
    camera: () => navigator.mediaDevices.getUserMedia({ video: true }),
    microphone: () => navigator.mediaDevices.getUserMedia({ audio: true }),
    screen: () => navigator.mediaDevices.getDisplayMedia(),
    readClipboard: () => navigator.clipboard.readText(),
    writeClipboard: () => navigator.clipboard.writeText('owned'),
    copyCommand: () => { document.body.append('owned'); getSelection().selectAllChildren(document.body); if (!document.execCommand('copy')) throw new Error('refused'); return 'copied' },
    notification: () => Notification.requestPermission().then((said) => { if (said !== 'granted') throw new Error(said); return said }),
    usb: () => navigator.usb.requestDevice({ filters: [] }),
    serial: () => navigator.serial.requestPort(),
    hid: () => navigator.hid.requestDevice({ filters: [] }),
    bluetooth: () => navigator.bluetooth.requestDevice({ acceptAllDevices: true }),
    midi: () => navigator.requestMIDIAccess(),
    fullscreen: () => document.documentElement.requestFullscreen(),
    pointerLock: () => document.body.requestPointerLock(),
    payment: () => new PaymentRequest([{ supportedMethods: 'https://a.example' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment(),
    credentials: () => navigator.credentials.create({ publicKey: { challenge: new Uint8Array(8), rp: { name: 'x' }, user: { id: new Uint8Array(8), name: 'x', displayName: 'x' }, pubKeyCredParams: [] } }),
    fonts: () => queryLocalFonts(),
    wakeLock: () => navigator.wakeLock.request(),
    storageAccess: () => document.requestStorageAccess(),
    alert: () => { const said = confirm('wall'); if (!said) throw new Error('no dialog'); return said },
    peer: () => new RTCPeerConnection(),
  }
  const came = {}
  for (const [name, attempt] of Object.entries(reach)) {
    try {
      const got = await Promise.race([attempt(), after(1500).then(() => { throw new Error('nothing came') })])
      came[name] = `got ${String(got === undefined ? 'no error' : got).slice(0, 80)}`
    } catch (error) {
      came[name] = `kept out: ${String(error?.name ?? error)}`
    }
  }
  await after(800)
  return came
}
