/** Entity tags with invalid characters (RFC 9110, 8.8.3): 500, and a log line that names the remedy. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  conditional,
  etag,
  evaluatePreconditions,
  fails,
  get,
  handle,
  ok,
  path,
  produces,
  responds,
  routes,
  text,
} from '../../../src/index.ts'
import { contract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'
import { createRecorder } from '../../support/recorder.ts'
import { sendRequest } from '../../support/send-request.ts'

const quoted = '"v1"'

const api = routes({
  reply: pipe(
    path('/reply'),
    get(),
    produces(text),
    handle(() => pipe(ok('a'), etag(quoted))),
  ),
  etag: pipe(
    path('/conditional-etag'),
    get(),
    produces(text),
    conditional({ etag: () => quoted }),
    handle(() => 'a'),
  ),
  state: pipe(
    path('/conditional-state'),
    get(),
    produces(text),
    conditional(() => ({ etag: { weak: true, opaque: 'W/"v1"' } })),
    handle(() => 'a'),
  ),
  evaluated: pipe(
    path('/evaluated'),
    get(),
    produces(text),
    responds(304),
    fails(412),
    handle((_, context) =>
      pipe(
        evaluatePreconditions(context, { etag: 'v 1' }),
        O.getOrElseW(() => ok('a')),
      ),
    ),
  ),
})

const { logger, lines } = createRecorder()

contract(
  'invalid entity tags',
  api,
  (test, call) =>
    table<readonly [string]>(
      test,
      [['/reply'], ['/conditional-etag'], ['/conditional-state'], ['/evaluated']],
      async (target) => {
        lines.length = 0
        const response = await sendRequest(call, `GET ${target}`, {
          headers: { 'If-None-Match': quoted },
        })
        assert.is(response.status, 500)
        assert.is(response.headers.get('etag'), null)
        assert.match(
          String(lines.map(({ members }) => members['err'])),
          'TypeError: invalid entity tag: pass the opaque part without quotes and spaces, such as v1',
        )
      },
    ),
  { logger },
)
