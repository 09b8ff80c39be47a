/** The descriptions of request and response bodies. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  allFields,
  allUploads,
  as,
  body,
  byteStream,
  bytes,
  cache,
  entity,
  fails,
  file,
  fileBody,
  form,
  formMap,
  get,
  handle,
  inLanguage,
  int,
  json,
  jsonStream,
  list,
  multipartInput,
  multipartOutput,
  ndjson,
  optional,
  optionalPart,
  part,
  path,
  post,
  problemWith,
  produces,
  rawJson,
  repeated,
  representation,
  responds,
  responseHeader,
  routes,
  separated,
  sse,
  string,
  text,
  textStream,
  upload,
  uploads,
  withEtag,
  withReader,
  withWriter,
  reader,
  writer,
} from '../../../src/index.ts'
import { hal, halCollection } from '../../../src/hal.ts'
import { xml } from '../../../src/xml.ts'
import type { AnyRepresentation } from '../../../src/endpoint/representation.ts'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import { inMemory } from '../../../src/testing.ts'
import type { Content } from '../../../src/openapi/openapi-document.ts'
import { describe } from '../../support/describe.ts'
import { checkResponse, describeOnly, describeTree, operationOf, responseOf } from '../document.ts'

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

const receiving = (...bodies: ReadonlyArray<AnyRepresentation>): AnyNode =>
  routes({ operation: pipe(path('/'), post(), body(...bodies)) })

const sending = (...bodies: ReadonlyArray<AnyRepresentation>): AnyNode =>
  routes({ operation: pipe(path('/'), get(), produces(...bodies)) })

const sentContent = (tree: AnyNode, version: '3.1' | '3.2' = '3.1'): Content => {
  const document = describeTree(tree, { version })
  return responseOf(document, operationOf(document, 'operation'), 200)?.content ?? {}
}

describe('request bodies', (test) => {
  // prettier-ignore
  const rows: ReadonlyArray<readonly [title: string, body: AnyRepresentation, content: object, isRequired: boolean]> = [
    ['JSON', json(Point), { 'application/json': { schema: point } }, true],
    ['JSON of a vendor', as('application/vnd.point+json')(json(Point)), { 'application/vnd.point+json': { schema: point } }, true],
    ['unparsed JSON', rawJson, { 'application/json': { schema: {} } }, false],
    ['text', text, { 'text/plain': { schema: { type: 'string' } } }, false],
    ['text in a charset', as('text/plain;charset=iso-8859-1')(text), { 'text/plain': { schema: { type: 'string' } } }, false],
    ['bytes', bytes, { 'application/octet-stream': { schema: binary() } }, false],
    ['images', as('image/*')(bytes), { 'image/*': { schema: binary() } }, false],
    ['PNG images', as('image/png')(bytes), { 'image/png': { schema: binary('image/png') } }, false],
    ['a stream of bytes', byteStream, { 'application/octet-stream': { schema: binary() } }, false],
    ['a stream of text', textStream, { 'text/plain': { schema: { type: 'string' } } }, false],
    ['a file', fileBody, { '*/*': { schema: binary() } }, false],
    ['a map of form fields', formMap, { 'application/x-www-form-urlencoded': { schema: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } } } }, false],
    ['undeclared parts', multipartInput, { 'multipart/form-data': { schema: { type: 'object' } } }, true],
    ['a format of the application', representation({ mediaType: 'text/csv', read: String }), { 'text/csv': { schema: { type: 'string' } } }, true],
    ['a binary format of the application', representation({ mediaType: 'application/pdf', read: String }), { 'application/pdf': { schema: binary('application/pdf') } }, true],
  ]
  for (const [title, received, content, isRequired] of rows)
    test(`${title}: ${Object.keys(content).join()}, ${isRequired ? 'required' : 'optional'}`, () => {
      assert.equal(describeOnly(receiving(received)).requestBody, {
        content,
        ...(isRequired ? { required: true } : {}),
      })
    })

  test('a number as text is required, an optional one is not', () => {
    const bodyOf = (codec: typeof int | ReturnType<typeof optional<typeof int>>) =>
      describeOnly(routes({ operation: pipe(path('/'), post(), body(codec)) })).requestBody
    assert.is(bodyOf(int)?.required, true)
    assert.is(bodyOf(optional(int))?.required, undefined)
  })

  test('undeclared members are rejected if the settings say so', () => {
    const settings = { 'fw.rest.jsonlib.fail-on-unknown-properties': true }
    const { requestBody } = describeOnly(receiving(json(Point)), { settings })
    assert.is(requestBody?.content['application/json']?.schema?.additionalProperties, false)
  })

  test('the readers in scope determine the media types of an entity', () => {
    const Csv = reader({ mediaType: 'text/csv', of: Point, read: () => ({ x: 1, y: 2 }) })
    const operation = pipe(path('/'), post(), body(entity(Point)))
    const { requestBody } = describeOnly(pipe(routes({ operation }), withReader(Csv)))
    assert.equal(requestBody?.content, {
      'text/csv': { schema: { type: 'string' } },
      'application/json': { schema: point },
    })
  })
})

describe('forms', (test) => {
  const describeForm = (fields: Parameters<typeof form>[0]) =>
    describeOnly(routes({ operation: pipe(path('/'), post(), form(fields)) })).requestBody

  test('fields are sent in both formats', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        ids: { type: 'array', items: { type: 'boolean' } },
      },
      required: ['name'],
    }
    const encoding = { ids: { style: 'form', explode: false } }
    assert.equal(
      describeForm({ name: string, tags: list(string), ids: separated(',')(t.boolean) }),
      {
        content: {
          'application/x-www-form-urlencoded': { schema, encoding },
          'multipart/form-data': { schema, encoding },
        },
        required: true,
      },
    )
  })

  test('a form of optional fields is optional', () => {
    assert.is(describeForm({ name: optional(string) })?.required, undefined)
  })

  test('files and structured parts have encodings', () => {
    const described = describeForm({
      cover: upload,
      pages: uploads,
      note: optionalPart(upload),
      point: part(json(Point)),
    })
    assert.equal(described?.content, {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            cover: binary(),
            pages: { type: 'array', items: binary() },
            note: binary(),
            point,
          },
          required: ['cover', 'point'],
        },
        encoding: {
          cover: { contentType: '*/*' },
          pages: { contentType: '*/*' },
          note: { contentType: '*/*' },
          point: { contentType: 'application/json' },
        },
      },
    })
  })

  test('undeclared fields and files are additional properties', () => {
    const additional = (fields: Parameters<typeof form>[0]) =>
      describeForm(fields)?.content['multipart/form-data']?.schema?.additionalProperties
    const [texts, files] = [
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: binary() },
    ]
    assert.equal(additional({ all: allFields }), texts)
    assert.equal(additional({ all: allUploads }), files)
    assert.equal(additional({ all: allFields, files: allUploads }), { anyOf: [texts, files] })
    assert.is(additional({ a: string }), undefined)
  })
})

describe('streams', (test) => {
  const event = (data: object) => ({
    type: 'object',
    properties: {
      data,
      event: { type: 'string' },
      id: { type: 'string' },
      retry: { type: 'integer', minimum: 0 },
    },
  })
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

  test('a problem document with extension members has the members of the framework', async () => {
    const OutOfCredit = t.type({ balance: int })
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

describe('response headers', (test) => {
  const headersOf = (tree: AnyNode, status: number) => {
    const document = describeTree(tree)
    return Object.keys(
      responseOf(document, operationOf(document, 'operation'), status)?.headers ?? {},
    )
  }
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
    ['a file', routes({ operation: pipe(base, produces(file)) }), 206, ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition', 'Content-Range']],
  ]
  for (const [title, tree, status, names] of rows)
    test(`${title}: ${names.join(', ') || 'none'}`, () => {
      assert.equal(headersOf(tree, status), names)
    })
})
