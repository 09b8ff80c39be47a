/** Event streams in a browser. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  broadcaster,
  event,
  get,
  handle,
  header,
  html,
  int,
  lastEventId,
  path,
  post,
  produces,
  routes,
  sse,
  string,
  query,
} from '../../src/index.ts'
import { inBrowser } from './in-browser.ts'

const home = pipe(
  path('/'),
  get(),
  produces(html),
  handle(() => '<!doctype html><meta charset="utf-8"><title>a feed</title>'),
)

/** Sends two events and closes the stream, so that the browser reconnects. */
const counting = pipe(
  path('/counting'),
  get(),
  header({ lastEventId }),
  produces(sse(int)),
  handle(async function* ({ header: { lastEventId: last = '0' } }) {
    const from = Number(last)
    for (const n of [from + 1, from + 2]) yield event('count', n, { id: String(n), retry: 50 })
  }),
)

const Note = t.type({ text: t.string })
const feed = broadcaster(Note, { replay: 10 })
const listen = pipe(
  path('/feed'),
  get(),
  produces(sse(Note)),
  handle((_, context) => feed.subscribe(context)),
)
const publish = pipe(
  path('/feed'),
  post(),
  query({ text: string }),
  handle(({ query: { text } }) => feed.publish({ text })),
)

inBrowser('an EventSource', routes({ home, counting, listen, publish }), (test, { visit }) => {
  test('EventSource reconnects with the id of its last event', async () => {
    const seen = await visit('/', (page) =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            const source = new EventSource('/counting')
            const all: string[] = []
            source.addEventListener('count', (message) => {
              if (!(message instanceof MessageEvent)) return
              all.push(`${String(message.data)} ${message.lastEventId}`)
              if (all.length === 5) {
                source.close()
                resolve(all)
              }
            })
          }),
      ),
    )
    assert.equal(seen, ['1 1', '2 2', '3 3', '4 4', '5 5'])
  })
  test('EventSource receives published events', async () => {
    const seen = await visit('/', (page) =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            const source = new EventSource('/feed')
            const all: unknown[] = []
            source.addEventListener('open', () => {
              for (const text of ['a', 'ü\n\nü'])
                void fetch(`/feed?text=${encodeURIComponent(text)}`, { method: 'POST' })
            })
            source.addEventListener('message', ({ data }) => {
              all.push(JSON.parse(String(data)))
              if (all.length === 2) {
                source.close()
                resolve(all)
              }
            })
          }),
      ),
    )
    assert.equal(
      (seen as ReadonlyArray<{ readonly text: string }>).map(({ text }) => text).toSorted(),
      ['a', 'ü\n\nü'],
    )
  })
})
