/** The log of `cors` for pages of the service itself that a proxy serves over TLS. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { cors, handle, path, post, responds, routes, withFilter } from '../../../src/index.ts'
import { contract } from '../../support/contract.ts'
import { createRecorder } from '../../support/recorder.ts'
import { sendRequest } from '../../support/send-request.ts'

const treeWith = (origins: ReadonlyArray<string>) =>
  pipe(
    routes({
      add: pipe(
        path('/add'),
        post(),
        responds(204),
        handle(() => undefined),
      ),
    }),
    withFilter(cors({ origins })),
  )

type Row = readonly [title: string, headers: Record<string, string>, isLogged: boolean]

const rows: ReadonlyArray<Row> = [
  ['the same host over TLS', { Origin: 'https://service.test' }, true],
  ['the forwarded host', { Origin: 'https://b.test', 'X-Forwarded-Host': 'b.test' }, true],
  ['another host', { Origin: 'https://c.test' }, false],
  ['another forwarded host', { Origin: 'https://c.test', 'X-Forwarded-Host': 'd.test' }, false],
  ['another port', { Origin: 'http://service.test:3000' }, false],
  ['no origin', { Origin: 'null' }, false],
  ['a malformed origin', { Origin: 'https://[' }, false],
]

for (const [title, headers, isLogged] of rows) {
  const log = createRecorder()
  contract(
    `a rejected page with ${title}`,
    () => treeWith([]),
    (test, call) => {
      test(isLogged ? 'is logged once with the settings' : 'is not logged', async () => {
        log.lines.length = 0
        const Host = 'service.test'
        for (const _ of [1, 2, 3]) {
          const response = await sendRequest(call, 'POST /add', { headers: { Host, ...headers } })
          assert.is(response.status, 403)
        }
        const messages = log.linesAt('warn').map(({ message }) => message)
        assert.is(messages.length, isLogged ? 1 : 0)
        if (isLogged)
          assert.match(messages.join(), /fw\.http\.public-url.*fw\.http\.proxy\.trusted/)
      })
    },
    { logger: log.logger },
  )
}
