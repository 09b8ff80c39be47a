/** Key sets of a real service, fetched by the package `jose`. */
import type { RequestListener, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { pipe } from 'fp-ts/lib/function.js'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as assert from 'uvu/assert'
import { fetchKeySet } from '../../src/filter/jwt.ts'
import {
  authenticated,
  get,
  handle,
  jwt,
  path,
  produces,
  routes,
  text,
  withFilter,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { withHttpServer } from '../support/while-listening.ts'
import { describe, table } from '../support/describe.ts'
import { sendRequest } from '../support/send-request.ts'
import { waitUntil } from '../support/wait-until.ts'

const chunk = 'x'.repeat(64 * 1024)

/** Writes for as long as the client reads. */
const writeEndlessly = (response: ServerResponse): void => {
  while (!response.destroyed && response.write(chunk));
  if (!response.destroyed) response.once('drain', () => writeEndlessly(response))
}

const me = pipe(
  path('/me'),
  get(),
  authenticated,
  produces(text),
  handle((_, { security: { principal } }) => principal?.name ?? ''),
)

const { publicKey, privateKey } = await generateKeyPair('ES256')
const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'a' }] })
const token = await new SignJWT({})
  .setProtectedHeader({ alg: 'ES256', kid: 'a' })
  .setIssuer('i')
  .setAudience('a')
  .setSubject('ann')
  .setExpirationTime('1h')
  .sign(privateKey)

/** Returns the status of a request with a token, whose keys the listener serves. Also checks that no connection remains in use. */
const statusWith = (listener: RequestListener): Promise<number> =>
  withHttpServer(listener, async ({ url }) => {
    const options = {
      keys: new URL(url),
      issuer: 'i',
      audience: 'a',
      algorithms: ['ES256'],
    } as const
    const send = inMemory(pipe(routes({ me }), withFilter(jwt(options))))
    const { status } = await sendRequest(send, 'GET /me', {
      headers: { Authorization: `Bearer ${token}` },
    })
    return status
  })

describe('key sets that jwt fetches', (test) => {
  table<readonly [title: string, listener: RequestListener, status: number]>(
    test,
    [
      ['a key set', (_, response) => response.end(keys), 200],
      [
        'a compressed key set',
        (_, response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync(keys)),
        200,
      ],
      ['an endless key set', (_, response) => writeEndlessly(response), 500],
      [
        'a key set that is large after decompression',
        (_, response) =>
          response
            .setHeader('Content-Encoding', 'gzip')
            .end(gzipSync(keys + ' '.repeat(16 * 1024 * 1024))),
        500,
      ],
      [
        'an error with an endless body',
        (_, response) => writeEndlessly(response.writeHead(404)),
        500,
      ],
      ['a redirect', (_, response) => response.writeHead(302, { Location: '/b' }).end(), 500],
      ['text', (_, response) => response.end('keys'), 500],
    ],
    async (_, listener, status) => assert.is(await statusWith(listener), status),
  )
})

describe('fetchKeySet', (test) => {
  test('closes the connection of an endless key set, and states the limit', () =>
    withHttpServer(
      (_, response) => writeEndlessly(response),
      async ({ url, openConnections }) => {
        const message = await fetchKeySet(url, {}).then(String, String)
        assert.match(message, 'size limit of 1048576 bytes for key sets exceeded')
        await waitUntil(() => openConnections() === 0)
      },
    ))
  test('the signal limits the time of the body', () =>
    withHttpServer(
      (_, response) => response.write(' '),
      async ({ url, openConnections }) => {
        const signal = AbortSignal.timeout(50)
        const error: unknown = await fetchKeySet(url, { signal }).catch((reason: unknown) => reason)
        assert.ok(error instanceof Error && error.name === 'TimeoutError')
        await waitUntil(() => openConnections() === 0)
      },
    ))
})
