/** The descriptions of responses. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  cache,
  entity,
  fails,
  file,
  get,
  handle,
  inLanguage,
  int,
  json,
  jsonStream,
  list,
  multipartOutput,
  ndjson,
  path,
  post,
  problemWith,
  produces,
  rateLimit,
  repeated,
  responds,
  responseHeader,
  routes,
  sse,
  text,
  withEtag,
  withWriter,
  writer,
} from '../../../src/index.ts'
import { hal, halCollection } from '../../../src/hal.ts'
import { xml } from '../../../src/xml.ts'
import type { AnyRepresentation } from '../../../src/endpoint/representation.ts'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import { inMemory } from '../../../src/testing.ts'
import type { Content } from '../../../src/openapi/openapi-document.ts'
import { describe } from '../../support/describe.ts'
import { checkResponse, describeTree, operationOf, responseOf } from '../document.ts'

const Point = t.type({ x: t.number, y: t.number })
const Book = t.type({ title: t.string }, 'Book')
const point = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: 'number' } },
  required: ['x', 'y'],
}
const binary = (contentMediaType = 'application/octet-stream') => ({
  type: 'string',
  format: 'binary',
  contentMediaType,
})

const sending = (...bodies: ReadonlyArray<AnyRepresentation>): AnyNode =>
  routes({ operation: pipe(path('/'), get(), produces(...bodies)) })

const sentContent = (tree: AnyNode, version: '3.1' | '3.2' = '3.1'): Content => {
  const document = describeTree(tree, { version })
  return responseOf(document, operationOf(document, 'operation'), 200)?.content ?? {}
}

const event = (data: object) => ({
  type: 'object',
  properties: {
    data,
    event: { type: 'string' },
    id: { type: 'string' },
    retry: { type: 'integer', minimum: 0 },
  },
})

describe('streams', (test) => {
  const jsonText = { type: 'string', contentMediaType: 'application/json', contentSchema: point }
  // prettier-ignore
  const rows: ReadonlyArray<readonly [title: string, body: AnyRepresentation, in31: object, in32: object]> = [
    ['a JSON array', jsonStream(Point), { schema: { type: 'array', items: point } }, { schema: { type: 'array', items: point } }],
    ['JSON lines', ndjson(Point), { schema: { type: 'string' }, 'x-item-schema': point }, { itemSchema: point }],
    ['events with JSON', sse(Point), { schema: point, 'x-item-schema': event(jsonText) }, { itemSchema: event(jsonText) }],
    ['events with a representation', sse(json(Point)), { schema: point, 'x-item-schema': event(jsonText) }, { itemSchema: event(jsonText) }],
    ['events with text', sse(t.string), { schema: { type: 'string' }, 'x-item-schema': event({ type: 'string' }) }, { itemSchema: event({ type: 'string' }) }],
  ]
  for (const [title, stream, in31, in32] of rows) {
    test(`${title} in OpenAPI 3.1`, () => {
      assert.equal(Object.values(sentContent(sending(stream))), [in31])
    })
    test(`${title} in OpenAPI 3.2`, () => {
      assert.equal(Object.values(sentContent(sending(stream), '3.2')), [in32])
    })
  }
})

describe('response bodies', (test) => {
  test('a form consists of parts with media types', () => {
    const content = sentContent(
      sending(multipartOutput({ id: int, point: json(Point), pages: repeated(file) })),
    )
    assert.equal(content['multipart/form-data']?.encoding, {
      id: { contentType: 'text/plain' },
      point: { contentType: 'application/json' },
      pages: { contentType: '*/*' },
    })
    assert.equal(content['multipart/form-data']?.schema?.properties?.['pages'], {
      type: 'array',
      items: binary(),
    })
  })

  test('XML and JSON of one codec are described', () => {
    assert.equal(Object.keys(sentContent(sending(json(Book), xml(Book)))), [
      'application/json',
      'application/xml',
    ])
  })

  test('the writers in scope determine the media types of an entity', () => {
    const Csv = writer({ mediaType: 'text/csv', of: Point, write: () => '' })
    const operation = pipe(path('/'), get(), produces(entity(Point)))
    assert.equal(Object.keys(sentContent(pipe(routes({ operation }), withWriter(Csv)))), [
      'text/csv',
      'application/json',
    ])
  })

  test('a Content-Type header replaces the media type', () => {
    const operation = pipe(
      path('/'),
      get(),
      produces(text),
      responseHeader('Content-Type', 'text/markdown;charset=utf-8'),
    )
    assert.equal(Object.keys(sentContent(routes({ operation }))), ['text/markdown'])
  })

  test('a problem document with a named codec of extension members has the members of the framework', async () => {
    const OutOfCredit = t.type({ balance: int }, 'OutOfCredit')
    const tree = routes({
      operation: pipe(
        path('/'),
        post(),
        fails(403, problemWith(OutOfCredit)),
        handle(() => ({ _tag: 'Left' as const, left: { balance: 3 } })),
      ),
    })
    const response = await inMemory(tree)('http://localhost/', { method: 'POST' })
    assert.is(response.status, 403)
    await checkResponse(describeTree(tree), 'operation', response)
  })

  const Author = t.type({ name: t.string }, 'Author')

  test('HAL documents match their descriptions', async () => {
    const tree = routes({
      one: pipe(
        path('/one'),
        get(),
        produces(hal(Author)),
        handle(() => ({ name: 'Ann' })),
      ),
      all: pipe(
        path('/all'),
        get(),
        produces(hal(list(Author), { collection: 'authors' })),
        handle(() => halCollection([{ name: 'Ann' }])),
      ),
    })
    const document = describeTree(tree)
    const send = inMemory(tree)
    await checkResponse(document, 'one', await send('http://localhost/one'))
    await checkResponse(document, 'all', await send('http://localhost/all'))
    assert.equal(Object.keys(document.components?.schemas ?? {}), ['Author', 'HalLinks', 'Problem'])
  })
})

const headersOf = (tree: AnyNode, status: number) => {
  const document = describeTree(tree)
  return Object.keys(
    responseOf(document, operationOf(document, 'operation'), status)?.headers ?? {},
  )
}

describe('response headers', (test) => {
  const base = pipe(path('/'), get())
  // prettier-ignore
  const rows: ReadonlyArray<readonly [title: string, tree: AnyNode, status: number, names: ReadonlyArray<string>]> = [
    ['a fixed header', routes({ operation: pipe(base, produces(text), responseHeader('X-Api', '1')) }), 200, ['X-Api']],
    ['cache', routes({ operation: pipe(base, produces(text), cache({ maxAge: 5 })) }), 200, ['Cache-Control']],
    ['cache of a failure', routes({ operation: pipe(base, produces(text), fails(409, text), cache({ maxAge: 5 })) }), 409, []],
    ['an ETag', routes({ operation: pipe(base, produces(withEtag('strong')(text))) }), 200, ['ETag']],
    ['a language', routes({ operation: pipe(base, produces(inLanguage('en')(text))) }), 200, ['Content-Language']],
    ['a created resource', routes({ operation: pipe(base, responds(201)) }), 201, ['Location']],
    ['a redirection', routes({ operation: pipe(base, responds(303)) }), 303, ['Location']],
    ['too many requests', routes({ operation: pipe(base, fails(429)) }), 429, ['Retry-After']],
    ['a rate limit', routes({ operation: pipe(base, produces(text), rateLimit({ limit: 1, window: '1m' })) }), 200, ['RateLimit-Policy', 'RateLimit']],
    ['a rejection by a rate limit', routes({ operation: pipe(base, produces(text), rateLimit({ limit: 1, window: '1m' })) }), 429, ['Retry-After', 'RateLimit-Policy', 'RateLimit']],
    ['a rate limit without headers', routes({ operation: pipe(base, produces(text), rateLimit({ limit: 1, window: '1m', headers: false })) }), 200, []],
    ['a file', routes({ operation: pipe(base, produces(file)) }), 206, ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition', 'Content-Range']],
  ]
  for (const [title, tree, status, names] of rows)
    test(`${title}: ${names.join(', ') || 'none'}`, () => {
      assert.equal(headersOf(tree, status), names)
    })
})
