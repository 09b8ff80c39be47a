import * as assert from 'uvu/assert'
import type { ClientBody } from '../../../src/client/exchange.ts'
import type { LoggingOptions, Observation } from '../../../src/client/policy/logging.ts'
import { logging, observeRequests } from '../../../src/client/policy/logging.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import {
  fakeBody,
  requestTo,
  responseOf,
  expectResponse,
  fakeTransport,
  send,
  readText,
  networkError,
  statusOrTag,
} from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { createRecorder } from '../../support/recorder.ts'
import { fakeClock } from '../fake-clock.ts'

const url = 'http://books.test/books/1'
const common = { operation: 'books.get', method: 'GET', url }

const logged = (options: Partial<LoggingOptions> = {}) => {
  const record = createRecorder()
  return {
    ...record,
    policy: logging({ logger: record.logger, clock: fakeClock(), ...options }),
  }
}

describe('logging', (test) => {
  test('logs the request, the response and the response body', async () => {
    const { lines, policy } = logged()
    const content = fakeBody('{"title":', '"Emma"}')
    const network = fakeTransport(() =>
      responseOf(200, ['Content-Type', 'application/json'], content.body),
    )
    const request = requestTo(url, { headers: ['Accept', 'application/json'] })
    const result = await send(policy, network, request)
    assert.is(lines.length, 2)
    assert.is(content.chunksRead(), 0, 'the log reads no chunks')
    assert.is(await readText(expectResponse(result).body), '{"title":"Emma"}')
    assert.equal(lines, [
      {
        level: 'debug',
        members: { ...common, headers: { Accept: 'application/json' } },
        message: `GET ${url}`,
      },
      {
        level: 'debug',
        members: {
          ...common,
          status: 200,
          duration: 0,
          headers: { 'Content-Type': 'application/json' },
        },
        message: `GET ${url}: 200 in 0.0 ms`,
      },
      {
        level: 'debug',
        members: { ...common, body: '{"title":"Emma"}' },
        message: `GET ${url}: body received`,
      },
    ])
  })
  test('logs an error instead of a response', async () => {
    const { lines, policy } = logged({ level: 'info' })
    await send(
      policy,
      fakeTransport(() => networkError),
    )
    assert.equal(lines[1], {
      level: 'info',
      members: { ...common, error: 'NetworkError', duration: 0 },
      message: 'books.get: no connection',
    })
  })
  test('logs the first 100 characters of a body as soon as they have been read', async () => {
    const { lines, policy } = logged()
    const content = fakeBody('a'.repeat(60), 'ä'.repeat(60), 'more')
    const result = await send(
      policy,
      fakeTransport(() => responseOf(200, [], content.body)),
    )
    const reader = expectResponse(result).body?.getReader()
    await reader?.read()
    assert.is(lines.length, 2)
    await reader?.read()
    assert.is(lines.length, 3, 'the preview is complete')
    assert.is(lines[2]?.members['body'], `${'a'.repeat(60)}${'ä'.repeat(40)}…`)
    await reader?.read()
    await reader?.read()
    assert.is(lines.length, 3)
  })
  test('logs the part of a cancelled body that was read', async () => {
    const { lines, policy } = logged()
    const content = fakeBody('a', '…')
    const result = await send(
      policy,
      fakeTransport(() => responseOf(200, [], content.body)),
    )
    const reader = expectResponse(result).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    assert.ok(content.isCancelled())
    assert.is(lines[2]?.members['body'], 'a')
  })
  const bytes = new TextEncoder().encode('äbcdef')
  const chunks = async function* () {
    yield bytes.subarray(0, 1)
    yield bytes.subarray(1)
  }
  const shortStream = async function* () {
    yield bytes.subarray(0, 4)
  }
  table<readonly [name: string, body: ClientBody, type: string, content: string | undefined]>(
    test,
    [
      ['a string', { _tag: 'Buffered', data: 'äbcdef' }, 'text/plain', 'äbc…'],
      ['a short string', { _tag: 'Buffered', data: 'äbc' }, 'text/plain', 'äbc'],
      ['bytes', { _tag: 'Buffered', data: bytes }, 'application/json', 'äbc…'],
      ['a Blob', { _tag: 'Buffered', data: new Blob([bytes]) }, 'a/b+xml', 'äbc…'],
      ['chunks', { _tag: 'Streamed', open: chunks }, 'application/x-ndjson', 'äbc…'],
      ['a short stream', { _tag: 'Streamed', open: shortStream }, 'text/plain', 'äbc'],
      ['bytes of an image', { _tag: 'Buffered', data: bytes }, 'image/png', undefined],
      ['chunks of an image', { _tag: 'Streamed', open: chunks }, 'image/png', undefined],
      [
        'a multipart form',
        { _tag: 'Form', form: new FormData() },
        'multipart/form-data',
        undefined,
      ],
    ],
    async (_, body, type, content) => {
      const { lines, policy } = logged({ bodyLimit: 3 })
      const sent: Uint8Array[] = []
      const network = fakeTransport(async (request) => {
        if (request.body?._tag === 'Streamed')
          for await (const chunk of request.body.open()) sent.push(chunk)
        return responseOf(204)
      })
      const headers = ['Content-Type', type]
      await send(policy, network, requestTo(url, { method: 'POST', body, headers }))
      assert.equal(
        lines.flatMap(({ members }) => ('body' in members ? [members['body']] : [])),
        content === undefined ? [] : [content],
      )
      if (body._tag === 'Streamed') {
        const expected: Uint8Array[] = []
        for await (const chunk of body.open()) expected.push(chunk)
        assert.equal(sent, expected)
      } else assert.is(network.sent[0]?.body, body)
    },
  )
  test('masks credentials and the names of the mask option', async () => {
    const { lines, policy } = logged({ mask: ['x-user', 'who'] })
    const headers = [
      'authorization',
      'a1',
      'Cookie',
      'a2',
      'X-Api-Key',
      'a3',
      'X-User',
      'a4',
      'A',
      'b',
      'A',
      'c',
    ]
    const network = fakeTransport(() => responseOf(200, ['Set-Cookie', 'a5', 'set-cookie', 'a6']))
    const secret = 'http://ann:a7@books.test/?who=a8&access_token=a9&%77ho=a10&page=2#who'
    await send(policy, network, requestTo(secret, { headers }))
    assert.not.match(JSON.stringify(lines), /a\d/)
    assert.equal(lines[0]?.members['headers'], {
      authorization: '***',
      Cookie: '***',
      'X-Api-Key': '***',
      'X-User': '***',
      A: 'b, c',
    })
    assert.is(
      lines[0]?.members['url'],
      'http://***@books.test/?who=***&access_token=***&%77ho=***&page=2#who',
    )
    assert.is(network.sent[0]?.url, secret)
  })
  test('masks URLs in headers', async () => {
    const { lines, policy } = logged()
    const network = fakeTransport(() =>
      responseOf(302, [
        'Location',
        '/in?token=a1&page=2',
        'content-location',
        '//b:a2@books.test/',
      ]),
    )
    const headers = ['Referer', 'http://books.test/?access_token=a3']
    await send(policy, network, requestTo(undefined, { headers }))
    assert.equal(
      lines.map(({ members }) => members['headers']),
      [
        { Referer: 'http://books.test/?access_token=***' },
        { Location: '/in?token=***&page=2', 'content-location': '//***@books.test/' },
      ],
    )
  })
  test('scope all logs each chunk and the end of the body', async () => {
    const { lines, policy } = logged({ scope: 'all', bodyLimit: 0 })
    const network = fakeTransport(() => responseOf(200, [], fakeBody('abc', 'de').body))
    await readText(expectResponse(await send(policy, network)).body)
    assert.equal(
      lines.slice(2).map(({ message }) => message.slice(`GET ${url}: `.length)),
      ['3 bytes received', '2 bytes received', 'body complete'],
    )
  })
  test('a logger that throws does not fail the call', async () => {
    const policy = logging({
      logger: {
        ...createRecorder().logger,
        debug: () => {
          throw new Error('full')
        },
      },
    })
    const content = fakeBody('a')
    const result = await send(
      policy,
      fakeTransport(() => responseOf(200, [], content.body)),
    )
    assert.is(statusOrTag(result), 200)
    assert.is(await readText(expectResponse(result).body), 'a')
  })
})

const observed = {
  operation: 'books.get',
  template: '/books/{id}',
  method: 'GET',
  origin: 'http://books.test',
}

describe('observeRequests', (test) => {
  test('reports the status or the error, and the duration', async () => {
    const clock = fakeClock()
    const seen: Observation[] = []
    const policy = observeRequests((observation) => seen.push(observation), { clock })
    const network = fakeTransport(
      (_, n) =>
        new Promise((resolve) =>
          clock.after(25, () => resolve(n === 0 ? responseOf(404) : networkError)),
        ),
    )
    for (let n = 0; n < 2; n++) {
      const sent = send(policy, network)
      await clock.advance(25)
      await sent
    }
    assert.equal(seen, [
      { ...observed, status: 404, error: undefined, duration: 25 },
      { ...observed, status: undefined, error: 'NetworkError', duration: 25 },
    ])
  })
  test('observes calls outside retry and attempts inside', async () => {
    const clock = fakeClock()
    const calls: Observation[] = []
    const attempts: Observation[] = []
    const network = fakeTransport(() => networkError)
    const sent = send(
      [
        observeRequests((observation) => calls.push(observation)),
        retry({ times: 2, clock }),
        observeRequests((observation) => attempts.push(observation)),
      ],
      network,
    )
    await clock.advance(60_000)
    await sent
    assert.equal([calls.length, attempts.length], [1, 3])
  })
  test('a function that throws does not fail the call', async () => {
    const policy = observeRequests(() => {
      throw new Error('oops')
    })
    assert.is(
      statusOrTag(
        await send(
          policy,
          fakeTransport(() => responseOf(200)),
        ),
      ),
      200,
    )
  })
})
