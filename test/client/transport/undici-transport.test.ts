/** Tests behaviour that is specific to the undici transport. Suites that run over both transports cover the rest. */
import { getEventListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { Agent, getGlobalDispatcher, request } from 'undici'
import type { ClientBody, ClientOptions, ClientRequest } from '../../../src/client.ts'
import {
  client,
  clientFilter,
  compressRequests,
  concurrencyLimit,
  ConfigurationError,
  retry,
  timeout,
  undiciTransport,
} from '../../../src/client.ts'
import type { ClientResponse } from '../../../src/client/exchange.ts'
import { requestTo, expectResponse, send } from '../fake-transport.ts'
import { errorIn, right } from '../../support/clients.ts'
import { describe } from '../../support/describe.ts'
import type { ServiceClient } from '../plain-services.ts'
import { contract } from '../plain-services.ts'
import { withHttpServer } from '../../support/while-listening.ts'
import { waitUntil } from '../../support/wait-until.ts'

type Respond = (response: ServerResponse, request: IncomingMessage) => void

/** Calls a service through a transport with one connection. `connectionCount` returns the number of connections opened. */
const using = async (
  respond: Respond,
  use: (library: ServiceClient, connectionCount: () => number, url: string) => Promise<void>,
  options: Partial<ClientOptions> = {},
): Promise<void> => {
  const dispatcher = new Agent({ connections: 1 })
  const transport = undiciTransport(dispatcher)
  try {
    await withHttpServer(
      (incoming, response) => respond(response, incoming),
      ({ url, connectionCount }) =>
        use(client(contract, { baseUrl: url, transport, ...options }), connectionCount, url),
    )
  } finally {
    await dispatcher.destroy()
  }
}

const json = (response: ServerResponse, content: string | Uint8Array = '{"title":"a"}'): void =>
  void response.setHeader('Content-Type', 'application/json').end(content)

const long = JSON.stringify({ title: 'a'.repeat(100_000) })

describe('undiciTransport', (test) => {
  test('sends Accept-Encoding: identity unless the call sets it', async () => {
    const requests: unknown[] = []
    await using(
      (response, { headers }) => {
        requests.push(headers['accept-encoding'])
        json(response)
      },
      async (library) => {
        await right(library.json())
        await right(library.json({}, { headers: { 'Accept-Encoding': 'gzip' } }))
      },
    )
    assert.equal(requests, ['identity', 'gzip'])
  })
  const codings = [
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
  ] as const
  for (const [coding, encode] of codings)
    test(`decodes ${coding}, and limits the decoded size`, () =>
      using(
        (response) => json(response.setHeader('Content-Encoding', coding), encode(long)),
        async (library, _, url) => {
          assert.is((await right(library.json())).body.title.length, 100_000)
          const transport = undiciTransport(getGlobalDispatcher())
          const small = client(contract, { baseUrl: url, transport, maxBodySize: 50_000 })
          assert.is((await errorIn(small.json()))._tag, 'ResponseTooLarge')
        },
      ))
  test('does not decode other content codings', () =>
    using(
      (response) => json(response.setHeader('Content-Encoding', 'br'), brotliCompressSync('{}')),
      async (library) => assert.is((await errorIn(library.json()))._tag, 'DecodeError'),
    ))
  test('calls reuse a connection and leave no listeners on their signal', async () => {
    const { signal } = new AbortController()
    await using(
      (response, { method }) => {
        if (method === 'GET') return json(response)
        response.statusCode = 204
        response.end()
      },
      async (library, connectionCount) => {
        for (let time = 0; time < 5; time++) {
          assert.equal((await right(library.json({}, { signal }))).body, { title: 'a' })
          assert.is((await right(library.ping({}, { signal }))).body, undefined)
        }
        assert.is(connectionCount(), 1)
        await waitUntil(() => getEventListeners(signal, 'abort').length === 0)
      },
    )
  })
  test('a body that is not read closes its connection', () => {
    let closed = false
    return using(
      (response) => {
        response.on('close', () => (closed = true))
        response.writeHead(202).write('…')
      },
      async (library) => {
        assert.is((await right(library.nothing())).body, undefined)
        await waitUntil(() => closed)
      },
    )
  })
  test('a body that fails before it is read makes reading fail', () =>
    using(
      (response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '20' })
        response.write('{')
        setTimeout(() => response.destroy(), 10)
      },
      async (library) => assert.is((await errorIn(library.json()))._tag, 'NetworkError'),
      { policies: [waiting] },
    ))
  for (const how of ['fails', 'is aborted'])
    test(`a body that ${how} before it is read frees its slot in concurrencyLimit`, () => {
      let requests = 0
      return using(
        (response) => {
          if (requests++ > 0) return json(response)
          response.writeHead(200, { 'Content-Length': '20' }).write('{')
          if (how === 'fails') setTimeout(() => response.destroy(), 10)
        },
        async (_, __, url) => {
          const passage = concurrencyLimit(1).around(undiciTransport(getGlobalDispatcher()))
          const caller = new AbortController()
          expectResponse(await passage(requestTo(url, { signal: caller.signal }))())
          const second = passage(requestTo(url))()
          if (how === 'is aborted') caller.abort()
          assert.is(await new Response(expectResponse(await second).body).text(), '{"title":"a"}')
        },
      )
    })
  test('a body that a policy has replaced is read', () =>
    using(
      (response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.write('{')
      },
      async (library) => assert.is((await errorIn(library.json()))._tag, 'TimedOut'),
      { policies: [timeout('50ms', { covers: 'body' })] },
    ))
  const bodies: ReadonlyArray<readonly [name: string, body: () => ClientBody, length: unknown]> = [
    ['a string', () => ({ _tag: 'Buffered', data: 'é' }), '2'],
    ['bytes', () => ({ _tag: 'Buffered', data: new TextEncoder().encode('é') }), '2'],
    ['a Blob', () => ({ _tag: 'Buffered', data: new Blob(['é']) }), '2'],
    ['chunks', () => ({ _tag: 'Streamed', open: () => chunksOf('é') }), undefined],
  ]
  for (const [name, body, length] of bodies)
    test(`sends ${name}`, async () => {
      const seen: unknown[] = []
      await using(
        (response, incoming) => {
          seen.push(incoming.headers['content-length'])
          incoming.setEncoding('utf8').on('data', (text) => seen.push(text))
          incoming.on('end', () => response.end())
        },
        async (_, __, url) => void (await sent(url, { method: 'POST', body: body() })),
      )
      assert.equal(seen, [length, 'é'])
    })
  test('sends a form and its boundary', async () => {
    const form = new FormData()
    form.append('title', 'Emma')
    let type = ''
    let content = ''
    await using(
      (response, incoming) => {
        type = incoming.headers['content-type'] ?? ''
        incoming.setEncoding('utf8').on('data', (text) => (content += text))
        incoming.on('end', () => response.end())
      },
      async (_, __, url) =>
        void (await sent(url, { method: 'POST', body: { _tag: 'Form', form } })),
    )
    const read = await new Response(content, { headers: { 'Content-Type': type } }).formData()
    assert.is(read.get('title'), 'Emma')
  })
  test('a compressed body is sent again by retry', async () => {
    const seen: unknown[] = []
    const content = 'é'.repeat(5000)
    await using(
      (response, incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('end', () => {
          const text = gunzipSync(Buffer.concat(chunks)).toString()
          seen.push([incoming.headers['content-encoding'], text === content])
          response.writeHead(seen.length === 1 ? 503 : 204).end()
        })
      },
      async (_, __, url) => {
        const policies = [compressRequests(), retry({ times: 1, backoff: { first: 1 } })]
        const body: ClientBody = { _tag: 'Buffered', data: content }
        const transport = { passage: undiciTransport(getGlobalDispatcher()) }
        const result = await send(policies, transport, requestTo(url, { method: 'PUT', body }))
        assert.is(expectResponse(result).status, 204)
      },
    )
    assert.equal(seen, [
      ['gzip', true],
      ['gzip', true],
    ])
  })
  test('a copy of a response shares its body', () =>
    using(
      (response) => json(response),
      async (_, __, url) => {
        const response = await sent(url)
        const { body } = { ...response }
        assert.is(body, response.body)
        assert.is(await new Response(body).text(), '{"title":"a"}')
      },
    ))
  test('a 407 is a response, unlike with fetch', () =>
    using(
      (response) => void response.writeHead(407, { 'Content-Type': 'text/plain' }).end('who?'),
      async (library, _, url) => {
        const error = await errorIn(library.json())
        assert.ok(error._tag === 'UndeclaredStatus' && error.status === 407)
        assert.is(error.text, 'who?')
        const other = client(contract, { baseUrl: url })
        assert.is((await errorIn(other.json()))._tag, 'NetworkError')
      },
    ))
  test('an argument that is not a dispatcher throws a TypeError', () =>
    assert.throws(
      // @ts-expect-error it has no `dispatch`
      () => undiciTransport(request),
      (error: unknown) =>
        error instanceof TypeError && /expects an undici dispatcher/.test(error.message),
    ))
  test('the options transport and fetch exclude each other', () =>
    assert.throws(
      () =>
        client(contract, {
          baseUrl: 'http://localhost',
          fetch,
          transport: undiciTransport(getGlobalDispatcher()),
        }),
      (error: unknown) =>
        error instanceof ConfigurationError &&
        /conflicts with the fetch option/.test(error.message),
    ))
})

const waiting = clientFilter(async (clientRequest, pass) => {
  const result = await pass(clientRequest)()
  await sleep(50)
  return result
})

const sent = async (url: string, more: Partial<ClientRequest> = {}): Promise<ClientResponse> =>
  expectResponse(await undiciTransport(getGlobalDispatcher())(requestTo(url, more))())

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}
