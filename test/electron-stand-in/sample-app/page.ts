import './bridge'

const greeting = document.querySelector('output')
window.sample.on('greeting', (text) => {
  if (greeting) greeting.textContent = String(text)
})
