/** Half-closed connections and client certificates of servers that call `nodeListener`. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { ServerOptions } from 'node:https'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  authenticated,
  get,
  handle,
  mutualTls,
  ndjson,
  path,
  produces,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import type { NodeListener, NodeListenerOptions } from '../../../src/node.ts'
import { nodeListener } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { createCertificateFolder, hasOpenSsl } from '../../support/certificates.ts'
import { describe, describeWith, table } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import type { Address } from '../../support/while-listening.ts'
import { withServer } from '../../support/while-listening.ts'
import { connectTls, withCertificate } from '../tls/clients.ts'
import { waitUntil } from '../../support/wait-until.ts'

const events: string[] = []

const api = pipe(
  routes({
    slow: pipe(
      path('/slow'),
      get(),
      produces(text),
      handle(async (_, { request }) => {
        request.signal.addEventListener('abort', () => events.push('aborted'))
        events.push('started')
        await wait(50)
        return 'slow'
      }),
    ),
    never: pipe(
      path('/never'),
      get(),
      produces(text),
      handle(() => new Promise<string>(() => undefined)),
    ),
    lines: pipe(
      path('/lines'),
      get(),
      produces(ndjson(t.string)),
      handle(async function* () {
        try {
          for (;;) {
            yield 'line'
            await wait(5)
          }
        } finally {
          events.push('closed')
        }
      }),
    ),
    me: pipe(
      path('/me'),
      get(),
      authenticated,
      produces(text),
      handle((_, { security }) => JSON.stringify([security.principal?.name, security.secure])),
    ),
  }),
  withFilter(mutualTls()),
)

const listening = async <A>(
  create: (listener: NodeListener) => Server,
  use: (address: Address) => Promise<A>,
  options: NodeListenerOptions = {},
): Promise<A> => {
  const listener = nodeListener(api, {
    logger: silentLogger,
    'fw.http.overload.enabled': false,
    'fw.shutdown.timeout': '100ms',
    ...options,
  })
  await listener.ready
  events.length = 0
  try {
    return await withServer(create(listener), use)
  } finally {
    await listener.close()
  }
}

/** A server that keeps half-closed connections open. The property is not documented. */
const halfOpen = (listener: NodeListener): Server =>
  Object.assign(createServer(listener), { httpAllowHalfOpen: true })

describe('a half-close by a client of another server', (test) => {
  test('aborts the signal, and Node.js sends no response by default', () =>
    listening(createServer, async ({ url }) => {
      const connection = await connectTo(url, { allowHalfOpen: true })
      connection.write(rawRequest('GET /slow'))
      await waitUntil(() => events.includes('started'))
      connection.socket.end()
      await connection.closed()
      await waitUntil(() => events.includes('aborted'))
    }))
  test('gets the response if the server has httpAllowHalfOpen', () =>
    listening(halfOpen, async ({ url }) => {
      const connection = await connectTo(url, { allowHalfOpen: true })
      connection.socket.end(rawRequest('GET /slow'))
      assertResponse(await connection.next(), [200, 'slow'])
      await connection.closed()
      assert.equal(events, ['started', 'aborted'])
    }))
  table(
    test,
    [
      ['by default', createServer],
      ['with httpAllowHalfOpen', halfOpen],
    ] as const,
    (_, create) =>
      listening(create, async ({ url }) => {
        const connection = await connectTo(url, { allowHalfOpen: true })
        connection.write(rawRequest('GET /lines'))
        await connection.readable()
        connection.socket.end()
        await waitUntil(() => events.includes('closed'))
        connection.destroy()
      }),
  )
  test('fw.http.half-close-timeout ends a response that does not start in time', () =>
    listening(
      halfOpen,
      async ({ url }) => {
        const connection = await connectTo(url, { allowHalfOpen: true })
        connection.socket.end(rawRequest('GET /never'))
        await connection.closed()
      },
      { 'fw.http.half-close-timeout': 100 },
    ))
})

describeWith('client certificates of an https server', 'openssl', hasOpenSsl, (test) => {
  const folder = createCertificateFolder()
  const authority = folder.authority('authority')
  const others = folder.authority('others')
  const local = folder.issue(authority, 'local')
  const ann = folder.issue(authority, 'ann')
  const stranger = folder.issue(others, 'stranger')

  const statusFor = (
    options: ServerOptions,
    client: ReturnType<typeof withCertificate>,
  ): Promise<readonly [number, string]> =>
    listening(
      (listener) =>
        createHttpsServer(
          {
            cert: readFileSync(local.certificate),
            key: readFileSync(local.key),
            ca: readFileSync(authority.certificate),
            ...options,
          },
          listener,
        ),
      async ({ port }) => {
        const urls = [`https://localhost:${port}`]
        const connection = await connectTls({ urls }, authority, client)
        connection.write(rawRequest('GET /me'))
        const { status, body } = await connection.next()
        connection.destroy()
        return [status, status === 200 ? body : '']
      },
    )

  table(
    test,
    [
      ['a verified certificate', ann, { requestCert: true }, [200, '["ann",true]']],
      [
        'a certificate of another authority that the server lets pass',
        stranger,
        { requestCert: true, rejectUnauthorized: false },
        [401, ''],
      ],
      ['no certificate', undefined, { requestCert: true, rejectUnauthorized: false }, [401, '']],
      ['a certificate that the server does not request', ann, {}, [401, '']],
    ] as const,
    async (_, paths, options, expected) =>
      assert.equal(
        await statusFor(options, paths === undefined ? {} : withCertificate(paths)),
        expected,
      ),
  )
})
