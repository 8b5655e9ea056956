// In a frame whose answer came with a list of allowed connections: its own origin. Whether the browser keeps to it is
// seen by asking the same service under its other name, which the frame's other policy would allow.

;(async () => {
  const { hostname, port } = location
  const other = hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const answers = (host) =>
    fetch(`http://${host}:${port}/v1/health`).then(
      () => true,
      () => false,
    )
  const own = await answers(hostname)
  parent.postMessage({ kind: 'hermes:probed', held: own && !(await answers(other)) }, '*')
})()
