/** Values that handlers return although no body is declared, as handlers without types can: 500, and a log line that names the remedy. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  del,
  fails,
  get,
  handle,
  path,
  post,
  produces,
  reply,
  responds,
  responseFilter,
  routes,
  status,
  text,
  withFilter,
} from '../../../src/index.ts'
import { valueContract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'
import { createRecorder } from '../../support/recorder.ts'
import { sendRequest } from '../../support/send-request.ts'

/** Creates a handler whose result has no type, as in JavaScript. */
const returning = (create: () => unknown) => (): never => create() as never

const undeclared = (name: string, code: number, remedy: string): string =>
  `TypeError: ${name} returned a value with status ${code}, but no response body is declared: ${remedy}`

const anotherStatus = 'add produces(…), or return a reply with another status'

const api = routes({
  plain: pipe(path('/plain'), get(), handle(returning(() => ({ n: 1 })))),
  zero: pipe(path('/zero'), get(), handle(returning(() => 0))),
  later: pipe(path('/later'), get(), handle(returning(async () => 'a'))),
  right: pipe(path('/right'), get(), handle(returning(() => E.right('a')))),
  deleted: pipe(path('/deleted'), del(), handle(returning(() => ({ n: 1 })))),
  created: pipe(path('/created'), post(), status(201), handle(returning(() => ({ n: 1 })))),
  responded: pipe(path('/responded'), post(), responds(201), handle(returning(() => ({ n: 1 })))),
  failed: pipe(
    path('/failed'),
    get(),
    produces(text),
    fails(409),
    handle(returning(() => reply(409, { n: 1 }))),
  ),
  several: pipe(
    path('/several'),
    get(),
    responds(200, text),
    responds(201, text),
    handle(returning(() => 'a')),
  ),
  empty: pipe(path('/empty'), get(), produces(text), handle(returning(() => reply(204, 'a')))),
})

const { logger, lines } = createRecorder()

valueContract(
  'values without a declared body',
  api,
  (test, call) =>
    table<readonly [line: string, error: string]>(
      test,
      [
        ['GET /plain', undeclared('plain', 204, 'add produces(…)')],
        ['GET /zero', undeclared('zero', 204, 'add produces(…)')],
        ['GET /later', undeclared('later', 204, 'add produces(…)')],
        ['GET /right', undeclared('right', 204, 'add produces(…)')],
        ['DELETE /deleted', undeclared('deleted', 204, 'add produces(…)')],
        ['GET /several', undeclared('several', 204, anotherStatus)],
        ['GET /empty', undeclared('empty', 204, anotherStatus)],
        [
          'POST /created',
          undeclared('created', 201, 'add produces(…), or declare it with responds(201, …)'),
        ],
        [
          'POST /responded',
          undeclared('responded', 201, 'add produces(…), or declare it with responds(201, …)'),
        ],
        ['GET /failed', undeclared('failed', 409, 'declare it with fails(409, …)')],
      ],
      async (line, error) => {
        lines.length = 0
        const response = await sendRequest(call, line)
        assert.is(response.status, 500)
        assert.equal(
          lines.map(({ level, members }) => [level, String(members['err'])]),
          [['error', error]],
        )
      },
    ),
  { logger },
)

const withoutValues = routes({
  undefined: pipe(path('/undefined'), get(), handle(returning(() => undefined))),
  null: pipe(path('/null'), get(), handle(returning(() => null))),
  reply: pipe(path('/reply'), get(), handle(returning(() => reply(204, null)))),
  undeclared: pipe(
    path('/undeclared'),
    get(),
    produces(text),
    handle(returning(() => reply(204, null))),
  ),
})

valueContract('null and undefined without a declared body', withoutValues, (test, call) =>
  table(test, [['/undefined'], ['/null'], ['/reply'], ['/undeclared']] as const, async (target) => {
    const response = await sendRequest(call, `GET ${target}`)
    assert.is(response.status, 204)
    assert.is(await response.text(), '')
  }),
)

const wrapped = pipe(
  routes({
    none: pipe(
      path('/none'),
      get(),
      handle(() => undefined),
    ),
    gone: pipe(
      path('/gone'),
      get(),
      produces(text),
      fails(410),
      handle(() => 'a'),
    ),
  }),
  withFilter(
    responseFilter((replied, { endpoint }) =>
      endpoint?.name === 'gone'
        ? { ...replied, status: 410 }
        : endpoint?.name === 'none'
          ? { ...replied, entity: { wrapped: true } }
          : replied,
    ),
  ),
)

valueContract(
  'bodies that response filters add to a response without a declared body',
  wrapped,
  (test, call) =>
    table(
      test,
      [
        ['/none', 204],
        ['/gone', 410],
      ] as const,
      async (target, code) => {
        const response = await sendRequest(call, `GET ${target}`)
        assert.is(response.status, code)
        assert.is(await response.text(), '')
      },
    ),
)
