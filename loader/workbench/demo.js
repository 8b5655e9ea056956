// What a ::preview frame sees: `window.hermes.send`, and nothing of the app.

window.hermes = Object.freeze({ send: (text) => parent.postMessage({ kind: 'prompt', text: String(text) }, '*') })

const theme = new URLSearchParams(location.hash.slice(1)).get('theme')
if (theme === 'dark') document.documentElement.dataset.theme = 'dark'
onPress('one', () => window.hermes.send('Explain this chart'))
onPress('many', () => {
  for (let number = 1; number <= 10; number += 1) window.hermes.send(`Prompt ${number}`)
})

/** The buttons are off in the markup: one pressed before this script ran would be a click for nothing. */
function onPress(id, answer) {
  const button = document.getElementById(id)
  button.addEventListener('click', answer)
  button.disabled = false
}
