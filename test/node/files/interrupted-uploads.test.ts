/** Clients that disconnect while their body is written to a file. */
import { pipe } from 'fp-ts/lib/function.js'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { body, fileBody, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, chunkedRequest, requestWithBody, rawRequest } from '../../support/raw.ts'
import { recordLog } from '../../support/workers.ts'
import { waitUntil } from '../../support/wait-until.ts'

let handlerCalls = 0

const api = routes({
  file: pipe(
    path('/file'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => {
      handlerCalls++
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

/** Returns the number of open descriptors; 0 if the system has no `/proc/self/fd`. */
const descriptors = (): number => {
  const directory = '/proc/self/fd'
  return existsSync(directory) ? readdirSync(directory).length : 0
}

const content = 'x'.repeat(300_000)

describe('interrupted file uploads leave no file and no descriptor', (test, { before, after }) => {
  const directory = mkdtempSync(join(tmpdir(), 'espalier-received-'))
  const { lines, logger } = recordLog()
  let server: Server
  before(async () => {
    server = await serveLocally(api, {
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
      ['a body with a length, half-closed', requestWithBody('POST /file', content), 'end'],
      ['a body with a length, reset', requestWithBody('POST /file', content), 'reset'],
      ['a chunked body, half-closed', chunkedRequest('POST /file', [content, content]), 'end'],
      ['a chunked body, reset', chunkedRequest('POST /file', [content, content]), 'reset'],
    ] as const,
    async (_, request, closeBy) => {
      const connection = await connectTo(server.url)
      connection.write(request)
      assertResponse(await connection.next(), 200)
      connection.destroy()
      await waitUntil(() => readdirSync(directory).length === 0)
      handlerCalls = lines.length = 0
      const open = descriptors()
      const count = 100
      await Promise.all(
        Array.from({ length: count }, async (__, index) => {
          const { write, socket } = await connectTo(server.url)
          socket.on('error', () => undefined)
          const cut = Math.floor((request.length * (index + 0.5)) / count)
          await new Promise((resolve) => socket.write(request.slice(0, cut), 'latin1', resolve))
          if (closeBy === 'end') socket.end()
          else socket.resetAndDestroy()
          write('')
        }),
      )
      await waitUntil(() => readdirSync(directory).length === 0 && descriptors() <= open)
      assert.is(handlerCalls, 0)
      assert.equal(
        lines.filter((line) => line.startsWith('error')),
        [],
      )
      const last = await connectTo(server.url)
      last.write(rawRequest('POST /alive'))
      assertResponse(await last.next(), [200, 'alive'])
      last.destroy()
    },
  )
})
