/** Streams that are left, aborted, or break off. */
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
import { called, right } from '../../support/clients.ts'
import { all, failing } from '../../support/reading.ts'

const Book = t.type({ title: t.string })

/** What has become of sources. */
const seen = { asked: 0, ended: 0 }

async function* endless() {
  try {
    for (;;) {
      seen.asked++
      yield { title: 'x'.repeat(1000) }
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    seen.ended++
  }
}

/** Gives one element, and waits for the client to go. */
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
  await wait(5)
  yield { title: 'Persuasion' }
  await wait(5)
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

const settled = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 500 && !holds(); turn++) await wait(5)
  assert.ok(holds(), 'it has not come to that')
}

called('R-457: streams that are left', api, (test, calling) => {
  test('R-457: whoever leaves lets go of the response', async () => {
    seen.ended = seen.asked = 0
    const { body: read } = await right(calling().endless())
    for await (const { title } of read) {
      assert.is(title.length, 1000)
      break
    }
    await settled(() => seen.ended === 1)
    const before = seen.asked
    await wait(20)
    assert.is(seen.asked, before)
    // what was left is over
    assert.equal(await all(read), [])
  })
  test('R-457: also while it waits', async () => {
    seen.ended = 0
    const { body: read } = await right(calling().silent())
    const values = read[Symbol.asyncIterator]()
    assert.equal(await values.next(), { done: false, value: 'first' })
    const waiting = values.next()
    await values.return?.()
    assert.equal(await waiting, { done: true, value: undefined })
    await settled(() => seen.ended === 1)
  })
  test('R-457: or discards it unread', async () => {
    seen.ended = 0
    await discard(await right(calling().silent()))
    await settled(() => seen.ended === 1)
  })
  test('R-457: the signal of the call ends it', async () => {
    seen.ended = 0
    const leaving = new AbortController()
    const { body: read } = await right(calling().silent({}, { signal: leaving.signal }))
    setTimeout(() => leaving.abort(new Error('enough')), 20)
    const [texts, failure] = await failing(read)
    assert.equal(texts, ['first'])
    assert.ok('_tag' in failure && failure._tag === 'Aborted')
    assert.is(failure.message, 'silent: the call was aborted')
    await settled(() => seen.ended === 1)
  })
  test('R-445: what breaks off never ends as if it were whole', async () => {
    const [read, failure] = await failing((await right(calling().broken())).body)
    assert.equal(read, [{ title: 'Emma' }, { title: 'Persuasion' }])
    assert.ok('_tag' in failure && failure._tag === 'NetworkError')
    assert.match(failure.message, /^broken: /)
  })
})
