/** Tests over sockets what is logged, and that logging does not change the exchange. */
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
  describe(`logging over ${name}`, (test) => {
    test('logs the beginning of the body and masks secrets, which are sent unchanged', () =>
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
          const members = lines.map((line) => line.members)
          assert.equal(
            members.map(({ headers: fields }) => fields && Object.keys(fields).length > 0),
            [true, true, undefined],
          )
          assert.not.match(JSON.stringify(members.slice(0, 2)), /s\d/)
          assert.is(String(members[2]?.['body']), `${body.slice(0, 100)}…`)
          await way.close()
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
          const way = open()
          const { lines, logger } = recorder()
          const one = client(contract, {
            baseUrl: url,
            transport: way.passage,
            policies: [logging({ logger, scope: 'all' })],
          })
          for await (const chunk of (await promising(one).log()).body) {
            assert.ok(chunk.length > 0)
            await new Promise((resolve) => setTimeout(resolve, 100))
            break
          }
          // of 200 MB, only the data in intermediate buffers
          assert.ok(sent < 500, `${sent} chunks of 100 kB`)
          assert.match(String(lines.at(-1)?.message), /body cancelled$/)
          await way.close()
        },
      )
    })
  })
