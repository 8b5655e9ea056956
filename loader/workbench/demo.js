// What a ::preview frame sees: `window.hermes.send`, and nothing of the app.

window.hermes = Object.freeze({ send: (text) => parent.postMessage({ kind: 'prompt', text: String(text) }, '*') })

const theme = new URLSearchParams(location.hash.slice(1)).get('theme')
if (theme === 'dark') document.documentElement.dataset.theme = 'dark'
document.getElementById('one').addEventListener('click', () => window.hermes.send('Explain this chart'))
document.getElementById('many').addEventListener('click', () => {
  for (let number = 1; number <= 10; number += 1) window.hermes.send(`Prompt ${number}`)
})
