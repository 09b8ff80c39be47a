/** Tests of heads that several connections receive in parts, because direct connections share the readers of heads. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, requestWithBody, startServer } from '../../support/raw.ts'

describe('heads on several direct connections', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await startServer({ 'fw.http.connection': 'direct' })
  })
  after(() => server.close())

  test('heads that arrive in parts on several connections at the same time are not mixed up', async () => {
    const connections = await Promise.all(Array.from({ length: 5 }, () => connectTo(server.url)))
    const messages = connections.map((_, index) =>
      [
        requestWithBody('POST /text', `first ${index}`, `X: ${'a'.repeat(index)}`),
        requestWithBody('POST /text', `second ${index}`),
      ].join('\r\n'),
    )
    const longest = Math.max(...messages.map(({ length }) => length))
    for (let at = 0; at < longest; at += 3) {
      for (const [index, connection] of connections.entries())
        connection.write(messages[index]?.slice(at, at + 3) ?? '')
      await turn()
    }
    for (const [index, connection] of connections.entries()) {
      assertResponse(await connection.next(), [200, `first ${index}`])
      assertResponse(await connection.next(), [200, `second ${index}`])
      connection.destroy()
    }
  })
})
