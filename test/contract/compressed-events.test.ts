/** Event streams where responses are compressed: R-238 of the rules. */
import type { Transform } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as zlib from 'node:zlib'
import {
  compressed,
  event,
  get,
  handle,
  path,
  produces,
  routes,
  sse,
  string,
} from '../../src/index.ts'
import { base, contract } from '../support/doors.ts'
import { EventSource } from '../support/event-source.ts'
import { until } from '../support/workers.ts'

/** What a stream waits for before its next event. */
let go: (() => void) | undefined
const goOn = async (): Promise<void> => {
  await until(() => go !== undefined)
  go?.()
  go = undefined
}

async function* events() {
  for (const word of ['one', 'two', 'three']) {
    yield event('word', word, { id: word })
    await new Promise<void>((resolve) => (go = resolve))
  }
}

const plain = pipe(
  path('/plain'),
  get(),
  produces(sse(string)),
  handle(() => ['a']),
)
const marked = pipe(path('/marked'), get(), produces(sse(string)), compressed, handle(events))

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
}

contract(
  'R-238: an event stream where responses are compressed',
  routes({ plain, marked }),
  (test, call) => {
    const ask = (target: string, coding: string) =>
      call(new Request(`${base}${target}`, { headers: { 'Accept-Encoding': coding } }))
    test('is not, unless its operation says so', async () => {
      const response = await ask('/plain', 'gzip, br')
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(await response.text(), 'data: a\n\n')
    })
    test('is not for a client that cannot read it', async () => {
      const response = await ask('/marked', 'identity')
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(response.headers.get('vary'), 'Accept-Encoding')
      await response.body?.cancel()
    })
    for (const [coding, decoder] of Object.entries(decoders))
      test(`can be read event by event: ${coding}`, async () => {
        go = undefined
        const response = await ask('/marked', coding)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('content-type'), 'text/event-stream')
        assert.is(response.headers.get('cache-control'), 'no-cache')
        assert.is(response.headers.get('vary'), 'Accept-Encoding')
        const client = new EventSource()
        const reader = response.body?.getReader()
        const stream = decoder()
        stream.on('data', (octets: Buffer) => client.take(octets.toString()))
        const read = async (): Promise<boolean> => {
          const result = await reader?.read()
          if (result?.done !== false) return false
          await new Promise((done) => stream.write(result.value, done))
          return true
        }
        for (const [index, word] of ['one', 'two', 'three'].entries()) {
          // nothing else is sent before this one is read
          while (client.events.length <= index) assert.ok(await read())
          assert.equal(client.events[index], { type: 'word', data: word, lastEventId: word })
          await goOn()
        }
        while (await read());
        await new Promise((done) => stream.end(done))
        assert.is(client.events.length, 3)
      })
  },
  { 'fw.http.enable-compression': true },
)
