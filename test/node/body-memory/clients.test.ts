/** Clients that disconnect at random: no bytes may stay in the body memory. */
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { inChunks, posting, statusOf, using, x } from '../../support/buffering.ts'
import { describe } from '../../support/describe.ts'
import { field, formOf, multipart } from '../../support/multipart.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { to } from '../../support/raw.ts'
import { until } from '../../support/workers.ts'

const zipped = gzipSync(x(40_000)).toString('latin1')
const partOf = (size: number): string => formOf(field('a', x(size)))
const fileOf = (size: number): string => formOf(field('a', x(size), { fileName: 'a.bin' }))

/** Numbers from 0 to 1, the same for the same seed. */
const random = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

describe('fw.http.limits.max-buffered-size: many clients', (test) => {
  const kinds: ReadonlyArray<(size: number) => string> = [
    (size) => posting('/text', 'text/plain', x(size)),
    (size) => posting('/at-once', 'text/plain', x(size)),
    (size) => posting('/json', 'application/json', `"${x(size)}"`),
    (size) => posting('/json', 'application/json', x(size)),
    (size) => posting('/fails', 'text/plain', x(size)),
    (size) => inChunks('/text', x(size), x(size)),
    (size) => inChunks('/text', ...Array.from(x(size / 20))),
    (size) => posting('/parts', multipart, partOf(size)),
    (size) => posting('/input', multipart, fileOf(size)),
    (size) => posting('/upload', multipart, fileOf(size)),
    (size) => posting('/stream', 'application/octet-stream', x(size)),
    (size) => posting('/relay', 'application/octet-stream', x(size)),
    (size) => posting('/file', 'application/octet-stream', x(size)),
    () => posting('/text', 'text/plain', zipped, 'Content-Encoding: gzip'),
    (size) => posting('/alive', 'text/plain', x(size)),
    (size) => to(`GET /large/${Math.ceil(size / 100)}`),
    (size) => to(`GET /tagged/${Math.ceil(size / 100)}`),
    (size) => to(`GET /chunks/${Math.ceil(size / 10_000)}`),
  ]
  for (const seed of [1, 2, 3])
    test(`release their memory whenever they disconnect: ${seed}`, () =>
      using(
        {
          'fw.http.limits.max-buffered-size': '300K',
          'fw.http.limits.max-body-size': '80K',
          'fw.http.enable-decompression': true,
          'fw.http.body.multipart.file-size-threshold': '16K',
        },
        async (server) => {
          const next = random(seed)
          const pick = (most: number): number => Math.floor(next() * most)
          const client = async (): Promise<void> => {
            for (let round = 0; round < 12; round++) {
              const request = Array.from({ length: 1 + pick(3) }, () =>
                kinds[pick(kinds.length)]?.(1 + pick(100_000)),
              ).join('')
              const sent = next() < 0.5 ? request.length : pick(request.length)
              const connection = await connectTo(server.url)
              const { socket } = connection
              const isOver = new Promise((resolve) => socket.once('close', resolve))
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
              // Node cannot reset a socket after `end`
              if (next() < 0.5 || socket.writableEnded) connection.leave()
              else socket.resetAndDestroy()
              await isOver
            }
          }
          await Promise.all(Array.from({ length: 8 }, client))
          // requests of half-closed connections may still run
          const post = () => statusOf(server, posting('/text', 'text/plain', x(80_000)))
          await until(async () => (await post()) === 200)
          await until(() => server.bufferedBytes === 0)
        },
      ))
})
