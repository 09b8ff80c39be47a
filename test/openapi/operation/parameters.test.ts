/** The descriptions of parameters, and requests that are written as the descriptions say. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  combined,
  cookie,
  described,
  encoded,
  get,
  handle,
  header,
  idempotent,
  int,
  json,
  list,
  matrix,
  optional,
  path,
  post,
  produces,
  put,
  query,
  queryMap,
  routes,
  segments,
  separated,
  string,
  withDefault,
} from '../../../src/index.ts'
import type { ParameterCodec } from '../../../src/codec/codec.ts'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import { makeRoutes } from '../../../src/endpoint/routes.ts'
import type { ParameterCodecs } from '../../../src/endpoint/parameters.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { describeOnly } from '../document.ts'

const integer = { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }

const inGroup = {
  query: (codecs: ParameterCodecs) => pipe(path('/'), get(), query(codecs)),
  header: (codecs: ParameterCodecs) => pipe(path('/'), get(), header(codecs)),
  cookie: (codecs: ParameterCodecs) => pipe(path('/'), get(), cookie(codecs)),
  matrix: (codecs: ParameterCodecs) => pipe(path('/'), get(), matrix(codecs)),
} as const

type Group = keyof typeof inGroup

// prettier-ignore
const rows: ReadonlyArray<readonly [group: Group, codec: ParameterCodec, described: object]> = [
  ['query', int, { required: true, schema: integer }],
  ['query', optional(int), { allowEmptyValue: true, schema: integer }],
  ['query', withDefault(int, 1), { allowEmptyValue: true, schema: { ...integer, default: 1 } }],
  ['query', described('The page.', { deprecated: true })(int), { required: true, description: 'The page.', deprecated: true, schema: integer }],
  ['query', encoded(string), { required: true, allowReserved: true, schema: { type: 'string' } }],
  ['query', list(int), { style: 'form', explode: true, schema: { type: 'array', items: integer } }],
  ['query', separated(',')(int), { style: 'form', explode: false, schema: { type: 'array', items: integer } }],
  ['query', separated(' ')(int), { style: 'spaceDelimited', explode: false, schema: { type: 'array', items: integer } }],
  ['query', separated('|')(int), { style: 'pipeDelimited', explode: false, schema: { type: 'array', items: integer } }],
  ['query', separated(';')(int), { schema: { type: 'string' }, 'x-separator': ';' }],
  ['header', int, { required: true, schema: integer }],
  ['header', list(int), { style: 'simple', explode: false, schema: { type: 'array', items: integer, maxItems: 1 }, 'x-repeated': true }],
  ['header', separated(',')(int), { style: 'simple', explode: false, schema: { type: 'array', items: integer } }],
  ['header', separated('|')(int), { schema: { type: 'string' }, 'x-separator': '|' }],
  ['header', combined(string), { required: true, schema: { type: 'string' } }],
  ['cookie', optional(int), { schema: integer }],
  ['cookie', separated(',')(int), { style: 'form', explode: false, schema: { type: 'array', items: integer } }],
]

describe('parameters', (test) => {
  for (const [group, codec, expected] of rows)
    test(`a ${group} parameter with the codec ${codec.name} is described`, () => {
      const operation = inGroup[group]({ p: codec })
      const { parameters } = describeOnly(routes({ operation }))
      assert.equal(parameters, [{ name: 'p', in: group, ...expected }])
    })

  test('header names are in lower case with hyphens', () => {
    const operation = pipe(path('/'), get(), header({ traceId: string, 'X-Other': string }))
    const names = describeOnly(routes({ operation })).parameters?.map(({ name }) => name)
    assert.equal(names, ['trace-id', 'x-other'])
  })

  test('headers that OpenAPI describes elsewhere are no parameters', () => {
    const operation = pipe(path('/'), get(), header({ accept: string, Authorization: string }))
    assert.is(describeOnly(routes({ operation })).parameters, undefined)
  })

  test('the regular expression of a path variable is a pattern', () => {
    const operation = pipe(path('/{a:[a-z]\\d}/{b:a|b}/{c:\\d+}', { c: int }), get())
    assert.equal(
      describeOnly(routes({ operation })).parameters?.map(({ schema }) => schema),
      [
        { type: 'string', pattern: '^[a-z][0-9]$' },
        { type: 'string', pattern: '^(a|b)$' },
        integer,
      ],
    )
  })

  test('a variable for several segments has an extension', () => {
    const operation = pipe(path('/{a}/{rest}', { rest: segments(string) }), get())
    assert.equal(describeOnly(routes({ operation })).parameters?.[1], {
      name: 'rest',
      in: 'path',
      required: true,
      schema: { type: 'string' },
      'x-multi-segment': true,
    })
  })

  test('a regular expression that matches slashes has an extension', () => {
    const operation = pipe(path('/{rest:.+}'), get())
    assert.is(describeOnly(routes({ operation })).parameters?.[0]?.['x-multi-segment'], true)
  })

  test('optional matrix parameters are in an extension', () => {
    const operation = pipe(path('/a'), get(), matrix({ lang: optional(string), size: list(int) }))
    const described_ = describeOnly(routes({ operation }))
    assert.is(described_.parameters, undefined)
    assert.equal(described_['x-matrix-parameters'], [
      { name: 'lang', in: 'matrix', required: false, style: 'matrix', schema: { type: 'string' } },
      {
        name: 'size',
        in: 'matrix',
        required: false,
        style: 'matrix',
        explode: true,
        schema: { type: 'array', items: integer },
      },
    ])
  })

  const map = routes({ operation: pipe(path('/'), get(), queryMap) })

  test('the map of all query parameters is an object in OpenAPI 3.1', () => {
    assert.equal(describeOnly(map).parameters, [
      {
        name: 'query',
        in: 'query',
        style: 'form',
        explode: true,
        schema: { type: 'object', additionalProperties: { type: 'string' } },
      },
    ])
  })

  test('the map of all query parameters is the query string in OpenAPI 3.2', () => {
    const [parameter] = describeOnly(map, { version: '3.2' }).parameters ?? []
    assert.is(parameter?.in, 'querystring')
    assert.equal(Object.keys(parameter?.content ?? {}), ['application/x-www-form-urlencoded'])
  })

  test('a list of cookies has the style of OpenAPI 3.2', () => {
    const tree = routes({ operation: pipe(path('/'), get(), cookie({ c: list(int) })) })
    assert.is(describeOnly(tree).parameters?.[0]?.style, 'form')
    assert.is(describeOnly(tree, { version: '3.2' }).parameters?.[0]?.style, 'cookie')
  })
})

/** Writes the values 1 and 2 as OpenAPI defines for a style. */
const styles: Readonly<Record<string, string>> = {
  'form true': 'p=1&p=2',
  'form false': 'p=1,2',
  'spaceDelimited false': 'p=1%202',
  'pipeDelimited false': 'p=1%7C2',
  'simple false': '1,2',
  'matrix true': ';p=1;p=2',
  'matrix false': ';p=1,2',
}

const values = json(t.unknown)

/** Creates a tree with one operation, whose type does not matter. */
const treeOf = (operation: AnyNode) =>
  makeRoutes<{}, {}, never>(new Map([['operation', operation]]), [])

const parametersOf = (operation: AnyNode) =>
  describeOnly(makeRoutes<{}, {}, never>(new Map([['operation', operation]]), [])).parameters

describe('the header Idempotency-Key', (test) => {
  const keyed = pipe(path('/'), post(), idempotent())
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Identifies the repetitions of a request. Use a new UUID for each operation.',
    required: true,
    schema: { type: 'string', maxLength: 512 },
  }
  const { required: _, ...optionalKey } = key
  const cases: ReadonlyArray<readonly [title: string, operation: AnyNode, expected: unknown]> = [
    ['is described for an idempotent operation', keyed, [key]],
    [
      'is optional if the operation does not require it',
      pipe(path('/'), post(), idempotent({ required: false })),
      [optionalKey],
    ],
    ['is optional for PUT', pipe(path('/'), put(), idempotent()), [optionalKey]],
    ['is not described for GET', pipe(path('/'), get(), idempotent()), undefined],
    [
      'is described once if it is a parameter',
      pipe(keyed, header({ idempotencyKey: string })),
      [{ name: 'idempotency-key', in: 'header', required: true, schema: { type: 'string' } }],
    ],
  ]
  for (const [title, operation, expected] of cases)
    test(title, () => {
      assert.equal(parametersOf(operation), expected)
    })
})

describe('lists that are written in the described style', (test) => {
  const list_ = { p: list(int) }
  const commas = { p: separated(',')(int) }
  // prettier-ignore
  const trees = [
    treeOf(pipe(path('/'), get(), query(list_), produces(values), handle((input) => input.query.p))),
    treeOf(pipe(path('/'), get(), query(commas), produces(values), handle((input) => input.query.p))),
    treeOf(pipe(path('/'), get(), query({ p: separated(' ')(int) }), produces(values), handle((input) => input.query.p))),
    treeOf(pipe(path('/'), get(), query({ p: separated('|')(int) }), produces(values), handle((input) => input.query.p))),
    treeOf(pipe(path('/'), get(), header(commas), produces(values), handle((input) => input.header.p))),
    treeOf(pipe(path('/'), get(), cookie(commas), produces(values), handle((input) => input.cookie.p))),
    treeOf(pipe(path('/'), get(), matrix(list_), produces(values), handle((input) => input.matrix.p))),
    treeOf(pipe(path('/'), get(), matrix(commas), produces(values), handle((input) => input.matrix.p))),
  ]
  for (const tree of trees) {
    const operation = describeOnly(tree)
    const [parameter] = [
      ...(operation.parameters ?? []),
      ...(operation['x-matrix-parameters'] ?? []),
    ]
    const style = `${parameter?.style} ${parameter?.explode}`
    test(`a ${parameter?.in} parameter with the style ${style} is read`, async () => {
      const text = styles[style] ?? ''
      const send = inMemory(tree)
      const response =
        parameter?.in === 'query'
          ? send(`http://localhost/?${text}`)
          : parameter?.in === 'matrix'
            ? send(`http://localhost/${text}`)
            : send('http://localhost/', {
                headers: parameter?.in === 'cookie' ? { cookie: text } : { p: text },
              })
      assert.equal(await (await response).json(), [1, 2])
    })
  }
})
