/** Clients of operations with methods that `node:http` does not support, in memory and over connections that allow them. */
import { createServer } from 'node:net'
import { pipe } from 'fp-ts/lib/function.js'
import { Agent } from 'undici'
import * as assert from 'uvu/assert'
import type { ClientOptions } from '../../src/client.ts'
import { client, undiciTransport } from '../../src/client.ts'
import {
  body,
  fails,
  handle,
  method,
  notFound,
  path,
  produces,
  routes,
  text,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { left, right } from '../support/clients.ts'
import { describe, table } from '../support/describe.ts'
import { withServer } from '../support/while-listening.ts'

const api = routes({
  cheese: pipe(
    path('/cheeses/{name}'),
    method('CHEESE')(),
    body(text),
    produces(text),
    fails(404),
    handle((input, { request }) =>
      input.path.name === 'brie' ? `${request.method} ${input.body}` : notFound(),
    ),
  ),
  melt: pipe(
    path('/cheeses'),
    method('melt')(),
    produces(text),
    handle((_, { request }) => request.method),
  ),
})

describe('a client of custom methods, in memory', (test) => {
  const { cheese, melt } = client(api, { baseUrl: 'http://service.test', fetch: inMemory(api) })

  test('sends the method and the body', async () =>
    assert.is((await right(cheese({ path: { name: 'brie' }, body: 'rind' }))).body, 'CHEESE rind'))

  test('sends a method in lower case unchanged', async () =>
    assert.is((await right(melt())).body, 'melt'))

  test('receives declared failures', async () => {
    const failure = await left(cheese({ path: { name: 'tofu' }, body: '' }))
    assert.is('status' in failure && failure.status, 404)
  })
})

/** Runs a server that accepts any method, and returns the request line and the body of each request as text. */
const withAnyMethod = (use: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer((socket) => {
    let received = ''
    socket.on('data', (data) => {
      received += String(data)
      const [head = '', content] = received.split('\r\n\r\n')
      const [, length = '0'] = /content-length: (\d+)/i.exec(head) ?? []
      if (content === undefined || content.length < Number(length)) return
      const answer = `${head.split('\r\n')[0]}|${content}`
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${answer.length}\r\nConnection: close\r\n\r\n${answer}`,
      )
    })
  })
  return withServer(server, ({ url }) => use(url))
}

describe('a client of custom methods, over a connection that allows any method', (test) => {
  table<readonly [transport: string, options: () => Pick<ClientOptions, 'transport'>]>(
    test,
    [
      ['fetch', () => ({})],
      ['undici', () => ({ transport: undiciTransport(new Agent()) })],
    ],
    async (_, options) =>
      withAnyMethod(async (baseUrl) => {
        const { cheese, melt } = client(api, { baseUrl, ...options() })
        assert.is(
          (await right(cheese({ path: { name: 'brie' }, body: 'rind' }))).body,
          'CHEESE /cheeses/brie HTTP/1.1|rind',
        )
        assert.is((await right(melt())).body, 'melt /cheeses HTTP/1.1|')
      }),
  )
})
