/** Tests that clients that disconnect at random times leave no bytes in the body memory. */
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chunkedPostRequest, postRequest, statusOf, withBufferingServer, x } from './buffering.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { waitUntil } from '../../support/wait-until.ts'

const zipped = gzipSync(x(40_000)).toString('latin1')
const partOf = (size: number): string => encodeMultipart(encodePart('a', x(size)))
const fileOf = (size: number): string =>
  encodeMultipart(encodePart('a', x(size), { fileName: 'a.bin' }))

/** A pseudo-random number generator with a seed. */
const random = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

describe('fw.http.limits.max-buffered-size: disconnecting clients', (test) => {
  const kinds: ReadonlyArray<(size: number) => string> = [
    (size) => postRequest('/text', 'text/plain', x(size)),
    (size) => postRequest('/at-once', 'text/plain', x(size)),
    (size) => postRequest('/json', 'application/json', `"${x(size)}"`),
    (size) => postRequest('/json', 'application/json', x(size)),
    (size) => postRequest('/fails', 'text/plain', x(size)),
    (size) => chunkedPostRequest('/text', x(size), x(size)),
    (size) => chunkedPostRequest('/text', ...Array.from(x(size / 20))),
    (size) => postRequest('/parts', multipartType, partOf(size)),
    (size) => postRequest('/input', multipartType, fileOf(size)),
    (size) => postRequest('/upload', multipartType, fileOf(size)),
    (size) => postRequest('/stream', 'application/octet-stream', x(size)),
    (size) => postRequest('/relay', 'application/octet-stream', x(size)),
    (size) => postRequest('/file', 'application/octet-stream', x(size)),
    () => postRequest('/text', 'text/plain', zipped, 'Content-Encoding: gzip'),
    (size) => postRequest('/alive', 'text/plain', x(size)),
    (size) => rawRequest(`GET /large/${Math.ceil(size / 100)}`),
    (size) => rawRequest(`GET /tagged/${Math.ceil(size / 100)}`),
    (size) => rawRequest(`GET /chunks/${Math.ceil(size / 10_000)}`),
  ]
  for (const seed of [1, 2, 3])
    test(`release their memory at any time of the disconnect, seed ${seed}`, () =>
      withBufferingServer(
        {
          'fw.http.limits.max-buffered-size': '300K',
          'fw.http.limits.max-body-size': '80K',
          'fw.http.enable-decompression': true,
          'fw.http.body.multipart.file-size-threshold': '16K',
        },
        async (server) => {
          const next = random(seed)
          const pick = (limit: number): number => Math.floor(next() * limit)
          const client = async (): Promise<void> => {
            for (let round = 0; round < repetitions(2, 12); round++) {
              const request = Array.from({ length: 1 + pick(3) }, () =>
                kinds[pick(kinds.length)]?.(1 + pick(100_000)),
              ).join('')
              const sent = next() < 0.5 ? request.length : pick(request.length)
              const connection = await connectTo(server.url)
              const { socket } = connection
              const closed = new Promise((resolve) => socket.once('close', resolve))
              if (next() < 0.2) socket.pause()
              for (let at = 0; at < sent;) {
                const size = 1 + pick(40_000)
                connection.write(request.slice(at, Math.min(sent, at + size)))
                at += size
                if (next() < 0.5) await wait(pick(3))
              }
              await wait(pick(20))
              if (next() < 0.5) socket.end()
              await wait(pick(10))
              // Node.js cannot reset a socket after `end`
              if (next() < 0.5 || socket.writableEnded) connection.destroy()
              else socket.resetAndDestroy()
              await closed
            }
          }
          await Promise.all(Array.from({ length: 8 }, client))
          // requests of half-closed connections may still run
          const post = () => statusOf(server, postRequest('/text', 'text/plain', x(80_000)))
          await waitUntil(async () => (await post()) === 200)
          await waitUntil(() => server.bufferedBytes === 0)
        },
      ))
})
