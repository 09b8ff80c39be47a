import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { isHttpError } from '../../src/endpoint/http-error.ts'
import {
  BadRequest,
  Conflict,
  Forbidden,
  Gone,
  HttpError,
  InternalServerError,
  NotFound,
  Redirection,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  UnprocessableContent,
  reply,
  withHeader,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const options = { detail: 'for the client', headers: { 'X-A': 'b' }, cause: new Error('why') }

describe('HttpError: subtypes', (test) => {
  table(
    test,
    [
      ['BadRequest', new BadRequest('m', options), 400],
      ['Forbidden', new Forbidden('m', options), 403],
      ['NotFound', new NotFound('m', options), 404],
      ['Conflict', new Conflict('m', options), 409],
      ['Gone', new Gone('m', options), 410],
      ['UnprocessableContent', new UnprocessableContent('m', options), 422],
      ['TooManyRequests', new TooManyRequests('m', options), 429],
      ['InternalServerError', new InternalServerError('m', options), 500],
      ['ServiceUnavailable', new ServiceUnavailable('m', options), 503],
      ['HttpError', new HttpError(418, 'm', options), 418],
    ] as const,
    (name, error, status) => {
      assert.instance(error, HttpError)
      assert.is(error.name, name)
      assert.is(error.status, status)
      assert.is(error.message, 'm')
      assert.is(error.detail, 'for the client')
      assert.is(error.cause, options.cause)
      assert.is(error.reply, undefined)
      assert.equal(error.headers, ['X-A', 'b'])
    },
  )

  test('a class of an application is told by its own name', () => {
    class OutOfStock extends Conflict {}
    assert.is(new OutOfStock().name, 'OutOfStock')
    assert.is(new OutOfStock().status, 409)
  })
})

describe('HttpError', (test) => {
  test('needs nothing but its status', () => {
    const error = new NotFound()
    assert.is(error.message, '')
    assert.is(error.detail, undefined)
    assert.is(error.cause, undefined)
    assert.equal(error.headers, [])
  })
  test('the detail is its message where there is no other', () =>
    assert.is(new NotFound(undefined, { detail: 'no such book' }).message, 'no such book'))
  test('the message is not for the client', () =>
    assert.is(new NotFound('row 7').detail, undefined))
  test('with a reply it is that reply', () => {
    const answer = pipe(reply(402, 'pay'), withHeader('X-A', 'b'))
    const error = new HttpError(answer, 'm')
    assert.is(error.status, 402)
    assert.is(error.reply, answer)
    assert.is(error.message, 'm')
  })
})

describe('Unauthorized', (test) => {
  test('carries the challenge: RFC 9110, 15.5.2', () => {
    const error = new Unauthorized('Basic realm="library"')
    assert.is(error.status, 401)
    assert.equal(error.headers, ['WWW-Authenticate', 'Basic realm="library"'])
  })
  test('beside other fields', () =>
    assert.equal(new Unauthorized('Basic', 'm', options).headers, [
      'X-A',
      'b',
      'WWW-Authenticate',
      'Basic',
    ]))
  test('a header field that cannot be sent is refused where it is made', () => {
    assert.throws(() => new NotFound('m', { headers: { 'X-A': 'b\r\nSet-Cookie: c' } }), /X-A/)
  })
})

describe('Redirection', (test) => {
  table(test, [[301], [302], [303], [307], [308]] as const, (status) => {
    const error = new Redirection(status, '/books/1', 'm')
    assert.is(error.status, status)
    assert.is(error.message, 'm')
    assert.equal(error.reply, withHeader('Location', '/books/1')(reply(status)))
  })
})

describe('isHttpError', (test) => {
  const ofAnotherCopy = Object.assign(new Error('m'), { _tag: 'HttpError', status: 404 })
  table<readonly [string, unknown, boolean]>(
    test,
    [
      ['an HttpError', new HttpError(404), true],
      ['a subtype', new NotFound(), true],
      ['one of another copy of the package', ofAnotherCopy, true],
      ['another error', new Error('m'), false],
      ['another error with a tag', Object.assign(new Error('m'), { _tag: 'Other' }), false],
      ['what only looks like one', { _tag: 'HttpError', status: 404 }, false],
      ['nothing', undefined, false],
      ['null', null, false],
    ],
    (_, value, expected) => assert.is(isHttpError(value), expected),
  )
})
