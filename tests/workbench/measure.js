async ([keys, changes]) => {
  const { store } = await import('/workbench/app.js')
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
  const long = []
  const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration)))
  observer.observe({ type: 'longtask', buffered: false })
  const times = []
  const touched = []
  let seen = 0
  const mutations = new MutationObserver((records) => {
    seen += records.length
  })
  mutations.observe(document.querySelector('tbody'), { subtree: true, childList: true, attributes: true, characterData: true })
  for (let n = 0; n < changes; n += 1) {
    const row = store.rows.get(keys[n % keys.length])
    const began = performance.now()
    store.receive('plugin/changed', {
      seq: -1,
      row: { ...row, name: `${row.id} ${n}`, revision: `${n}`.padStart(64, '0') },
    })
    await frame()
    times.push(performance.now() - began)
    touched.push(seen)
    seen = 0
  }
  observer.disconnect()
  times.sort((a, b) => a - b)
  touched.sort((a, b) => a - b)
  return { least: times[0], touched: touched[touched.length >> 1], median: times[times.length >> 1], long }
}
