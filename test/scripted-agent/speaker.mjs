import { createInterface } from 'node:readline'

// The process of a scripted conversation: what the person says is what it does.
//   stream COUNT RATE   says so many pieces, so many in a second (thinking first, a tool with its input in pieces)
//   flood MEGABYTES     puts out so much that nobody asked for, then answers
//   die CODE            complains and ends
//   begin TEXT          begins to use a tool and never gets further than this much of its input
//   stubborn            works on and does not stop
// What it is given while it works it takes up when that is done, or after the next hundred pieces.
//   anything else       is answered
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
let count = 0
let timer = null
/** What has been given to it meanwhile. */
let given = []

const put = (id, kind, blocks) =>
  tell({
    change: {
      kind: 'put',
      item: {
        ...{ kind, id, offset: 0, at: Date.now(), branches: null, blocks },
        ...(kind === 'prompt'
          ? { manner: 'typed' }
          : { model: null, usage: null, costUSD: null, stopReason: null, isError: false }),
      },
    },
  })
const more = (item, place, text) => tell({ change: { kind: 'more', item, place, text } })
const call = (state, input, result) => ({
  ...{ id: `t${count}`, kind: 'run', name: 'exec', title: 'Run', input, state, result },
  ...{ progress: null, agent: null, startedAt: Date.now(), endedAt: null },
})
const picture = ({ mediaType, data }) => ({ kind: 'image', mediaType, data, url: null })
const prompt = (text, pictures = []) =>
  put(`p${count}`, 'prompt', [...pictures.map(picture), { kind: 'text', text }])
function rest() {
  takeGiven()
  tell({ update: { activity: 'idle' } })
}
function takeGiven() {
  for (const { id, text, pictures } of given.splice(0)) {
    count++
    tell({ taken: id })
    prompt(text, pictures)
    put(`r${count}`, 'reply', [{ kind: 'text', text: `You said meanwhile: ${text}` }])
  }
}

function stream(pieces, rate) {
  const id = `r${count}`
  put(id, 'reply', [{ kind: 'thinking', text: '' }])
  more(id, 0, 'First I think.')
  tell({ change: { kind: 'block', item: id, place: 1, block: { kind: 'tool', call: call('open', '') } } })
  for (const part of ['{"comm', 'and":', '"ls"}']) more(id, 1, part)
  const result = { content: [{ kind: 'text', text: 'a.txt' }], isError: false, offset: 0 }
  const done = call('done', { command: 'ls' }, result)
  tell({ change: { kind: 'block', item: id, place: 1, block: { kind: 'tool', call: done } } })
  tell({ change: { kind: 'block', item: id, place: 2, block: { kind: 'text', text: '' } } })
  let told = 0
  const begun = Date.now()
  timer = setInterval(() => {
    const due = Math.min(pieces, Math.floor(((Date.now() - begun) / 1000) * rate))
    for (; told < due; told++) {
      more(id, 2, told % 12 === 11 ? `piece ${told}.\n\n` : `piece ${told} `)
      if (told % 100 === 99) takeGiven()
    }
    if (told < pieces) return
    clearInterval(timer)
    timer = null
    rest()
  }, 5)
}

function answer(text, pictures) {
  count++
  prompt(text, pictures)
  const [verb, one, two] = text.split(' ')
  switch (verb) {
    case 'stream':
      return stream(Number(one), Number(two))
    case 'flood':
      for (let left = Number(one); left > 0; left--) process.stdout.write(`${'x'.repeat(1 << 20)}\n`)
      break
    case 'stubborn':
      return
    case 'begin':
      put(`r${count}`, 'reply', [{ kind: 'tool', call: call('open', '') }])
      return more(`r${count}`, 0, text.slice('begin '.length))
    case 'die':
      process.stderr.write('these are my last words\n')
      return void setTimeout(() => process.exit(Number(one)), 50)
  }
  put(`r${count}`, 'reply', [{ kind: 'text', text: `You said: ${text}` }])
  rest()
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { say, pictures, stop, choose, give, recall } = JSON.parse(line)
  if (say !== undefined) answer(say, pictures)
  if (give !== undefined) given.push(give)
  if (recall !== undefined) given = given.filter(({ id }) => id !== recall)
  if (choose !== undefined) tell({ chosen: choose })
  if (stop && timer !== null) {
    clearInterval(timer)
    timer = null
    rest()
  }
})
