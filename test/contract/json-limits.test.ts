/** Bounds of JSON that is received, as settings say them. B10 and E2 of what may happen. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { body, handle, json, path, post, produces, routes, text } from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const api = routes({
  anything: pipe(
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
  'bounds of JSON',
  api,
  (test, call) =>
    table(
      test,
      [
        ['one less deep', deep(4), 200, /read/],
        ['as deep', deep(5), 200, /read/],
        ['deeper by one', deep(6), 400, /more than 5 levels deep/],
        ['one member less', wide(6), 200, /read/],
        ['as many members', wide(7), 200, /read/],
        ['one member more', wide(8), 400, /more than 7 members/],
      ] as const,
      async (_, sent, status, told) => {
        const headers = { 'Content-Type': 'application/json' }
        const response = await ask(call, 'POST /', { headers, body: sent })
        assert.is(response.status, status)
        assert.match(await response.text(), told)
      },
    ),
  { 'fw.http.limits.max-json-depth': 5, 'fw.http.limits.max-json-keys': 7 },
)
