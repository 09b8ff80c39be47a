/** What a client is told when it is refused: R-389 and RFC 9457. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  Gone,
  body,
  get,
  handle,
  int,
  json,
  path,
  post,
  produces,
  query,
  routes,
  text,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'

const api = routes({
  gone: pipe(
    path('/gone'),
    get(),
    produces(text),
    handle(() => new Gone('', { detail: 'a < b & "c"' })),
  ),
  failed: pipe(
    path('/failed'),
    get(),
    produces(text),
    handle(() => {
      throw new Error('hidden')
    }),
  ),
  item: pipe(
    path('/items/{id}', { id: int }),
    get(),
    query({ page: int }),
    produces(text),
    handle(() => 'a'),
  ),
  items: pipe(
    path('/items'),
    post(),
    body(json(t.array(int))),
    handle(() => undefined),
  ),
})

const problem = 'application/problem+json'
const html = 'text/html;charset=UTF-8'
const plain = 'text/plain;charset=UTF-8'

/** Sent by Firefox and by Chromium. */
const firefox = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const chromium =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

interface Document {
  readonly errors: ReadonlyArray<unknown>
  readonly truncated?: true
}

contract('problem documents', api, (test, call) => {
  table<readonly [name: string, accept: string | undefined, type: string]>(
    test,
    [
      ['R-389 without Accept', undefined, problem],
      ['R-389 anything', '*/*', problem],
      ['R-389 problem+json', 'application/problem+json', problem],
      ['R-389 json', 'application/json', problem],
      ['R-389 another json', 'application/vnd.a+json', problem],
      ['R-389 html', 'text/html', html],
      ['R-389 Firefox', firefox, html],
      ['R-389 Chromium', chromium, html],
      ['R-389 text/plain', 'text/plain', plain],
      ['R-389 text rather than html', 'text/html;q=0.1,text/plain;q=0.2', plain],
      ['R-389 json rather than html', 'text/html;q=0.1,application/json', problem],
      ['R-389 nothing that there is', 'image/png', problem],
      ['R-389 nothing at all', '*/*;q=0', problem],
    ],
    async (_, accept, type) => {
      const headers = accept === undefined ? {} : { accept }
      for (const target of ['/nowhere', '/gone', '/failed']) {
        const response = await ask(call, `GET ${target}`, { headers })
        // an Accept that no alternative of the operation meets is refused before it fails
        if (response.status !== 406 || target === '/nowhere')
          assert.ok([404, 410, 500].includes(response.status))
        assert.is(response.headers.get('content-type'), type)
      }
    },
  )
})
