/** Content negotiation: selecting a representation, or one of several operations, by `Accept`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  bytes,
  fails,
  get,
  handle,
  html,
  int,
  json,
  mediaType,
  ok,
  path,
  produces,
  reply,
  responds,
  routes,
  text,
} from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { sendRequest, returns, sendRawRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const returnsOne = returns('one')
const value = json(t.string)
const resource = pipe(path('/overridden'), produces(value))
const split = path('/split')

const api = routes({
  pair: pipe(path('/pair'), get(), produces(value, text), handle(returnsOne)),
  page: pipe(path('/page'), get(), produces(text, html), handle(returnsOne)),
  single: pipe(path('/single'), get(), produces(text), handle(returnsOne)),
  codec: pipe(
    path('/codec'),
    get(),
    produces(int),
    handle(() => 1),
  ),
  inherited: pipe(resource, get(), handle(returnsOne)),
  overridden: pipe(resource, get('/text'), produces(text), handle(returnsOne)),
  image: pipe(
    path('/image'),
    get(),
    produces(as('image/png')(bytes)),
    handle(() => new Uint8Array()),
  ),
  csv: pipe(path('/csv'), get(), produces(as('text/csv')(text)), handle(returnsOne)),
  latin: pipe(
    path('/ascii'),
    get(),
    produces(as('text/csv;charset=us-ascii')(text)),
    handle(returnsOne),
  ),
  vendor: pipe(
    path('/vendor'),
    get(),
    produces(as('application/vnd.x+json')(value)),
    handle(returnsOne),
  ),
  texts: pipe(path('/texts'), get(), produces(as('text/*')(text)), handle(returnsOne)),
  anything: pipe(path('/anything'), get(), produces(as('*/*')(text)), handle(returnsOne)),
  application: pipe(
    path('/application'),
    get(),
    produces(as('application/*')(text)),
    handle(returnsOne),
  ),
  weights: pipe(
    path('/weights'),
    get(),
    produces(as('application/x;qs=0.9')(text), as('application/y;qs=0.7')(text)),
    handle(returnsOne),
  ),
  last: pipe(
    path('/last'),
    get(),
    produces(as('text/plain;qs=0')(text), as('application/json;qs=1')(value)),
    handle(returnsOne),
  ),
  explicit: pipe(
    path('/explicit'),
    get(),
    produces(text),
    handle(() => pipe(ok('a,b'), mediaType('text/csv'))),
  ),
  images: pipe(
    path('/images'),
    get(),
    produces(as('image/png;qs=0.6')(text), as('image/*;qs=0.7')(text)),
    handle(returnsOne),
  ),
  missingImage: pipe(
    path('/missing-image'),
    get(),
    produces(value),
    fails(404, as('image/*;qs=0.7')(text), as('image/png;qs=0.6')(text)),
    handle(() => reply(404, 'none')),
  ),
  nothing: pipe(
    path('/nothing'),
    get(),
    handle(() => undefined),
  ),
  splitText: pipe(split, get(), produces(text), handle(returnsOne)),
  splitJson: pipe(split, get(), produces(value), handle(returnsOne)),
  splitHtml: pipe(split, get(), produces(html), handle(returnsOne)),
  declared: pipe(
    path('/declared'),
    get(),
    produces(value),
    responds(202, value),
    fails(409, text),
    handle(returnsOne),
  ),
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const plain = 'text/plain;charset=UTF-8'

/** `expected` is the `Content-Type` of the 200 response, or the status of another response. */
type Row = readonly [
  name: string,
  target: string,
  accept: string | undefined,
  expected: string | number,
]

const rows: ReadonlyArray<Row> = [
  [
    'an operation inherits the representations of its resource',
    '/overridden',
    undefined,
    'application/json',
  ],
  [
    'an operation overrides the representations of its resource',
    '/overridden/text',
    undefined,
    plain,
  ],
  ['an overridden representation is not available', '/overridden/text', 'application/json', 406],
  [
    'a produced range resolves to the requested type',
    '/texts',
    'text/css',
    'text/css;charset=UTF-8',
  ],
  [
    'a produced range resolves to the type with the greatest weight',
    '/texts',
    'text/a;q=0.1,text/b',
    'text/b;charset=UTF-8',
  ],
  ['a produced range does not match another type', '/texts', 'image/png', 406],
  ['text/* for a requested text/*', '/texts', 'text/*', plain],
  ['text/* without an Accept header', '/texts', undefined, plain],
  ['text/* for a client that rejects text/plain', '/texts', 'text/*, text/plain;q=0', 406],
  ['*/* for a range without a fallback', '/anything', 'image/*', 406],
  ['*/* without an Accept header', '/anything', undefined, 'application/octet-stream'],
  ['application/* for a requested */*', '/application', '*/*', 'application/octet-stream'],
  ['*/* for a requested type', '/anything', 'image/gif', 'image/gif'],
  ['a produced type takes precedence over a produced range', '/images', 'image/*', 'image/png'],
  ['a produced type takes precedence without an Accept header', '/images', undefined, 'image/png'],
  ['a produced range for a type that is not produced itself', '/images', 'image/gif', 'image/gif'],
  ['the 65th member of Accept', '/pair', `${'image/png,'.repeat(64)}text/plain`, plain],
  ['the last of 1,000 members', '/pair', `${'image/png,'.repeat(999)}text/plain`, plain],
  ['a scalar codec is text/plain', '/codec', undefined, plain],
  ['text has the charset UTF-8', '/csv', undefined, 'text/csv;charset=UTF-8'],
  ['text with a declared charset', '/ascii', undefined, 'text/csv;charset=us-ascii'],
  ['JSON has no charset', '/pair', 'application/json', 'application/json'],
  ['an image has no charset', '/image', undefined, 'image/png'],
  ['a requested type', '/pair', 'text/plain', plain],
  ['a requested range', '/pair', 'text/*', plain],
  [
    'the most specific range determines the weight',
    '/pair',
    '*/*;q=0.9, application/json;q=0.1',
    plain,
  ],
  ['a browser with HTML available', '/page', browser, 'text/html;charset=UTF-8'],
  ['a browser without HTML available', '/pair', browser, 'application/json'],
  [
    'weights of the client take precedence over those of the server',
    '/weights',
    'application/x;q=0.7, application/y;q=0.9',
    'application/y',
  ],
  [
    'weights of the server for equal weights of the client',
    '/weights',
    'application/y, application/x',
    'application/x',
  ],
  [
    'the first representation for equal weights',
    '/pair',
    'text/plain, application/json',
    'application/json',
  ],
  ['a type with weight 0', '/pair', 'application/json;q=0, */*', plain],
  ['weights of the server without an Accept header', '/weights', undefined, 'application/x'],
  [
    'a representation with server weight 0 is the last choice',
    '/last',
    undefined,
    'application/json',
  ],
  ['a representation with server weight 0 can be requested', '/last', 'text/plain', plain],
  ['the first representation without an Accept header', '/pair', undefined, 'application/json'],
  ['an empty Accept header', '/pair', '', 'application/json'],
  ['no acceptable representation', '/pair', 'image/png', 406],
  ['weight 0 for all types', '/pair', '*/*;q=0', 406],
  ['a malformed Accept with one representation', '/single', 'text', 400],
  ['a malformed Accept with two representations', '/pair', 'text', 400],
  ['a malformed weight', '/pair', 'text/plain;q=x', 400],
  ['a malformed member before a valid one', '/pair', 'text, text/plain', plain],
  ['a malformed Accept for an operation without representations', '/nothing', 'text', 204],
  ['a media type in mixed case', '/pair', 'TeXt/PlAiN', plain],
  ['a media type of the reply', '/explicit', undefined, 'text/csv'],
  ['a media type of the reply is not negotiable', '/explicit', 'text/csv', 406],
  ['a media type with a suffix', '/vendor', undefined, 'application/vnd.x+json'],
  ['a media type with a suffix does not match its base type', '/vendor', 'application/json', 406],
  ['an operation selected by type', '/split', 'application/json', 'application/json'],
  [
    'an operation selected by weight',
    '/split',
    'text/plain;q=0.1, text/html',
    'text/html;charset=UTF-8',
  ],
  ['the first operation without an Accept header', '/split', undefined, plain],
  ['no acceptable operation', '/split', 'image/png', 406],
]

contract('Accept', api, (test, call) => {
  const send = (target: string, accept: string | undefined): Promise<Response> =>
    sendRequest(call, `GET ${target}`, accept === undefined ? {} : { headers: { accept } })

  table<Row>(test, rows, async (_, target, accept, expected) => {
    const { status, headers } = await send(target, accept)
    if (typeof expected === 'number') assert.is(status, expected)
    else assert.equal([status, headers.get('content-type')], [200, expected])
  })

  for (const [type, encoded] of [
    ['application/json', '"one"'],
    ['text/plain', 'one'],
  ] as const)
    test(`the body is encoded in the selected type: ${type}`, async () =>
      assert.is(await (await send('/pair', type)).text(), encoded))

  test('a declared failure with a type and a range is sent with the type', async () => {
    const { status, headers } = await send('/missing-image', 'application/json')
    assert.equal([status, headers.get('content-type')], [404, 'image/png'])
  })

  test('a media type with the suffix +json is written as JSON', async () =>
    assert.is(await (await send('/vendor', undefined)).text(), '"one"'))

  test('the problem document of a 406 lists the available media types', async () => {
    const response = await send('/split', 'image/png')
    const { title, supported } = (await response.json()) as Readonly<Record<string, unknown>>
    assert.is(title, 'Not Acceptable')
    assert.equal(supported, ['text/plain', 'application/json', 'text/html'])
    assert.is(response.headers.get('vary'), 'Accept')
  })

  table(
    test,
    [
      ['Vary with several representations', '/pair', 'Accept'],
      ['Vary with a representation of another status', '/declared', 'Accept'],
      ['Vary with one representation in each of several operations', '/split', 'Accept'],
      ['Vary with a produced range', '/anything', 'Accept'],
      ['no Vary with one representation', '/single', null],
      ['no Vary without a representation', '/nothing', null],
    ] as const,
    async (_, target, vary) =>
      assert.is((await send(target, 'text/plain, */*;q=0.1')).headers.get('vary'), vary),
  )
})

describe('several Accept headers', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(api, { logger: silentLogger, 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
  })
  after(() => server?.close())

  table(
    test,
    [
      ['a match in the second header', ['image/png', 'text/plain'], plain],
      ['a match in the first header', ['text/plain', 'image/png'], plain],
      ['weights in both headers', ['text/plain;q=0.1', 'application/json'], 'application/json'],
    ] as const,
    async (_, accept, expected) => {
      const response = await sendRawRequest(server?.url ?? '', {
        path: '/pair',
        headers: { Accept: [...accept] },
      })
      assert.is(response.headers.get('content-type'), expected)
    },
  )
})
