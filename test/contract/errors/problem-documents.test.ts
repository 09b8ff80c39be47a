/** Problem documents: media types, truncation, and no echo of input (RFC 9457). */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  Conflict,
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

/** Operations without a response body, so that no `Accept` header results in 406. */
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

/** `Accept` headers of Firefox and Chromium. */
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

const acceptInit = (accept: string): RequestInit => ({ headers: { accept } })

const bodyInit = (content: string, accept = '*/*'): RequestInit => ({
  headers: { accept, 'content-type': 'application/json' },
  body: content,
})

contract('problem documents', api, (test, call) => {
  table<readonly [name: string, init: RequestInit, type: string]>(
    test,
    [
      ['no Accept', {}, problem],
      ['*/*', acceptInit('*/*'), problem],
      ['application/problem+json', acceptInit('application/problem+json'), problem],
      ['application/json', acceptInit('application/json'), problem],
      ['text/html', acceptInit('text/html'), html],
      ['Firefox', acceptInit(firefox), html],
      ['Chromium', acceptInit(chromium), html],
      ['text/plain', acceptInit('text/plain'), plain],
      ['text/plain preferred to text/html', acceptInit('text/html;q=0.1, text/plain;q=0.2'), plain],
      [
        'application/json preferred to text/html',
        acceptInit('text/html;q=0.1, application/json'),
        problem,
      ],
      ['image/png', acceptInit('image/png'), problem],
      ['*/* with weight 0', acceptInit('*/*;q=0'), problem],
    ],
    async (_, init, type) => {
      for (const [target, status] of [
        ['/nowhere', 404],
        ['/gone', 410],
        ['/failed', 500],
        ['/items/1', 400],
      ] as const) {
        const response = await sendRequest(call, `GET ${target}`, init)
        assert.is(response.status, status)
        assert.is(response.headers.get('content-type'), type)
      }
    },
  )

  test('a text document has the status, the detail and the instance on separate lines', async () => {
    const lines = (
      await (await sendRequest(call, 'GET /gone', acceptInit('text/plain'))).text()
    ).split('\n')
    const [, , instance = ''] = lines
    assert.match(instance, /^urn:uuid:/)
    assert.equal(lines, ['410 Gone', 'a < b & "c"', instance, ''])
  })

  test('an HTML document escapes the detail', async () => {
    const document = await (await sendRequest(call, 'GET /gone', acceptInit('text/html'))).text()
    assert.match(document, '<h1>410 Gone</h1><p>a &lt; b &amp; &quot;c&quot;</p><p>urn:uuid:')
  })

  test('each document has a unique instance', async () => {
    const [first, second] = await Promise.all([
      sendRequest(call, 'GET /nowhere').then(documentOf),
      sendRequest(call, 'GET /nowhere').then(documentOf),
    ])
    assert.match(first.instance, /^urn:uuid:/)
    assert.is.not(first.instance, second.instance)
  })

  test('a HEAD request gets no body', async () => {
    const response = await sendRequest(call, 'HEAD /nowhere')
    assert.is(response.status, 404)
    assert.is(await response.text(), '')
  })

  table<readonly [name: string, invalid: number, listed: number, truncated: true | undefined]>(
    test,
    [
      ['20 validation errors', 20, 20, undefined],
      ['21 validation errors, truncated to 20', 21, 20, true],
      ['5000 validation errors, truncated to 20', 5000, 20, true],
    ],
    async (_, invalid, listed, truncated) => {
      const response = await sendRequest(
        call,
        'POST /items',
        bodyInit(JSON.stringify(Array.from({ length: invalid }, () => 'a'))),
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
        [`${accept}: a path is not repeated`, 'GET /hidden', acceptInit(accept)],
        [
          `${accept}: a path parameter is not repeated`,
          'GET /items/hidden?page=1',
          acceptInit(accept),
        ],
        [
          `${accept}: a query parameter is not repeated`,
          'GET /items/1?page=hidden',
          acceptInit(accept),
        ],
        [
          `${accept}: a header is not repeated`,
          'GET /items/1?page=1',
          { headers: { accept, 'x-count': 'hidden' } },
        ],
        [
          `${accept}: a member of the body is not repeated`,
          'POST /items',
          bodyInit('["hidden"]', accept),
        ],
        [`${accept}: malformed JSON is not repeated`, 'POST /items', bodyInit('hidden', accept)],
        [`${accept}: the message of an HttpError is not repeated`, 'GET /gone', acceptInit(accept)],
        [
          `${accept}: the message of an internal error is not repeated`,
          'GET /failed',
          acceptInit(accept),
        ],
      ],
      async (_, line, init) => {
        const response = await sendRequest(call, line, init)
        assert.ok(response.status >= 400)
        const document = await response.text()
        assert.match(document, 'urn:uuid:')
        assert.not.match(document, 'hidden')
      },
    )
})

const typedProblems = routes({
  typed: pipe(
    path('/typed'),
    get(),
    handle(
      () =>
        new Conflict('The credit is too small.', {
          type: 'https://bank.example/"credit"',
          extensions: {
            balance: 30,
            accounts: ['/1', '/2'],
            'an "odd" name': null,
            missing: undefined,
            // members of the framework are not replaced
            status: 200,
            instance: 'none',
          },
        }),
    ),
  ),
})

contract('problem documents with a type and extension members', typedProblems, (test, call) => {
  test('contain both', async () => {
    const response = await call(new Request('http://service.test/typed'))
    assert.is(response.headers.get('Content-Type'), 'application/problem+json')
    const { instance, ...members } = (await response.json()) as Record<string, unknown>
    assert.match(String(instance), /^urn:uuid:/)
    assert.equal(members, {
      type: 'https://bank.example/"credit"',
      title: 'Conflict',
      status: 409,
      detail: 'The credit is too small.',
      balance: 30,
      accounts: ['/1', '/2'],
      'an "odd" name': null,
    })
  })
})
