/** Read timeouts of buffered bodies. */
import { getEventListeners } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { Agent } from 'undici'
import type { ClientOptions, Fetch } from '../../src/client.ts'
import { client, undiciTransport } from '../../src/client.ts'
import { fakeBody } from '../support/fake-transport.ts'
import { errorIn, right } from '../support/clients.ts'
import { describe, table } from '../support/describe.ts'
import { failing } from '../support/reading.ts'
import type { Answering, Getting } from '../support/services.ts'
import { answering, contract } from '../support/services.ts'
import { whileAnswering } from '../support/while-listening.ts'

const hasty = { timeout: '250ms' } as const

/** Begins an answer, which has no end. */
const endless =
  (type: string, content: string | Uint8Array, status = 200): Answering =>
  (response) => {
    response.writeHead(status, { 'Content-Type': type }).flushHeaders()
    if (content.length > 0) response.write(content)
  }

/** Has the second half of its content later. */
const pausing: Answering = (response) => {
  endless('text/plain', 'a')(response, response.req)
  setTimeout(() => response.end('b'), 200)
}

/** Has a piece at a time. */
const slowly =
  (type: string, ...pieces: ReadonlyArray<string>): Answering =>
  async (response) => {
    response.writeHead(200, { 'Content-Type': type }).flushHeaders()
    for (const piece of pieces) {
      await sleep(80)
      response.write(piece)
    }
    response.end()
  }

/** Tells how many answers are still open. */
const counted = (answer: Answering) => {
  const open = new Set<ServerResponse>()
  return {
    open,
    answer: ((response, incoming) => {
      open.add(response)
      response.on('close', () => open.delete(response))
      answer(response, incoming)
    }) satisfies Answering,
  }
}

/** Waits until there is nothing more in a set, which takes no longer than a second. */
const emptied = async (set: { readonly size: number }): Promise<number> => {
  for (let time = 0; set.size > 0 && time < 100; time++) await sleep(10)
  return set.size
}

const json = 'application/json'
const form = 'multipart/form-data; boundary=x'

describe('bodies that stall', (test) => {
  table<readonly [name: string, answer: Answering, call: Getting]>(
    test,
    [
      ['silent behind the head', endless(json, ''), 'json'],
      ['silent behind the half', endless(json, '{"title":'), 'json'],
      ['text', endless('text/plain', 'half'), 'text'],
      ['octets', endless('image/png', 'half'), 'bytes'],
      ['XML', endless('application/xml', '<Book>'), 'xml'],
      [
        'a form that is read into a record',
        endless(form, '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nEm'),
        'record',
      ],
      ['a declared failure', endless(json, '{', 404), 'json'],
      ['a status that nobody declared', endless('text/plain', 'oh', 500), 'json'],
      ['a content that nobody declared', endless('image/png', '…'), 'json'],
    ],
    async (_, answer, call) => {
      const { open, answer: told } = counted(answer)
      await answering(
        told,
        async (library) => {
          const error = await errorIn(library[call]())
          assert.is(error._tag, 'TimedOut')
          // of a machine that is slow it may be the head
          assert.match(
            error.message,
            RegExp(`^${call}: (?:no response within|response body idle for) 250ms$`),
          )
          assert.is(error.cause instanceof DOMException && error.cause.name, 'TimeoutError')
          assert.is(await emptied(open), 0, 'the connection is given back')
        },
        hasty,
      )
    },
  )
  test('a body with a wrong Content-Encoding', () =>
    answering(
      (response) =>
        void response
          .writeHead(200, { 'Content-Type': json, 'Content-Encoding': 'gzip' })
          .end('{"title":"no gzip"}'),
      async (library) => {
        // the fetch of Node 20 says nothing of it, others do
        const error = await errorIn(library.json())
        assert.ok(['TimedOut', 'NetworkError'].includes(error._tag), error.message)
      },
      hasty,
    ))
  test('a compressed body that stalls', async () => {
    const half = gzipSync('{"title":"a"}'.padEnd(10_000, ' ')).subarray(0, 20)
    const { open, answer } = counted((response) => {
      response.writeHead(200, { 'Content-Type': json, 'Content-Encoding': 'gzip' }).write(half)
    })
    await answering(
      answer,
      async (library) => {
        assert.is((await errorIn(library.json()))._tag, 'TimedOut')
        assert.is(await emptied(open), 0)
      },
      hasty,
    )
  })
  test('a call overrides or disables the limit', async () => {
    await answering(
      pausing,
      async (library) => {
        assert.is((await errorIn(library.text()))._tag, 'TimedOut')
        for (const timeout of [false, '10s'] as const)
          assert.is((await right(library.text({}, { timeout }))).body, 'ab')
      },
      { timeout: '50ms' },
    )
    await answering(pausing, async (library) => {
      assert.match((await errorIn(library.text({}, { timeout: '50ms' }))).message, / 50ms$/)
      assert.is((await right(library.text())).body, 'ab')
    })
    await answering(
      pausing,
      async (library) => assert.is((await right(library.text())).body, 'ab'),
      { timeout: false },
    )
  })
})

describe('bodies that take longer than the limit', (test) => {
  test('are decoded if chunks keep arriving', () =>
    answering(
      slowly('text/plain', ...Array.from('abcdefghijklmnop')),
      async (library) => assert.is((await right(library.text())).body, 'abcdefghijklmnop'),
      { timeout: '1s' },
    ))
  test('a slow multipart record is decoded', () =>
    answering(
      slowly(
        form,
        '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\n',
        ...Array.from('abcdefghijklmn'),
        '\r\n--x--\r\n',
      ),
      async (library) =>
        assert.equal((await right(library.record())).body, { title: 'abcdefghijklmn' }),
      { timeout: '1s' },
    ))
  test('time out if they stall after the last chunk', async () => {
    let last = 0
    await answering(
      async (response) => {
        response.writeHead(200, { 'Content-Type': 'text/plain' }).flushHeaders()
        for (let time = 0; time < 4; time++) {
          await sleep(60)
          response.write('a')
          last = performance.now()
        }
      },
      async (library) => {
        assert.is((await errorIn(library.text()))._tag, 'TimedOut')
        const silent = performance.now() - last
        assert.ok(silent > 290 && silent < 3000, String(silent))
      },
      { timeout: '300ms' },
    )
  })
  test('streams may be idle', () =>
    answering(
      async (response) => {
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
        response.write('{"title":"a"}\n')
        await sleep(1500)
        response.end('{"title":"b"}\n')
      },
      async (library) => {
        const { body } = await right(library.lines())
        const titles: string[] = []
        for await (const { title } of body) titles.push(title)
        assert.equal(titles, ['a', 'b'])
      },
      { timeout: '1s' },
    ))
  test('streamed parts may be idle', () =>
    answering(
      async (response) => {
        response.writeHead(200, { 'Content-Type': form })
        response.write('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1')
        await sleep(1500)
        response.end()
      },
      async (library) => {
        const { body } = await right(library.parts())
        const [, failure] = await failing(body)
        assert.is('_tag' in failure && failure._tag, 'DecodeError')
      },
      { timeout: '1s' },
    ))
})

describe('bodies that stall, in memory', (test) => {
  test('are cancelled', async () => {
    const content = fakeBody('{"title"', '…')
    const fetch: Fetch = async () =>
      new Response(content.body, { headers: { 'Content-Type': json } })
    const library = client(contract, { baseUrl: 'http://localhost', fetch, ...hasty })
    assert.is((await errorIn(library.json()))._tag, 'TimedOut')
    assert.ok(content.isCancelled())
  })
})

/** Timers for which the process goes on. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length

describe('two hundred bodies that stall', (test) => {
  const dispatcher = new Agent()
  const transports: ReadonlyArray<readonly [name: string, options: Partial<ClientOptions>]> = [
    ['fetch', {}],
    ['undici', { transport: undiciTransport(dispatcher) }],
  ]
  for (const [name, options] of transports)
    test(`release their resources: ${name}`, async () => {
      const { open, answer } = counted(endless(json, '{"title":'))
      const listener: RequestListener = (request, response) => answer(response, request)
      await whileAnswering(listener, async ({ url }) => {
        const library = client(contract, { baseUrl: url, timeout: '100ms', ...options })
        const { signal } = new AbortController()
        const before = timers()
        for (let round = 0; round < 4; round++) {
          const errors = await Promise.all(
            Array.from({ length: 50 }, () => errorIn(library.json({}, { signal }))),
          )
          assert.equal(new Set(errors.map(({ _tag }) => _tag)), new Set(['TimedOut']))
        }
        assert.is(await emptied(open), 0)
        assert.is(getEventListeners(signal, 'abort').length, 0)
        assert.ok(timers() <= before, `${timers()} timers, and ${before} before`)
      })
    })
})
