/** R-459 over a socket: what a log says, and what it leaves alone. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { client, headers, logging, promising } from '../../../src/client.ts'
import { get, path, produces, routes, text, textStream } from '../../../src/index.ts'
import { describe } from '../../support/describe.ts'
import { withService, transports } from '../../support/scripted-service.ts'
import { recorder } from '../../support/recorder.ts'

const contract = routes({
  hello: pipe(path('/hello'), get(), produces(text)),
  log: pipe(path('/log'), get(), produces(textStream)),
})

for (const [name, open] of transports)
  describe(`logging, served over ${name}`, (test) => {
    test('R-459: the log says little of contents and nothing of secrets, and the service hears all', () =>
      withService(
        (response, { headers: fields, url }) =>
          void response
            .writeHead(200, { 'Content-Type': 'text/plain', 'Set-Cookie': 'a=s1' })
            .end(`${fields.authorization} ${url} ${'x'.repeat(500)}`),
        async ({ url }) => {
          const way = open()
          const { lines, logger } = recorder()
          const one = client(contract, {
            baseUrl: url,
            transport: way.passage,
            policies: [headers({ Authorization: 'Bearer s2' }), logging({ logger })],
          })
          const { body } = await promising(one).hello({}, { headers: { Cookie: 'b=s3' } })
          assert.is(body.length, 'Bearer s2 /hello '.length + 500)
          const said = lines.map(({ members }) => members)
          assert.equal(
            said.map(({ headers: fields }) => fields && Object.keys(fields).length > 0),
            [true, true, undefined],
          )
          assert.not.match(JSON.stringify(said.slice(0, 2)), /s\d/)
          assert.is(String(said[2]?.['body']), `${body.slice(0, 100)}…`)
          await way.close()
        },
      ))
    test('R-459: nor does it read ahead', () => {
      let sent = 0
      return withService(
        (response) => {
          const piece = 'x'.repeat(100_000)
          const go = (): void => {
            while (sent < 2000 && !response.destroyed && response.write(piece)) sent++
            if (sent++ < 2000) response.once('drain', go)
          }
          response.writeHead(200, { 'Content-Type': 'text/plain' })
          go()
        },
        async ({ url }) => {
          const way = open()
          const { lines, logger } = recorder()
          const one = client(contract, {
            baseUrl: url,
            transport: way.passage,
            policies: [logging({ logger, scope: 'all' })],
          })
          for await (const piece of (await promising(one).log()).body) {
            assert.ok(piece.length > 0)
            await new Promise((resolve) => setTimeout(resolve, 100))
            break
          }
          // of 200 MB, what lies in buffers on the way
          assert.ok(sent < 500, `${sent} pieces of 100 kB`)
          assert.match(String(lines.at(-1)?.message), /body cancelled$/)
          await way.close()
        },
      )
    })
  })
