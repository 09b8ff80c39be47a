/** Clients that disconnect while their body is written to a file: no file and no descriptor remains. */
import { pipe } from 'fp-ts/lib/function.js'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { body, fileBody, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, chunked, sending, to } from '../../support/raw.ts'
import { kept, until } from '../../support/workers.ts'

let handled = 0

const api = routes({
  file: pipe(
    path('/file'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => {
      handled++
      return String(input.body.size)
    }),
  ),
  alive: pipe(
    path('/alive'),
    post(),
    produces(text),
    handle(() => 'alive'),
  ),
})

/** Open descriptors, where the system tells. */
const descriptors = (): number => {
  const own = '/proc/self/fd'
  return existsSync(own) ? readdirSync(own).length : 0
}

const content = 'x'.repeat(300_000)

describe('Received files', (test, { before, after }) => {
  const directory = mkdtempSync(join(tmpdir(), 'espalier-received-'))
  const { lines, logger } = kept()
  let server: Server
  before(async () => {
    server = await onLoopback(api, {
      logger,
      'fw.http.body.uploads-directory': directory,
    })
  })
  after(async () => {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })

  table(
    test,
    [
      ['a length, and a half-closed connection', sending('POST /file', content), 'end'],
      ['a length, and a reset', sending('POST /file', content), 'reset'],
      ['chunks, and a half-closed connection', chunked('POST /file', [content, content]), 'end'],
      ['chunks, and a reset', chunked('POST /file', [content, content]), 'reset'],
    ] as const,
    async (_, request, way) => {
      const connection = await connectTo(server.url)
      connection.write(request)
      check(await connection.next(), 200)
      connection.leave()
      await until(() => readdirSync(directory).length === 0)
      handled = lines.length = 0
      const open = descriptors()
      const count = 100
      await Promise.all(
        Array.from({ length: count }, async (__, index) => {
          const { write, socket } = await connectTo(server.url)
          socket.on('error', () => undefined)
          const cut = Math.floor((request.length * (index + 0.5)) / count)
          await new Promise((resolve) => socket.write(request.slice(0, cut), 'latin1', resolve))
          if (way === 'end') socket.end()
          else socket.resetAndDestroy()
          write('')
        }),
      )
      await until(() => readdirSync(directory).length === 0 && descriptors() <= open)
      assert.is(handled, 0)
      assert.equal(
        lines.filter((line) => line.startsWith('error')),
        [],
      )
      const last = await connectTo(server.url)
      last.write(to('POST /alive'))
      check(await last.next(), [200, 'alive'])
      last.leave()
    },
  )
})
