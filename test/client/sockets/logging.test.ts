/** Tests over sockets what is logged, and that logging does not change the exchange. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { headers, logging, promiseClient } from '../../../src/client.ts'
import { get, path, produces, routes, text, textStream } from '../../../src/index.ts'
import { describe } from '../../support/describe.ts'
import { withService, transports } from './scripted-service.ts'
import { createRecorder } from '../../support/recorder.ts'
import { stable } from '../../support/wait-until.ts'

const contract = routes({
  hello: pipe(path('/hello'), get(), produces(text)),
  log: pipe(path('/log'), get(), produces(textStream)),
})

for (const [name, open] of transports)
  describe(`logging over ${name}`, (test) => {
    test('logs the beginning of the body and masks secrets, which are sent unchanged', () =>
      withService(
        (response, { headers: received, url }) =>
          void response
            .writeHead(200, { 'Content-Type': 'text/plain', 'Set-Cookie': 'a=s1' })
            .end(`${received.authorization} ${url} ${'x'.repeat(500)}`),
        async ({ url }) => {
          const transport = open()
          const { lines, logger } = createRecorder()
          const library = promiseClient(contract, {
            baseUrl: url,
            transport: transport.passage,
            policies: [headers({ Authorization: 'Bearer s2' }), logging({ logger })],
          })
          const { body } = await library.hello({}, { headers: { Cookie: 'b=s3' } })
          assert.is(body.length, 'Bearer s2 /hello '.length + 500)
          const members = lines.map((line) => line.members)
          assert.equal(
            members.map(({ headers: received }) => received && Object.keys(received).length > 0),
            [true, true, undefined],
          )
          assert.not.match(JSON.stringify(members.slice(0, 2)), /s\d/)
          assert.is(String(members[2]?.['body']), `${body.slice(0, 100)}…`)
          await transport.close()
        },
      ))
    test('does not read ahead', () => {
      let sent = 0
      return withService(
        (response) => {
          const chunk = 'x'.repeat(100_000)
          const go = (): void => {
            while (sent < 2000 && !response.destroyed && response.write(chunk)) sent++
            if (sent++ < 2000) response.once('drain', go)
          }
          response.writeHead(200, { 'Content-Type': 'text/plain' })
          go()
        },
        async ({ url }) => {
          const transport = open()
          const { lines, logger } = createRecorder()
          const library = promiseClient(contract, {
            baseUrl: url,
            transport: transport.passage,
            policies: [logging({ logger, scope: 'all' })],
          })
          for await (const chunk of (await library.log()).body) {
            assert.ok(chunk.length > 0)
            await stable(() => sent)
            break
          }
          // of 200 MB, only the data in intermediate buffers
          assert.ok(sent < 500, `${sent} chunks of 100 kB`)
          assert.match(String(lines.at(-1)?.message), /body cancelled$/)
          await transport.close()
        },
      )
    })
  })
