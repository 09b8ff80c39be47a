/** Messages of errors that the framework creates: they are logged, and are not the detail of problem documents. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  as,
  authenticated,
  basic,
  bearer,
  denyAll,
  file,
  form,
  get,
  handle,
  int,
  json,
  part,
  path,
  post,
  produces,
  responseFilter,
  rolesAllowed,
  routes,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const textOperation = (name: string) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(text),
    handle(() => name),
  )

const fileOperation = (name: string, source: string) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(as('text/plain')(file)),
    handle(() => source),
  )

const api = pipe(
  routes({
    denied: pipe(textOperation('denied'), denyAll),
    known: pipe(textOperation('known'), authenticated),
    editors: pipe(textOperation('editors'), rolesAllowed('editor')),
    present: fileOperation('present', 'package.json'),
    absent: fileOperation('absent', 'package.missing'),
    vote: pipe(
      path('/vote'),
      post(),
      form({ stars: part(json(int)) }),
      handle(() => {}),
    ),
  }),
  withFilter(
    basic({ realm: 'a', verify: ({ user }) => ({ name: user, roles: [] }), proactive: false }),
    bearer({ verify: () => undefined }),
    // with a response filter, failures are converted to errors
    responseFilter(withHeader('X-Filtered', 'yes')),
  ),
)

const vote = (): RequestInit => {
  const stars = new FormData()
  stars.set('stars', 'many')
  return { body: stars }
}
const withHeaders = (headers: Record<string, string>) => () => ({ headers })
const ann = withHeaders({ Authorization: `Basic ${btoa('ann:plum')}` })

type Row = readonly [
  line: string,
  status: number,
  detail?: string | undefined,
  init?: () => RequestInit,
]

contract('problem documents of the framework', api, (test, call) =>
  table<Row>(
    test,
    [
      ['GET /nowhere', 404],
      ['GET /known', 401],
      [
        'GET /known with invalid credentials',
        401,
        undefined,
        withHeaders({ Authorization: 'Bearer a' }),
      ],
      [
        'GET /known with two tokens',
        400,
        'The Authorization header must contain one token after Bearer.',
        withHeaders({ Authorization: 'Bearer a b' }),
      ],
      ['GET /denied', 401],
      ['GET /denied with credentials', 403, undefined, ann],
      ['GET /editors with credentials', 403, undefined, ann],
      ['GET /absent', 404],
      ['GET /present with a range', 416, undefined, withHeaders({ Range: 'bytes=9999999-' })],
      ['GET /present with a precondition', 412, undefined, withHeaders({ 'If-Match': '"a"' })],
      ['POST /vote', 400, undefined, vote],
    ],
    async (line, status, detail, init) => {
      const response = await sendRequest(call, line.replace(/ with .*/, ''), init?.())
      assert.is(response.status, status)
      assert.is(response.headers.get('X-Filtered'), 'yes')
      assert.is(((await response.json()) as { readonly detail?: string }).detail, detail)
    },
  ),
)
