/** Streams that are closed, aborted or fail before their end. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { discard } from '../../../src/client.ts'
import {
  get,
  handle,
  jsonStream,
  ndjson,
  path,
  produces,
  routes,
  textStream,
} from '../../../src/index.ts'
import { clientContract, right } from '../../support/clients.ts'
import { readAll, readUntilFailure } from '../read-stream.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const Book = t.type({ title: t.string })

/** Counters of the sources on the server. */
const seen = { produced: 0, ended: 0 }

async function* endless() {
  try {
    for (;;) {
      seen.produced++
      yield { title: 'x'.repeat(1000) }
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    seen.ended++
  }
}

/** Yields one element, then waits for the client to disconnect. */
async function* silent(signal: AbortSignal) {
  try {
    yield 'first'
    await wait(60_000, undefined, { signal })
  } finally {
    seen.ended++
  }
}

async function* broken() {
  yield { title: 'Emma' }
  await turns()
  yield { title: 'Persuasion' }
  await turns()
  throw new Error('secret')
}

const api = routes({
  endless: pipe(
    path('/endless'),
    get(),
    produces(ndjson(Book)),
    handle(() => endless()),
  ),
  silent: pipe(
    path('/silent'),
    get(),
    produces(textStream),
    handle((_, { request }) => silent(request.signal)),
  ),
  broken: pipe(
    path('/broken'),
    get(),
    produces(jsonStream(Book)),
    handle(() => broken()),
  ),
})

clientContract('abandoned streams', api, (test, calling) => {
  test('break closes the response', async () => {
    seen.ended = seen.produced = 0
    const { body: read } = await right(calling().endless())
    for await (const { title } of read) {
      assert.is(title.length, 1000)
      break
    }
    await waitUntil(() => seen.ended === 1)
    const before = seen.produced
    await turns()
    assert.is(seen.produced, before)
    // the closed stream is at its end
    assert.equal(await readAll(read), [])
  })
  test('return closes the response while a read is pending', async () => {
    seen.ended = 0
    const { body: read } = await right(calling().silent())
    const values = read[Symbol.asyncIterator]()
    assert.equal(await values.next(), { done: false, value: 'first' })
    const pending = values.next()
    await values.return?.()
    assert.equal(await pending, { done: true, value: undefined })
    await waitUntil(() => seen.ended === 1)
  })
  test('discard closes an unread response', async () => {
    seen.ended = 0
    await discard(await right(calling().silent()))
    await waitUntil(() => seen.ended === 1)
  })
  test('the signal of the call aborts the stream', async () => {
    seen.ended = 0
    const controller = new AbortController()
    const { body: read } = await right(calling().silent({}, { signal: controller.signal }))
    const abortAfterFirst = async function* () {
      for await (const text of read) {
        yield text
        controller.abort(new Error('enough'))
      }
    }
    const [texts, failure] = await readUntilFailure(abortAfterFirst())
    assert.equal(texts, ['first'])
    assert.ok('_tag' in failure && failure._tag === 'Aborted')
    assert.is(failure.message, 'silent: the call was aborted')
    await waitUntil(() => seen.ended === 1)
  })
  test('a stream that fails on the server throws after its elements', async () => {
    const [read, failure] = await readUntilFailure((await right(calling().broken())).body)
    assert.equal(read, [{ title: 'Emma' }, { title: 'Persuasion' }])
    assert.ok('_tag' in failure && failure._tag === 'NetworkError')
    assert.match(failure.message, /^broken: /)
  })
})
