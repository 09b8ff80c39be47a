/** Default responses: the responses to plain values, and to handlers that return nothing. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  fails,
  get,
  handle,
  json,
  notFound,
  optional,
  path,
  produces,
  reply,
  responds,
  routes,
  status,
  text,
} from '../../../src/index.ts'
import type { StatusAndBody } from '../../support/send-request.ts'
import { responseTo } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Book = t.type({ title: t.string })
const book = { title: 'Emma' }

const api = routes({
  only: pipe(
    path('/only'),
    get(),
    responds(201, json(Book)),
    handle(() => book),
  ),
  asynchronous: pipe(
    path('/asynchronous'),
    get(),
    responds(202, json(Book)),
    handle(async () => book),
  ),
  reply: pipe(
    path('/reply'),
    get(),
    responds(201, json(Book)),
    handle(() => reply(201, book)),
  ),
  negotiated: pipe(
    path('/negotiated'),
    get(),
    responds(201, text, json(t.string)),
    handle(() => 'Emma'),
  ),
  withFailure: pipe(
    path('/with-failure'),
    get(),
    responds(201, json(Book)),
    fails(404),
    handle(() => (Math.random() < 2 ? book : notFound())),
  ),
  removed: pipe(
    path('/removed'),
    produces(text),
    get(),
    produces(),
    responds(201, json(Book)),
    handle(() => book),
  ),
  nothing: pipe(
    path('/nothing'),
    get(),
    responds(202),
    handle(() => {}),
  ),
  noContent: pipe(
    path('/no-content'),
    get(),
    responds(204),
    handle(() => {}),
  ),
  absent: pipe(
    path('/absent'),
    get(),
    responds(201, json(optional(Book))),
    handle(() => undefined),
  ),
  produced: pipe(
    path('/produced'),
    get(),
    produces(json(Book)),
    responds(201, text),
    handle(() => book),
  ),
  status: pipe(
    path('/status'),
    get(),
    status(203),
    produces(json(Book)),
    responds(201, text),
    handle(() => book),
  ),
})

type Row = readonly [title: string, path: string, expected: StatusAndBody]

valueContract('default responses', api, (test, call) =>
  table<Row>(
    test,
    [
      ['a value for the only response is sent with its status', '/only', [201, book]],
      ['a promise for the only response is sent with its status', '/asynchronous', [202, book]],
      ['a reply for the only response is sent', '/reply', [201, book]],
      ['a value for the only response is negotiated', '/negotiated', [201, 'Emma']],
      ['failures do not change the only response', '/with-failure', [201, book]],
      ['produces() without arguments leaves the only response', '/removed', [201, book]],
      ['nothing is sent as the only response without a body', '/nothing', [202, '']],
      ['nothing is sent as a declared 204 response', '/no-content', [204, '']],
      ['undefined is sent as 204 if the only response has a body', '/absent', [204, '']],
      ['produces precedes responds', '/produced', [200, book]],
      ['the status of produces precedes responds', '/status', [203, book]],
    ],
    async (_, target, expected) => assert.equal(await responseTo(call, `GET ${target}`), expected),
  ),
)
