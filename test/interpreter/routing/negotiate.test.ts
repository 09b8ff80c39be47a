import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import * as MediaType from '../../../src/http/media-type.ts'
import { as, body, handle, html, json, path, post, produces, text } from '../../../src/index.ts'
import { operationNegotiator } from '../../../src/interpreter/routing/negotiate.ts'
import { describe, table } from '../../support/describe.ts'
import { planOfOne } from '../../support/plan.ts'

const it = json(t.unknown)
const at = path('/')

/** Operations that one site might have for POST. */
const operations = {
  silent: pipe(
    at,
    post(),
    handle(() => undefined),
  ),
  taker: pipe(
    at,
    post(),
    body(text),
    handle(() => undefined),
  ),
  jsonTaker: pipe(
    at,
    post(),
    body(as('application/*')(it), it, text),
    handle(() => undefined),
  ),
  v1Taker: pipe(
    at,
    post(),
    body(as('application/json;v=1')(it)),
    handle(() => undefined),
  ),
  anyTaker: pipe(
    at,
    post(),
    body(as('*/*')(it)),
    handle(() => undefined),
  ),
  echo: pipe(
    at,
    post(),
    body(text),
    produces(text),
    handle(({ body: sent }) => sent),
  ),
  texter: pipe(
    at,
    post(),
    produces(text),
    handle(() => ''),
  ),
  jsoner: pipe(
    at,
    post(),
    produces(it),
    handle(() => ''),
  ),
  both: pipe(
    at,
    post(),
    produces(it, html),
    handle(() => ''),
  ),
  shy: pipe(
    at,
    post(),
    produces(as('text/html;qs=0.5')(text), it),
    handle(() => ''),
  ),
  image: pipe(
    at,
    post(),
    produces(as('image/*')(text)),
    handle(() => ''),
  ),
} as const satisfies Readonly<Record<string, AnyNode>>

type Name = keyof typeof operations

/** The operation that is chosen and which of its bodies was sent, or the failure. */
const choose = (
  names: ReadonlyArray<Name>,
  contentType: string | undefined,
  accept: string | undefined,
): string => {
  const outcome = operationNegotiator(
    names.map((name) => ({ name, plan: planOfOne(operations[name]) })),
  )([
    ...(contentType === undefined ? [] : ['Content-Type', contentType]),
    ...(accept === undefined ? [] : ['Accept', accept]),
  ])
  return outcome._tag === 'Chosen'
    ? `${outcome.choice.operation.name} ${outcome.choice.bodyIndex}`
    : outcome._tag
}

// RFC 9110, 8.3 and 15.5.16
describe('negotiate: by Content-Type', (test) => {
  table<readonly [string | undefined, ReadonlyArray<Name>, string]>(
    test,
    [
      ['text/plain', ['taker'], 'taker 0'],
      [' Text/PLAIN ; charset=utf-8', ['taker'], 'taker 0'],
      ['text/html', ['taker'], 'UnsupportedMediaType'],
      ['text/*', ['taker'], 'UnsupportedMediaType'], // a range describes no content
      ['plain', ['taker'], 'UnsupportedMediaType'],
      ['', ['taker'], 'UnsupportedMediaType'],
      ['text/plain, text/plain', ['taker'], 'UnsupportedMediaType'], // sent twice and joined
      [undefined, ['taker'], 'taker 0'], // the first alternative is assumed
      [undefined, ['jsonTaker', 'taker'], 'jsonTaker 0'],
      ['application/json', ['jsonTaker'], 'jsonTaker 1'], // the most specific of the alternatives
      ['application/xml', ['jsonTaker'], 'jsonTaker 0'],
      ['text/plain', ['jsonTaker'], 'jsonTaker 2'],
      ['image/png', ['jsonTaker'], 'UnsupportedMediaType'],
      ['application/json', ['anyTaker', 'jsonTaker'], 'jsonTaker 1'], // and of the operations
      ['application/json;v=1', ['jsonTaker', 'v1Taker'], 'v1Taker 0'],
      ['application/json;v=2', ['jsonTaker', 'v1Taker'], 'jsonTaker 1'],
      ['image/png', ['taker', 'anyTaker'], 'anyTaker 0'],
      ['image/png', ['silent'], 'silent 0'], // who reads nothing refuses nothing
      ['text/plain', ['silent', 'taker'], 'taker 0'],
      ['nonsense', ['silent'], 'silent 0'],
    ],
    (contentType, names, expected) =>
      assert.is(choose(names, contentType, undefined), expected, names.join()),
  )
})

// RFC 9110, 12.5.1 and 15.5.7
describe('negotiate: by Accept', (test) => {
  table<readonly [string | undefined, ReadonlyArray<Name>, string]>(
    test,
    [
      [undefined, ['texter', 'jsoner'], 'texter 0'], // the order of the tree
      ['*/*', ['jsoner', 'texter'], 'jsoner 0'],
      ['text/plain', ['jsoner', 'texter'], 'texter 0'],
      ['text/plain;q=0.1, application/json;q=0.2', ['texter', 'jsoner'], 'jsoner 0'],
      ['text/*;q=0.9, text/html;q=0.1', ['both', 'texter'], 'texter 0'],
      ['text/html', ['jsoner', 'both'], 'both 0'],
      ['image/png', ['texter', 'jsoner'], 'NotAcceptable'],
      ['text/plain;q=0', ['texter'], 'NotAcceptable'],
      ['', ['texter'], 'texter 0'], // no members: anything
      ['nonsense', ['texter'], 'MalformedRequest'],
      ['nonsense, text/plain', ['texter'], 'texter 0'], // a good member is enough
      ['text/html, application/json', ['shy', 'texter'], 'shy 0'],
      ['image/png', ['image'], 'image 0'],
      ['image/*', ['image'], 'NotAcceptable'], // a range that nobody makes concrete
      ['nonsense', ['silent'], 'silent 0'], // who answers nothing has nothing to negotiate
      ['image/png', ['silent', 'texter'], 'silent 0'],
      ['text/plain', ['silent', 'texter'], 'texter 0'],
    ],
    (accept, names, expected) =>
      assert.is(choose(names, undefined, accept), expected, names.join()),
  )
})

describe('negotiate', (test) => {
  test('an Accept that is sent twice is one list', () => {
    const both = operationNegotiator([{ plan: planOfOne(operations.both) }])
    assert.is(both(['accept', 'image/png', 'ACCEPT', 'text/html'])._tag, 'Chosen')
    assert.is(both(['accept', 'image/png', 'X-Accept', 'text/html'])._tag, 'NotAcceptable')
  })
  test('what is carried comes before what is accepted', () => {
    assert.is(choose(['echo'], 'image/png', 'nonsense'), 'UnsupportedMediaType')
    assert.is(choose(['echo', 'jsoner'], 'text/plain', 'application/json'), 'NotAcceptable')
  })
  test('a failure lists what is available, each once', () => {
    const plans = [operations.both, operations.jsoner].map((one) => ({ plan: planOfOne(one) }))
    assert.equal(operationNegotiator(plans)(['Accept', 'image/png']), {
      _tag: 'NotAcceptable',
      available: ['application/json', 'text/html'],
    })
    assert.equal(
      operationNegotiator([{ plan: planOfOne(operations.jsonTaker) }])([
        'Content-Type',
        'image/png',
      ]),
      {
        _tag: 'UnsupportedMediaType',
        detail: 'The operation does not support this media type.',
        supported: ['application/*', 'application/json', 'text/plain'],
      },
    )
  })
  test('a choice knows what the request states', () => {
    const outcome = operationNegotiator([{ plan: planOfOne(operations.taker) }])([
      'Content-Type',
      'text/plain;a=b',
    ])
    assert.ok(outcome._tag === 'Chosen')
    assert.equal(O.some(outcome.choice.contentType), MediaType.parse('text/plain;a=b'))
  })
})
