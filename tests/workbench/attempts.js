async ([url, token]) => {
  const ws = url.replace('http', 'ws')
  const auth = { authorization: `Bearer ${token}` }
  const json = { ...auth, 'content-type': 'application/json' }
  const put = (mode) =>
    fetch(`${url}/v1/plugins/scratchpad/enabled`, { method: 'PUT', mode, headers: json, body: '{"enabled":false}' })
  const attempts = {
    read: () => fetch(`${url}/v1/plugins`, { headers: auth }).then((answer) => answer.text()),
    readWithoutToken: () => fetch(`${url}/v1/plugins`).then((answer) => answer.text()),
    readPage: () => fetch(url).then((answer) => answer.text()),
    readOpaque: () =>
      fetch(`${url}/v1/plugins`, { mode: 'no-cors' })
        .then((answer) => answer.text())
        .then((text) => {
          if (!text) throw new Error('opaque')
          return text
        }),
    change: () => put('cors').then((answer) => answer.status),
    changeSimply: () =>
      fetch(`${url}/v1/reload`, {
        method: 'POST',
        mode: 'no-cors',
        headers: { 'content-type': 'text/plain' },
        body: '{}',
      })
        .then((answer) => answer.text())
        .then((text) => {
          if (!text) throw new Error('opaque')
          return text
        }),
    session: () =>
      fetch(`${url}/v1/session/code`, { method: 'POST', headers: json, body: '{}' }).then((answer) => answer.text()),
    socket: () =>
      new Promise((yes, no) => {
        const socket = new WebSocket(`${ws}/v1/events`, ['hermes-plugins.v1', `bearer.${token}`])
        socket.onopen = () => yes('open')
        socket.onerror = () => no(new Error('refused'))
      }),
    image: () =>
      new Promise((yes, no) => {
        const image = new Image()
        image.onload = () => yes('loaded')
        image.onerror = () => no(new Error('refused'))
        image.src = `${url}/workbench/icon.svg`
      }),
    script: () =>
      new Promise((yes, no) => {
        const script = document.createElement('script')
        script.onload = () => yes('loaded')
        script.onerror = () => no(new Error('refused'))
        script.src = `${url}/workbench/dom.js`
        document.head.append(script)
      }),
    form: () =>
      new Promise((yes, no) => {
        const sink = document.createElement('iframe')
        sink.name = 'sink'
        const form = document.createElement('form')
        Object.assign(form, { action: `${url}/v1/reload`, method: 'post', enctype: 'text/plain', target: 'sink' })
        document.body.append(sink, form)
        sink.onload = () => {
          let text = ''
          try {
            text = sink.contentDocument.body.textContent
          } catch {}
          text ? yes(text) : no(new Error('nothing to read'))
        }
        form.submit()
        setTimeout(no, 1500, new Error('nothing came'))
      }),
    frame: () =>
      new Promise((yes, no) => {
        const frame = document.createElement('iframe')
        frame.src = `${url}/`
        frame.onload = () => {
          try {
            yes(frame.contentDocument.title)
          } catch (error) {
            no(error)
          }
        }
        document.body.append(frame)
        setTimeout(no, 1500, new Error('nothing came'))
      }),
  }
  const got = {}
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      got[name] = await attempt()
    } catch (error) {
      got[name] = null
    }
  }
  return got
}
