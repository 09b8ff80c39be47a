/** When the source of a stream is asked, and when its head is sent. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  int,
  jsonStream,
  multi,
  multiFrom,
  ndjson,
  path,
  produces,
  responds,
  routes,
  sse,
  textStream,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { until } from '../support/workers.ts'

/** Numbers, of which each takes a while: the first takes longest. */
const slow = () => {
  const seen = { asked: 0, underway: 0, most: 0 }
  const next = async (): Promise<IteratorResult<number>> => {
    const n = ++seen.asked
    if (n > 5) return { done: true, value: undefined }
    seen.most = Math.max(seen.most, ++seen.underway)
    await wait(60 - 10 * n)
    seen.underway--
    return { done: false, value: n }
  }
  return { seen, source: { [Symbol.asyncIterator]: () => ({ next }) } }
}

let latest = slow()

/** Whatever waits for the test. */
const gates = new Map<string, () => void>()
const passed = (name: string): Promise<void> => new Promise((resolve) => gates.set(name, resolve))
const opened = async (name: string): Promise<void> => {
  await until(() => gates.has(name))
  gates.get(name)?.()
  gates.delete(name)
}

const api = routes({
  unsaid: pipe(
    path('/unsaid'),
    get(),
    produces(jsonStream(int)),
    handle(() => {
      latest = slow()
      return latest.source
    }),
  ),
  demanding: pipe(
    path('/demand/{demand}', { demand: int }),
    get(),
    produces(jsonStream(int)),
    handle(({ path: { demand } }) => {
      latest = slow()
      return multi(latest.source, { demand })
    }),
  ),
  written: pipe(
    path('/written'),
    get(),
    produces(textStream),
    handle(async function* () {
      yield 'one '
      await passed('two')
      yield 'two '
      await passed('three')
      yield 'three'
    }),
  ),
  from: pipe(
    path('/from/{count}', { count: int }),
    get(),
    produces(jsonStream(int)),
    responds(222, jsonStream(int)),
    handle(({ path: { count } }) =>
      multiFrom(
        Promise.resolve(count),
        async function* (most) {
          await passed('first')
          for (let n = 1; n <= most; n++) yield n
        },
        (most) => ({ 'X-Total': String(most), 'X-Many': ['a', 'b'] }),
        () => 222 as const,
      ),
    ),
  ),
  either: pipe(
    path('/either'),
    get(),
    produces(jsonStream(int), ndjson(int), sse(int)),
    handle(() => [1, 2]),
  ),
})

contract('a stream and its source', api, (test, call) => {
  table(
    test,
    [
      ['one element at a time, in order', '/unsaid', 1, '[1,2,3,4,5]'],
      ['a demand of 1', '/demand/1', 1, '[1,2,3,4,5]'],
      ['a demand of 5, in the order in which they come', '/demand/5', 5, '[5,4,3,2,1]'],
    ] as const,
    async (_, target, most, content) => {
      const response = await ask(call, `GET ${target}`)
      assert.is(await response.text(), content)
      assert.is(latest.seen.most, most)
    },
  )

  test('each element is sent while the next is awaited', async () => {
    const response = await ask(call, 'GET /written')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.is((await reader?.read())?.value, 'one ')
    await opened('two')
    assert.is((await reader?.read())?.value, 'two ')
    await opened('three')
    assert.is((await reader?.read())?.value, 'three')
    assert.is((await reader?.read())?.done, true)
  })

  for (const [count, content] of [
    [2, '[1,2]'],
    [0, '[]'],
  ] as const)
    test(`the head waits for the first of ${count} elements`, async () => {
      let hasHead = false
      const answered = ask(call, `GET /from/${count}`).finally(() => (hasHead = true))
      await wait(50)
      assert.not.ok(hasHead)
      await opened('first')
      const response = await answered
      assert.is(response.status, 222)
      assert.is(response.headers.get('x-total'), String(count))
      assert.is(response.headers.get('x-many'), 'a, b')
      assert.is(await response.text(), content)
    })

  table(
    test,
    [
      ['an array', 'application/json', '[1,2]'],
      ['lines', 'application/x-ndjson', '1\n2\n'],
      ['events', 'text/event-stream', 'data: 1\n\ndata: 2\n\n'],
    ] as const,
    async (_, accept, content) => {
      const response = await ask(call, 'GET /either', { headers: { Accept: accept } })
      assert.is(response.headers.get('content-type'), accept)
      assert.is(response.headers.get('vary'), 'Accept')
      assert.is(await response.text(), content)
    },
  )
})
