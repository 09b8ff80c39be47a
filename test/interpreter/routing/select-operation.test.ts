import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import * as MediaType from '../../../src/http/media-type.ts'
import {
  as,
  body,
  handle,
  html,
  inLanguage,
  json,
  path,
  post,
  produces,
  text,
} from '../../../src/index.ts'
import {
  byPreferences,
  operationNegotiator,
} from '../../../src/interpreter/routing/select-operation.ts'
import { bodyPlans } from '../../../src/body/create-body-plans.ts'
import { describe, table } from '../../support/describe.ts'
import { endpointPlan } from '../../support/plan.ts'

const anyJson = json(t.unknown)
const root = path('/')

/** Operations of one path group, all for POST. */
const operations = {
  withoutBody: pipe(
    root,
    post(),
    handle(() => undefined),
  ),
  textReader: pipe(
    root,
    post(),
    body(text),
    handle(() => undefined),
  ),
  jsonReader: pipe(
    root,
    post(),
    body(as('application/*')(anyJson), anyJson, text),
    handle(() => undefined),
  ),
  v1Reader: pipe(
    root,
    post(),
    body(as('application/json;v=1')(anyJson)),
    handle(() => undefined),
  ),
  anyReader: pipe(
    root,
    post(),
    body(as('*/*')(anyJson)),
    handle(() => undefined),
  ),
  echo: pipe(
    root,
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  textWriter: pipe(
    root,
    post(),
    produces(text),
    handle(() => ''),
  ),
  jsonWriter: pipe(
    root,
    post(),
    produces(anyJson),
    handle(() => ''),
  ),
  jsonOrHtml: pipe(
    root,
    post(),
    produces(anyJson, html),
    handle(() => ''),
  ),
  weightedHtml: pipe(
    root,
    post(),
    produces(as('text/html;qs=0.5')(text), anyJson),
    handle(() => ''),
  ),
  imageWriter: pipe(
    root,
    post(),
    produces(as('image/*')(text)),
    handle(() => ''),
  ),
} as const satisfies Readonly<Record<string, AnyNode>>

type Name = keyof typeof operations

/** Returns the name of the selected operation and the index of its body, or the tag of the failure. */
const choose = (
  names: ReadonlyArray<Name>,
  contentType: string | undefined,
  accept: string | undefined,
): string => {
  const selection = operationNegotiator(
    names.map((name) => ({ name, plan: endpointPlan(operations[name]) })),
  )([
    ...(contentType === undefined ? [] : ['Content-Type', contentType]),
    ...(accept === undefined ? [] : ['Accept', accept]),
  ])
  return selection._tag === 'Chosen'
    ? `${selection.choice.operation.name} ${selection.choice.bodyIndex}`
    : selection._tag
}

// RFC 9110, 8.3 and 15.5.16
describe('operationNegotiator by Content-Type', (test) => {
  table<readonly [name: string, string | undefined, ReadonlyArray<Name>, string]>(
    test,
    [
      ['a declared media type', 'text/plain', ['textReader'], 'textReader 0'],
      [
        'optional whitespace and another case',
        ' Text/PLAIN ; charset=utf-8',
        ['textReader'],
        'textReader 0',
      ],
      ['an unsupported media type', 'text/html', ['textReader'], 'UnsupportedMediaType'],
      ['a media range', 'text/*', ['textReader'], 'UnsupportedMediaType'],
      ['a malformed media type', 'plain', ['textReader'], 'UnsupportedMediaType'],
      ['an empty Content-Type header', '', ['textReader'], 'UnsupportedMediaType'],
      ['two joined media types', 'text/plain, text/plain', ['textReader'], 'UnsupportedMediaType'],
      ['no header with one body', undefined, ['textReader'], 'textReader 0'],
      ['no header with several bodies', undefined, ['jsonReader', 'textReader'], 'jsonReader 0'],
      ['the second body of an operation', 'application/json', ['jsonReader'], 'jsonReader 1'],
      ['a body with a media range', 'application/xml', ['jsonReader'], 'jsonReader 0'],
      ['the third body of an operation', 'text/plain', ['jsonReader'], 'jsonReader 2'],
      ['a media type that no body supports', 'image/png', ['jsonReader'], 'UnsupportedMediaType'],
      [
        'the most specific operation',
        'application/json',
        ['anyReader', 'jsonReader'],
        'jsonReader 1',
      ],
      [
        'a parameter that an operation declares',
        'application/json;v=1',
        ['jsonReader', 'v1Reader'],
        'v1Reader 0',
      ],
      [
        'a parameter that no operation declares',
        'application/json;v=2',
        ['jsonReader', 'v1Reader'],
        'jsonReader 1',
      ],
      ['a body with any media type', 'image/png', ['textReader', 'anyReader'], 'anyReader 0'],
      ['an operation without a body', 'image/png', ['withoutBody'], 'withoutBody 0'],
      [
        'an operation without a body before others',
        'text/plain',
        ['withoutBody', 'textReader'],
        'textReader 0',
      ],
      ['a malformed media type without a body', 'nonsense', ['withoutBody'], 'withoutBody 0'],
    ],
    (_, contentType, names, expected) => assert.is(choose(names, contentType, undefined), expected),
  )
})

// RFC 9110, 12.5.1 and 15.5.7
describe('operationNegotiator by Accept', (test) => {
  table<readonly [name: string, string | undefined, ReadonlyArray<Name>, string]>(
    test,
    [
      ['no header', undefined, ['textWriter', 'jsonWriter'], 'textWriter 0'],
      ['any media type', '*/*', ['jsonWriter', 'textWriter'], 'jsonWriter 0'],
      ['the second operation', 'text/plain', ['jsonWriter', 'textWriter'], 'textWriter 0'],
      [
        'weights of media types',
        'text/plain;q=0.1, application/json;q=0.2',
        ['textWriter', 'jsonWriter'],
        'jsonWriter 0',
      ],
      [
        'a weight of a media type in a range',
        'text/*;q=0.9, text/html;q=0.1',
        ['jsonOrHtml', 'textWriter'],
        'textWriter 0',
      ],
      ['one of several representations', 'text/html', ['jsonWriter', 'jsonOrHtml'], 'jsonOrHtml 0'],
      [
        'a media type that is not available',
        'image/png',
        ['textWriter', 'jsonWriter'],
        'NotAcceptable',
      ],
      ['a weight of 0', 'text/plain;q=0', ['textWriter'], 'NotAcceptable'],
      ['an empty Accept header', '', ['textWriter'], 'textWriter 0'],
      ['a malformed header', 'nonsense', ['textWriter'], 'MalformedRequest'],
      [
        'a malformed member among valid ones',
        'nonsense, text/plain',
        ['textWriter'],
        'textWriter 0',
      ],
      [
        'a weight of the server',
        'text/html, application/json',
        ['weightedHtml', 'textWriter'],
        'weightedHtml 0',
      ],
      ['a media type in a range of the server', 'image/png', ['imageWriter'], 'imageWriter 0'],
      ['a range in a range of the server', 'image/*', ['imageWriter'], 'imageWriter 0'],
      ['a malformed header without representations', 'nonsense', ['withoutBody'], 'withoutBody 0'],
      [
        'an operation without representations',
        'image/png',
        ['withoutBody', 'textWriter'],
        'withoutBody 0',
      ],
      [
        'a representation before an operation without any',
        'text/plain',
        ['withoutBody', 'textWriter'],
        'textWriter 0',
      ],
    ],
    (_, accept, names, expected) => assert.is(choose(names, undefined, accept), expected),
  )
})

describe('operationNegotiator', (test) => {
  test('two Accept headers are one list', () => {
    const jsonOrHtml = operationNegotiator([{ plan: endpointPlan(operations.jsonOrHtml) }])
    assert.is(jsonOrHtml(['accept', 'image/png', 'ACCEPT', 'text/html'])._tag, 'Chosen')
    assert.is(jsonOrHtml(['accept', 'image/png', 'X-Accept', 'text/html'])._tag, 'NotAcceptable')
  })
  test('Content-Type is checked before Accept', () => {
    assert.is(choose(['echo'], 'image/png', 'nonsense'), 'UnsupportedMediaType')
    assert.is(choose(['echo', 'jsonWriter'], 'text/plain', 'application/json'), 'NotAcceptable')
  })
  test('a failure lists each supported media type once', () => {
    const plans = [operations.jsonOrHtml, operations.jsonWriter].map((operation) => ({
      plan: endpointPlan(operation),
    }))
    assert.equal(operationNegotiator(plans)(['Accept', 'image/png']), {
      _tag: 'NotAcceptable',
      available: ['application/json', 'text/html'],
    })
    assert.equal(
      operationNegotiator([{ plan: endpointPlan(operations.jsonReader) }])([
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
  test('a selection contains the parsed Content-Type', () => {
    const selection = operationNegotiator([{ plan: endpointPlan(operations.textReader) }])([
      'Content-Type',
      'text/plain;a=b',
    ])
    assert.ok(selection._tag === 'Chosen')
    assert.equal(O.some(selection.choice.contentType), MediaType.parse('text/plain;a=b'))
  })
})

const [en, de] = [inLanguage('en')(text), inLanguage('de')(text)]

const describeHeaders = (accept: string | undefined, languages: ReadonlyArray<unknown>) =>
  `${accept} ${languages.length}`

describe('byPreferences', (test) => {
  const german = ['Accept', 'text/plain', 'Accept-Language', 'de']

  test('reads Accept-Language only if the alternatives differ in language', () => {
    assert.is(
      byPreferences(bodyPlans([de, inLanguage('de')(html)], []), describeHeaders)(german),
      'text/plain 0',
    )
    assert.is(byPreferences(bodyPlans([en, de], []), describeHeaders)(german), 'text/plain 1')
    assert.is(byPreferences(bodyPlans([text, de], []), describeHeaders)(german), 'text/plain 1')
  })
  test('decides once for equal headers', () => {
    let calls = 0
    const decide = byPreferences(bodyPlans([en, de], []), () => ++calls)
    decide(german)
    decide([...german, 'X-Other', 'a'])
    assert.is(calls, 1)
    assert.is(decide(['Accept', 'text/plain', 'Accept-Language', 'en']), 2)
    assert.is(decide(['Accept', 'text/plain']), 3)
    assert.is(decide(['Accept-Language', 'text/plain']), 4)
  })
})
