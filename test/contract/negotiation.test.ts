/** What a client gets of what an operation produces, or of what several operations produce: the `Accept` field. */
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
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { ask, says, sendLines } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const one = says('one')
const value = json(t.string)
const resource = pipe(path('/overridden'), produces(value))
const split = path('/split')

const api = routes({
  pair: pipe(path('/pair'), get(), produces(value, text), handle(one)),
  page: pipe(path('/page'), get(), produces(text, html), handle(one)),
  single: pipe(path('/single'), get(), produces(text), handle(one)),
  codec: pipe(
    path('/codec'),
    get(),
    produces(int),
    handle(() => 1),
  ),
  inherited: pipe(resource, get(), handle(one)),
  overridden: pipe(resource, get('/text'), produces(text), handle(one)),
  image: pipe(
    path('/image'),
    get(),
    produces(as('image/png')(bytes)),
    handle(() => new Uint8Array()),
  ),
  csv: pipe(path('/csv'), get(), produces(as('text/csv')(text)), handle(one)),
  latin: pipe(path('/ascii'), get(), produces(as('text/csv;charset=us-ascii')(text)), handle(one)),
  vendor: pipe(path('/vendor'), get(), produces(as('application/vnd.x+json')(value)), handle(one)),
  texts: pipe(path('/texts'), get(), produces(as('text/*')(text)), handle(one)),
  anything: pipe(path('/anything'), get(), produces(as('*/*')(text)), handle(one)),
  octets: pipe(path('/octets'), get(), produces(as('application/*')(text)), handle(one)),
  weights: pipe(
    path('/weights'),
    get(),
    produces(as('application/x;qs=0.9')(text), as('application/y;qs=0.7')(text)),
    handle(one),
  ),
  last: pipe(
    path('/last'),
    get(),
    produces(as('text/plain;qs=0')(text), as('application/json;qs=1')(value)),
    handle(one),
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
    handle(one),
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
  splitText: pipe(split, get(), produces(text), handle(one)),
  splitJson: pipe(split, get(), produces(value), handle(one)),
  splitHtml: pipe(split, get(), produces(html), handle(one)),
  declared: pipe(
    path('/declared'),
    get(),
    produces(value),
    responds(202, value),
    fails(409, text),
    handle(one),
  ),
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const plain = 'text/plain;charset=UTF-8'

/** `expected` is the type of the content that is sent, or the status of an answer without. */
type Row = readonly [
  name: string,
  target: string,
  accept: string | undefined,
  expected: string | number,
]

const rows: ReadonlyArray<Row> = [
  ['a resource says it for its operations', '/overridden', undefined, 'application/json'],
  ['an operation overrides it', '/overridden/text', undefined, plain],
  ['and does not add to it', '/overridden/text', 'application/json', 406],
  ['a range becomes what is asked for', '/texts', 'text/css', 'text/css;charset=UTF-8'],
  ['with the greatest weight', '/texts', 'text/a;q=0.1,text/b', 'text/b;charset=UTF-8'],
  ['inside it', '/texts', 'image/png', 406],
  ['a range in a range comes to nothing', '/texts', 'text/*', 406],
  ['and so does no wish at all', '/texts', undefined, 406],
  ['anything is octets', '/anything', undefined, 'application/octet-stream'],
  ['so is any application type', '/octets', '*/*', 'application/octet-stream'],
  ['unless one is named', '/anything', 'image/gif', 'image/gif'],
  ['a type on offer before a range on offer', '/images', 'image/*', 'image/png'],
  ['also without Accept', '/images', undefined, 'image/png'],
  ['a range on offer for a type that the client names', '/images', 'image/gif', 'image/gif'],
  ['the 65th member of Accept', '/pair', `${'image/png,'.repeat(64)}text/plain`, plain],
  ['the last of 1,000 members', '/pair', `${'image/png,'.repeat(999)}text/plain`, plain],
  ['a codec of a single value is text', '/codec', undefined, plain],
  ['text says its charset', '/csv', undefined, 'text/csv;charset=UTF-8'],
  ['which may be declared', '/ascii', undefined, 'text/csv;charset=us-ascii'],
  ['JSON has none', '/pair', 'application/json', 'application/json'],
  ['and an image has none', '/image', undefined, 'image/png'],
  ['the type that is named', '/pair', 'text/plain', plain],
  ['a range', '/pair', 'text/*', plain],
  ['the more specific range decides', '/pair', '*/*;q=0.9, application/json;q=0.1', plain],
  ['a browser gets HTML', '/page', browser, 'text/html;charset=UTF-8'],
  ['or whatever there is', '/pair', browser, 'application/json'],
  [
    'the client’s weight before the server’s',
    '/weights',
    'application/x;q=0.7, application/y;q=0.9',
    'application/y',
  ],
  ['the server’s among equals', '/weights', 'application/y, application/x', 'application/x'],
  [
    'the order of the tree among equals',
    '/pair',
    'text/plain, application/json',
    'application/json',
  ],
  ['what is not wanted at all', '/pair', 'application/json;q=0, */*', plain],
  ['the server’s weight without Accept', '/weights', undefined, 'application/x'],
  ['a weight of 0 is the last resort', '/last', undefined, 'application/json'],
  ['and still one', '/last', 'text/plain', plain],
  ['without Accept the first', '/pair', undefined, 'application/json'],
  ['an empty Accept is none', '/pair', '', 'application/json'],
  ['nothing that is wanted', '/pair', 'image/png', 406],
  ['nothing is wanted', '/pair', '*/*;q=0', 406],
  ['a malformed Accept, with one type', '/single', 'text', 400],
  ['with several', '/pair', 'text', 400],
  ['a malformed weight', '/pair', 'text/plain;q=x', 400],
  ['a malformed member beside a good one', '/pair', 'text, text/plain', plain],
  ['where nothing is produced', '/nothing', 'text', 204],
  ['in any case', '/pair', 'TeXt/PlAiN', plain],
  ['a type of the reply’s own', '/explicit', undefined, 'text/csv'],
  ['which cannot be asked for', '/explicit', 'text/csv', 406],
  ['a type with a suffix keeps its name', '/vendor', undefined, 'application/vnd.x+json'],
  ['by which it is asked for', '/vendor', 'application/json', 406],
  ['among operations', '/split', 'application/json', 'application/json'],
  ['by weight', '/split', 'text/plain;q=0.1, text/html', 'text/html;charset=UTF-8'],
  ['the first of them', '/split', undefined, plain],
  ['none of them', '/split', 'image/png', 406],
]

contract('Accept', api, (test, call) => {
  const got = (target: string, accept: string | undefined): Promise<Response> =>
    ask(call, `GET ${target}`, accept === undefined ? {} : { headers: { accept } })

  table<Row>(test, rows, async (_, target, accept, expected) => {
    const { status, headers } = await got(target, accept)
    if (typeof expected === 'number') assert.is(status, expected)
    else assert.equal([status, headers.get('content-type')], [200, expected])
  })

  test('an error response with a type and a range on offer is sent with the type', async () => {
    const { status, headers } = await got('/missing-image', 'application/json')
    assert.equal([status, headers.get('content-type')], [404, 'image/png'])
  })

  test('and is JSON', async () =>
    assert.is(await (await got('/vendor', undefined)).text(), '"one"'))

  test('the problem document lists what is available', async () => {
    const response = await got('/split', 'image/png')
    const { title, supported } = (await response.json()) as Readonly<Record<string, unknown>>
    assert.is(title, 'Not Acceptable')
    assert.equal(supported, ['text/plain', 'application/json', 'text/html'])
    assert.is(response.headers.get('vary'), 'Accept')
  })

  table(
    test,
    [
      ['Vary where there are several types', '/pair', 'Accept'],
      ['where the status brings another', '/declared', 'Accept'],
      ['where several operations have one each', '/split', 'Accept'],
      ['for a range', '/anything', 'Accept'],
      ['not where there is one', '/single', null],
      ['not where there is none', '/nothing', null],
    ] as const,
    async (_, target, vary) =>
      assert.is((await got(target, 'text/plain, */*;q=0.1')).headers.get('vary'), vary),
  )
})

describe('Accept in several lines', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(api, { logger: silentLogger, 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
  })
  after(() => server?.close())

  table(
    test,
    [
      ['all are considered', ['image/png', 'text/plain'], plain],
      ['in any order', ['text/plain', 'image/png'], plain],
      ['with their weights', ['text/plain;q=0.1', 'application/json'], 'application/json'],
    ] as const,
    async (_, accept, expected) => {
      const response = await sendLines(server?.url ?? '', {
        path: '/pair',
        headers: { Accept: [...accept] },
      })
      assert.is(response.headers.get('content-type'), expected)
    },
  )
})
