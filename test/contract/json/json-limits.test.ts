/** Limits of JSON request bodies: `fw.http.limits.max-json-depth` and `fw.http.limits.max-json-keys`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { body, handle, json, path, post, produces, routes, text } from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const api = routes({
  read: pipe(
    path('/'),
    post(),
    body(json(t.unknown)),
    produces(text),
    handle(() => 'read'),
  ),
})

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const wide = (members: number): string =>
  `{${Array.from({ length: members }, (_, index) => `"k${index}":{}`).join()}}`

contract(
  'JSON limits',
  api,
  (test, call) =>
    table(
      test,
      [
        ['one level below the depth limit', deep(4), 200, /read/],
        ['the maximum depth', deep(5), 200, /read/],
        ['one level above the depth limit', deep(6), 400, /more than 5 levels deep/],
        ['one member below the limit', wide(6), 200, /read/],
        ['the maximum number of members', wide(7), 200, /read/],
        ['one member above the limit', wide(8), 400, /more than 7 members/],
      ] as const,
      async (_, sent, status, expected) => {
        const headers = { 'Content-Type': 'application/json' }
        const response = await sendRequest(call, 'POST /', { headers, body: sent })
        assert.is(response.status, status)
        assert.match(await response.text(), expected)
      },
    ),
  { 'fw.http.limits.max-json-depth': 5, 'fw.http.limits.max-json-keys': 7 },
)
