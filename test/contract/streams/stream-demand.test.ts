/** Demand on the source of a stream, and the time at which status and headers are sent. */
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

/** A source of five numbers. Of the elements that are pending at the same time, the latest is completed first. */
const createDelayedSource = () => {
  const stats = { pulled: 0, pending: 0, maxPending: 0 }
  const completions: Array<() => void> = []
  const next = async (): Promise<IteratorResult<number>> => {
    const n = ++stats.pulled
    if (n > 5) return { done: true, value: undefined }
    stats.maxPending = Math.max(stats.maxPending, ++stats.pending)
    await new Promise<void>((resolve) => {
      completions.push(resolve)
      setTimeout(() => completions.pop()?.(), 10)
    })
    stats.pending--
    return { done: false, value: n }
  }
  return { stats, source: { [Symbol.asyncIterator]: () => ({ next }) } }
}

let latest = createDelayedSource()

/** The outstanding demands passed to the function of the latest request. */
const outstanding: number[] = []

/** Resolvers of sources that wait for the test. */
const gates = new Map<string, () => void>()
const waitAtGate = (name: string): Promise<void> =>
  new Promise((resolve) => gates.set(name, resolve))
const openGate = async (name: string): Promise<void> => {
  await waitUntil(() => gates.has(name))
  gates.get(name)?.()
  gates.delete(name)
}

const api = routes({
  defaultDemand: pipe(
    path('/default-demand'),
    get(),
    produces(jsonStream(int)),
    handle(() => {
      latest = createDelayedSource()
      return latest.source
    }),
  ),
  demand: pipe(
    path('/demand/{demand}', { demand: int }),
    get(),
    produces(jsonStream(int)),
    handle(({ path: { demand } }) => {
      latest = createDelayedSource()
      return multi(latest.source, { demand })
    }),
  ),
  unlimited: pipe(
    path('/unlimited'),
    get(),
    produces(jsonStream(int)),
    handle(() => {
      latest = createDelayedSource()
      return multi(latest.source, { demand: Infinity })
    }),
  ),
  capped: pipe(
    path('/capped/{limit}', { limit: int }),
    get(),
    produces(jsonStream(int)),
    handle(({ path: { limit } }) => {
      latest = createDelayedSource()
      outstanding.length = 0
      return multi(latest.source, {
        demand: 4,
        capDemands: (demand) => {
          outstanding.push(demand)
          return Math.min(demand, limit)
        },
      })
    }),
  ),
  cappedTo: pipe(
    path('/capped-to/{limit}', { limit: int }),
    get(),
    produces(jsonStream(int)),
    handle(({ path: { limit } }) => {
      latest = createDelayedSource()
      return multiFrom(Promise.resolve(latest.source), (source) => source, undefined, undefined, {
        demand: Infinity,
        capDemands: limit,
      })
    }),
  ),
  written: pipe(
    path('/written'),
    get(),
    produces(textStream),
    handle(async function* () {
      yield 'one '
      await waitAtGate('two')
      yield 'two '
      await waitAtGate('three')
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
        async function* (total) {
          await waitAtGate('first')
          for (let n = 1; n <= total; n++) yield n
        },
        (total) => ({ 'X-Total': String(total), 'X-Many': ['a', 'b'] }),
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

contract('stream demand', api, (test, call) => {
  table(
    test,
    [
      ['the default demand, one element at a time', '/default-demand', 1, '[1,2,3,4,5]'],
      ['a demand of 1', '/demand/1', 1, '[1,2,3,4,5]'],
      ['a demand of 5, in order of completion', '/demand/5', 5, '[5,4,3,2,1]'],
    ] as const,
    async (_, target, expected, responseBody) => {
      const response = await sendRequest(call, `GET ${target}`)
      assert.is(await response.text(), responseBody)
      assert.is(latest.stats.maxPending, expected)
    },
  )

  test('an unlimited demand starts all calls, and the end of the source ends the stream', async () => {
    const response = await sendRequest(call, 'GET /unlimited')
    assert.is(await response.text(), '[5,4,3,2,1]')
    assert.is(latest.stats.maxPending, 5)
    assert.ok(latest.stats.pulled > 5)
  })
  test('a function of the outstanding demand limits how many elements are requested', async () => {
    const response = await sendRequest(call, 'GET /capped/2')
    const elements = (await response.text()).match(/\d/g)?.toSorted()
    assert.equal(elements, ['1', '2', '3', '4', '5'])
    assert.equal(outstanding.slice(0, 2), [4, 4])
  })
  test('a number limits how many elements are requested', async () => {
    const response = await sendRequest(call, 'GET /capped-to/1')
    assert.is(await response.text(), '[1,2,3,4,5]')
    assert.is(latest.stats.maxPending, 1)
  })
  test('an invalid result of the function returns 500 before the first element', async () => {
    const response = await sendRequest(call, 'GET /capped/0')
    assert.is(response.status, 500)
  })

  test('each element is sent before the next one is available', async () => {
    const response = await sendRequest(call, 'GET /written')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.is((await reader?.read())?.value, 'one ')
    await openGate('two')
    assert.is((await reader?.read())?.value, 'two ')
    await openGate('three')
    assert.is((await reader?.read())?.value, 'three')
    assert.is((await reader?.read())?.done, true)
  })

  for (const [count, responseBody] of [
    [2, '[1,2]'],
    [0, '[]'],
  ] as const)
    test(`status and headers of multiFrom are sent after the first of ${count} elements`, async () => {
      let isResolved = false
      const pending = sendRequest(call, `GET /from/${count}`).finally(() => (isResolved = true))
      await turns()
      assert.not.ok(isResolved)
      await openGate('first')
      const response = await pending
      assert.is(response.status, 222)
      assert.is(response.headers.get('x-total'), String(count))
      assert.is(response.headers.get('x-many'), 'a, b')
      assert.is(await response.text(), responseBody)
    })

  table(
    test,
    [
      ['an array for application/json', 'application/json', '[1,2]'],
      ['lines for application/x-ndjson', 'application/x-ndjson', '1\n2\n'],
      ['events for text/event-stream', 'text/event-stream', 'data: 1\n\ndata: 2\n\n'],
    ] as const,
    async (_, accept, responseBody) => {
      const response = await sendRequest(call, 'GET /either', { headers: { Accept: accept } })
      assert.is(response.headers.get('content-type'), accept)
      assert.is(response.headers.get('vary'), 'Accept')
      assert.is(await response.text(), responseBody)
    },
  )
})
