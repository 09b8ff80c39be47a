/** The descriptions of request bodies. */
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
  entity,
  fileBody,
  form,
  formMap,
  int,
  json,
  list,
  multipartInput,
  optional,
  optionalPart,
  part,
  path,
  post,
  rawJson,
  representation,
  routes,
  separated,
  string,
  text,
  textStream,
  upload,
  uploads,
  withReader,
  reader,
} from '../../../src/index.ts'
import type { OptionalC } from '../../../src/codec/optional.ts'
import type { AnyRepresentation } from '../../../src/endpoint/representation.ts'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import { describe } from '../../support/describe.ts'
import { describeOnly } from '../document.ts'

const Point = t.type({ x: t.number, y: t.number })
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

const bodyOf = (codec: typeof int | OptionalC<typeof int>) =>
  describeOnly(routes({ operation: pipe(path('/'), post(), body(codec)) })).requestBody

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

const describeForm = (fields: Parameters<typeof form>[0]) =>
  describeOnly(routes({ operation: pipe(path('/'), post(), form(fields)) })).requestBody

const additional = (fields: Parameters<typeof form>[0]) =>
  describeForm(fields)?.content['multipart/form-data']?.schema?.additionalProperties

describe('forms', (test) => {
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
