/** What a client is told when it is refused; RFC 9457. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  Gone,
  body,
  get,
  handle,
  header,
  int,
  json,
  path,
  post,
  query,
  routes,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

/** Nothing is produced, so nothing is refused for its `Accept`. */
const api = routes({
  gone: pipe(
    path('/gone'),
    get(),
    handle(() => new Gone('hidden', { detail: 'a < b & "c"' })),
  ),
  failed: pipe(
    path('/failed'),
    get(),
    handle(() => {
      throw new Error('hidden')
    }),
  ),
  item: pipe(
    path('/items/{id}', { id: int }),
    get(),
    query({ page: int }),
    header({ xCount: int }),
    handle(() => undefined),
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
  readonly instance: string
  readonly errors: ReadonlyArray<unknown>
  readonly truncated?: true
}

const documentOf = async (response: Response): Promise<Document> =>
  (await response.json()) as Document

const accepting = (accept: string): RequestInit => ({ headers: { accept } })

const sending = (content: string, accept = '*/*'): RequestInit => ({
  headers: { accept, 'content-type': 'application/json' },
  body: content,
})

contract('problem documents', api, (test, call) => {
  table<readonly [name: string, init: RequestInit, type: string]>(
    test,
    [
      ['without Accept', {}, problem],
      ['anything', accepting('*/*'), problem],
      ['problem+json', accepting('application/problem+json'), problem],
      ['json', accepting('application/json'), problem],
      ['html', accepting('text/html'), html],
      ['Firefox', accepting(firefox), html],
      ['Chromium', accepting(chromium), html],
      ['text/plain', accepting('text/plain'), plain],
      ['rather text than html', accepting('text/html;q=0.1, text/plain;q=0.2'), plain],
      ['rather json than html', accepting('text/html;q=0.1, application/json'), problem],
      ['something else', accepting('image/png'), problem],
      ['nothing', accepting('*/*;q=0'), problem],
    ],
    async (_, init, type) => {
      for (const [target, status] of [
        ['/nowhere', 404],
        ['/gone', 410],
        ['/failed', 500],
        ['/items/1', 400],
      ] as const) {
        const response = await ask(call, `GET ${target}`, init)
        assert.is(response.status, status)
        assert.is(response.headers.get('content-type'), type)
      }
    },
  )

  test('text has a line for each statement', async () => {
    const lines = (await (await ask(call, 'GET /gone', accepting('text/plain'))).text()).split('\n')
    const [, , instance = ''] = lines
    assert.match(instance, /^urn:uuid:/)
    assert.equal(lines, ['410 Gone', 'a < b & "c"', instance, ''])
  })

  test('html is escaped', async () => {
    const document = await (await ask(call, 'GET /gone', accepting('text/html'))).text()
    assert.match(document, '<h1>410 Gone</h1><p>a &lt; b &amp; &quot;c&quot;</p><p>urn:uuid:')
  })

  test('every occurrence has an instance of its own', async () => {
    const [one, other] = await Promise.all([
      ask(call, 'GET /nowhere').then(documentOf),
      ask(call, 'GET /nowhere').then(documentOf),
    ])
    assert.match(one.instance, /^urn:uuid:/)
    assert.is.not(one.instance, other.instance)
  })

  test('HEAD is told by the status alone', async () => {
    const response = await ask(call, 'HEAD /nowhere')
    assert.is(response.status, 404)
    assert.is(await response.text(), '')
  })

  table<readonly [name: string, wrong: number, listed: number, truncated: true | undefined]>(
    test,
    [
      ['all errors up to 20', 20, 20, undefined],
      ['20 of 21', 21, 20, true],
      ['20 of very many', 5000, 20, true],
    ],
    async (_, wrong, listed, truncated) => {
      const response = await ask(
        call,
        'POST /items',
        sending(JSON.stringify(Array.from({ length: wrong }, () => 'a'))),
      )
      assert.is(response.status, 400)
      const document = await documentOf(response)
      assert.is(document.errors.length, listed)
      assert.is(document.truncated, truncated)
    },
  )

  for (const accept of ['application/json', 'text/html', 'text/plain'])
    table<readonly [name: string, line: string, init: RequestInit]>(
      test,
      [
        [`${accept} does not repeat a path`, 'GET /hidden', accepting(accept)],
        [
          `${accept} does not repeat a path variable`,
          'GET /items/hidden?page=1',
          accepting(accept),
        ],
        [`${accept} does not repeat a query`, 'GET /items/1?page=hidden', accepting(accept)],
        [
          `${accept} does not repeat a header`,
          'GET /items/1?page=1',
          { headers: { accept, 'x-count': 'hidden' } },
        ],
        [`${accept} does not repeat a member`, 'POST /items', sending('["hidden"]', accept)],
        [
          `${accept} does not repeat a text that is not JSON`,
          'POST /items',
          sending('hidden', accept),
        ],
        [`${accept} does not repeat the message of an error`, 'GET /gone', accepting(accept)],
        [`${accept} does not repeat the message of a defect`, 'GET /failed', accepting(accept)],
      ],
      async (_, line, init) => {
        const response = await ask(call, line, init)
        assert.ok(response.status >= 400)
        const document = await response.text()
        assert.match(document, 'urn:uuid:')
        assert.not.match(document, 'hidden')
      },
    )
})
