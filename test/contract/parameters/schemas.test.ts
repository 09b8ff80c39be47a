/** Schemas of zod, valibot and arktype as parameters, without `fromStandardSchema`. */
import { type } from 'arktype'
import { Effect, Schema, SchemaGetter } from 'effect'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { z } from 'zod'
import type { StandardSchema } from '../../../src/index.ts'
import {
  cookie,
  form,
  get,
  handle,
  header,
  int,
  list,
  matrix,
  optional,
  path,
  post,
  produces,
  query,
  rawJson,
  routes,
  segments,
  withDefault,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import { valueContract } from '../../support/contract.ts'
import { describe, table } from '../../support/describe.ts'
import { inputAsJson, responseTo, testRequests } from '../../support/send-request.ts'

const Sort = z.enum(['title', 'year'])

const api = routes({
  query: pipe(
    path('/query'),
    get(),
    query({
      page: z.coerce.number().int().min(1).default(1),
      tags: z.array(z.string()).optional(),
      years: z.array(z.coerce.number()).default([2000]),
      sort: list(Sort),
      text: v.optional(v.string()),
      mode: type("'full'|'short'").or('undefined'),
      flag: z.stringbool().optional(),
      state: optional(Sort),
      size: withDefault(z.coerce.number(), 20),
      plain: optional(int),
      count: optional(Schema.toStandardSchemaV1(Schema.FiniteFromString)),
    }),
    produces(rawJson),
    handle((input) => inputAsJson(input.query)),
  ),
  required: pipe(
    path('/required'),
    get(),
    query({ id: z.coerce.number(), all: z.array(z.string()).min(1) }),
    produces(rawJson),
    handle((input) => inputAsJson(input.query)),
  ),
  path: pipe(
    path('/books/{id}/{rest:.+}', { id: z.coerce.number(), rest: segments(Sort) }),
    get(),
    produces(rawJson),
    handle((input) => inputAsJson(input.path)),
  ),
  others: pipe(
    path('/others'),
    get(),
    header({ xTrace: z.uuid() }),
    cookie({ theme: v.picklist(['dark', 'light']) }),
    matrix({ lang: type("'en'|'de'") }),
    produces(rawJson),
    handle(({ header: headers, cookie: cookies, matrix: parameters }) =>
      inputAsJson({ ...headers, ...cookies, ...parameters }),
    ),
  ),
  form: pipe(
    path('/form'),
    post(),
    form({ title: z.string().min(1), copies: z.coerce.number().default(1) }),
    produces(rawJson),
    handle((input) => inputAsJson(input.form)),
  ),
})

const defaults = { page: 1, years: [2000], sort: [], size: 20 }
const urlEncoded = { 'Content-Type': 'application/x-www-form-urlencoded' }
const uuid = '00000000-0000-4000-8000-000000000000'

const sendForm = (call: InMemoryCall, content: string) =>
  responseTo(call, 'POST /form', { headers: urlEncoded, body: content })

valueContract('parameters with schemas of libraries', api, (test, call) => {
  testRequests(test, call, [
    ['missing values', 'GET /query', defaults],
    ['a coerced number', 'GET /query?page=3', { ...defaults, page: 3 }],
    ['an invalid number', 'GET /query?page=0', 400],
    ['one value of a list', 'GET /query?tags=a', { ...defaults, tags: ['a'] }],
    ['two values of a list', 'GET /query?tags=a&tags=b', { ...defaults, tags: ['a', 'b'] }],
    ['coerced elements', 'GET /query?years=1&years=2', { ...defaults, years: [1, 2] }],
    ['an invalid element', 'GET /query?years=1&years=x', 400],
    [
      'a list of a schema',
      'GET /query?sort=year&sort=title',
      { ...defaults, sort: ['year', 'title'] },
    ],
    ['an invalid element of a list of a schema', 'GET /query?sort=size', 400],
    ['text of valibot', 'GET /query?text=x', { ...defaults, text: 'x' }],
    ['empty text', 'GET /query?text=', { ...defaults, text: '' }],
    ['an empty number', 'GET /query?page=', defaults],
    ['a literal of arktype', 'GET /query?mode=full', { ...defaults, mode: 'full' }],
    ['another literal', 'GET /query?mode=long', 400],
    ['a number of effect', 'GET /query?count=7', { ...defaults, count: 7 }],
    ['an invalid number of effect', 'GET /query?count=x', 400],
    ['a boolean', 'GET /query?flag=yes', { ...defaults, flag: true }],
    ['an optional schema', 'GET /query?state=year', { ...defaults, state: 'year' }],
    ['a default value', 'GET /query?size=5', { ...defaults, size: 5 }],
    ['a missing required value', 'GET /required?all=a', 400],
    ['a list without values', 'GET /required?id=1', 400],
    ['required values', 'GET /required?id=1&all=a', { id: 1, all: ['a'] }],
    ['path variables', 'GET /books/7/title/year', { id: 7, rest: ['title', 'year'] }],
    ['an invalid path variable', 'GET /books/x/title', 404],
  ])
  test('headers, cookies and matrix parameters', async () => {
    assert.equal(
      await responseTo(call, 'GET /others;lang=de', {
        headers: { 'X-Trace': uuid, Cookie: 'theme=dark' },
      }),
      [200, { xTrace: uuid, theme: 'dark', lang: 'de' }],
    )
  })
  test('form fields', async () => {
    assert.equal(await sendForm(call, 'title=Emma&copies=2'), [200, { title: 'Emma', copies: 2 }])
    const [status] = await sendForm(call, 'title=')
    assert.is(status, 400)
  })
  test('a message does not contain the invalid value', async () => {
    const [, problem] = await responseTo(call, 'GET /query?sort=hunter2&mode=hunter2&state=hunter2')
    assert.not.match(JSON.stringify(problem), 'hunter2')
  })
})

const accepts = (schema: StandardSchema<unknown, unknown>) => {
  const search = pipe(
    path('/'),
    get(),
    query({ q: schema }),
    handle(() => undefined),
  )
  return () => inMemory(routes({ search }))
}

describe('configuration errors of parameters with schemas', (test) => {
  table(
    test,
    [
      [
        'an asynchronous check',
        z.string().refine(async () => true),
        /FW-PARAM-002[^]*the zod schema validates asynchronously, which is supported only in bodies/,
      ],
      [
        'an asynchronous schema',
        v.pipeAsync(
          v.string(),
          v.checkAsync(async () => true),
        ),
        /FW-PARAM-002[^]*the valibot schema validates asynchronously/,
      ],
      [
        'an asynchronous schema of effect',
        Schema.toStandardSchemaV1(
          Schema.String.pipe(
            Schema.decode({
              decode: SchemaGetter.checkEffect(() => Effect.promise(async () => true)),
              encode: SchemaGetter.passthrough(),
            }),
          ),
        ),
        /FW-PARAM-002[^]*the effect schema validates asynchronously/,
      ],
      ['an object', z.object({ a: z.string() }), /FW-PARAM-002[^]*zod cannot be written as text/],
    ] as ReadonlyArray<[string, StandardSchema<unknown, unknown>, RegExp]>,
    (_, schema, message) => assert.throws(accepts(schema), message),
  )
  test('a list in a path variable is rejected', () => {
    const book = pipe(
      path('/{id}', { id: z.array(z.string()) }),
      get(),
      handle(() => undefined),
    )
    assert.throws(() => inMemory(routes({ book })), /FW-PARAM-002[^]*zod has multiple values/)
  })
  test('an asynchronous check that is detected only in a request results in 500', async () => {
    const even = z.string().refine((text) => (text === 'later' ? Promise.resolve(true) : true))
    const response = await accepts(even)()('http://localhost/?q=later')
    assert.is(response.status, 500)
  })
})
