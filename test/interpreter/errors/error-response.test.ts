import { testContext } from '../../../src/testing.ts'
import * as assert from 'uvu/assert'
import { isHttpError } from '../../../src/endpoint/http-error.ts'
import * as E from '../../../src/endpoint/http-error.ts'
import type { RequestFailure } from '../../../src/http/failure.ts'
import {
  failureError,
  httpErrorResponse,
  encodeFailure,
  encodeProblem,
} from '../../../src/interpreter/errors/error-response.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { undeclaredEncoder } from '../../../src/interpreter/response/encode-response.ts'
import type { Exchange } from '../../../src/interpreter/exchange.ts'
import { describe, table } from '../../support/describe.ts'

const errors = [{ in: 'query', name: 'n', detail: 'is required and must be an integer' }] as const

type Row = readonly [
  failure: RequestFailure,
  expectedClass: abstract new (...parameters: never) => E.HttpError,
]

const rows: ReadonlyArray<Row> = [
  [{ _tag: 'MalformedRequest', detail: 'a' }, E.BadRequest],
  [{ _tag: 'InvalidInput', errors, more: false }, E.BadRequest],
  [{ _tag: 'InvalidInput', errors, more: true }, E.BadRequest],
  [{ _tag: 'NotFound', errors: [], more: false }, E.NotFound],
  [{ _tag: 'NotFound', errors, more: true }, E.NotFound],
  [{ _tag: 'MissingContentType', supported: ['a/b', 'a/c'] }, E.BadRequest],
  [{ _tag: 'MethodNotAllowed', allow: ['GET', 'HEAD'] }, E.MethodNotAllowed],
  [
    { _tag: 'MethodNotAllowed', allow: ['GET', 'QUERY'], queryTypes: ['a/b', 'a/c'] },
    E.MethodNotAllowed,
  ],
  [{ _tag: 'NotAcceptable', available: ['text/plain'] }, E.NotAcceptable],
  [{ _tag: 'RequestTimeout' }, E.RequestTimeout],
  [{ _tag: 'ContentTooLarge', detail: 'a' }, E.ContentTooLarge],
  [{ _tag: 'UriTooLong' }, E.HttpError],
  [
    { _tag: 'UnsupportedMediaType', detail: 'a', supported: ['a/b', 'a/c'] },
    E.UnsupportedMediaType,
  ],
  [{ _tag: 'UnsupportedMediaType', detail: 'a', supported: ['utf-8'] }, E.UnsupportedMediaType],
  [{ _tag: 'UnsupportedContentCoding' }, E.UnsupportedMediaType],
  [{ _tag: 'ExpectationFailed' }, E.HttpError],
  [{ _tag: 'HeaderFieldsTooLarge' }, E.HttpError],
  [{ _tag: 'InternalError' }, E.InternalServerError],
  [{ _tag: 'MethodNotImplemented' }, E.HttpError],
  [{ _tag: 'TransferCodingNotImplemented' }, E.HttpError],
  [{ _tag: 'ServiceUnavailable' }, E.ServiceUnavailable],
  [{ _tag: 'VersionNotSupported' }, E.HttpError],
]

const id = '00000000-0000-4000-8000-000000000000'

/** Returns the headers as sorted lines. */
const sortedLines = (headers: ReadonlyArray<string>): ReadonlyArray<string> =>
  headers
    .flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []))
    .toSorted()

describe('failureError', (test) => {
  table<Row>(test, rows, (failure, expectedClass) => {
    const error = failureError(failure, 'POST')
    assert.is(error.constructor, expectedClass)
    assert.ok(isHttpError(error))
    assert.ok(error.message.length > 0, 'error without a message')
  })
  for (const method of ['GET', 'POST', 'PATCH'])
    for (const [failure] of rows)
      test(`has the response of its failure for ${method}: ${JSON.stringify(failure)}`, () => {
        const request: Pick<Exchange, 'method' | 'headers'> = { method, headers: [] }
        const expected = encodeFailure(failure, request, id)
        const actual = encodeProblem(id, undeclaredEncoder(defaultSettings))(
          httpErrorResponse(failureError(failure, method)),
          {
            exchange: request as Exchange,
            authenticated: undefined,
            context: testContext(),
            instance: '#1',
            prefixValues: {},
          },
        )
        if ('then' in actual) assert.unreachable('asynchronous response')
        else
          assert.equal(
            { ...actual, headers: sortedLines(actual.headers) },
            { ...expected, headers: sortedLines(expected.headers) },
          )
      })

  test('has no stack trace and does not change those of other errors', () => {
    const limit = Error.stackTraceLimit
    assert.is(failureError({ _tag: 'RequestTimeout' }, 'GET').stack?.includes('\n'), false)
    assert.is(Error.stackTraceLimit, limit)
    assert.match(new Error('a').stack ?? '', /\n +at /)
  })
  test('is created if stackTraceLimit is read-only', () => {
    const before = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')
    Object.defineProperty(Error, 'stackTraceLimit', { value: 1, writable: false })
    try {
      assert.is(failureError({ _tag: 'RequestTimeout' }, 'GET').status, 408)
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', before ?? {})
    }
  })
})
