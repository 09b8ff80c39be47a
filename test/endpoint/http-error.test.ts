import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { isHttpError } from '../../src/endpoint/http-error.ts'
import {
  BadRequest,
  Conflict,
  ContentTooLarge,
  Forbidden,
  Gone,
  HttpError,
  InternalServerError,
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  Redirection,
  RequestTimeout,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  UnprocessableContent,
  UnsupportedMediaType,
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
      ['RequestTimeout', new RequestTimeout('m', options), 408],
      ['Conflict', new Conflict('m', options), 409],
      ['Gone', new Gone('m', options), 410],
      ['ContentTooLarge', new ContentTooLarge('m', options), 413],
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

  test('a subclass has its own name', () => {
    class OutOfStock extends Conflict {}
    assert.is(new OutOfStock().name, 'OutOfStock')
    assert.is(new OutOfStock().status, 409)
  })
})

const shown = { expose: true }

class OutOfStock extends Conflict {
  constructor() {
    super('sold out')
  }
}

describe('HttpError', (test) => {
  test('has the type and the extension members of a problem', () => {
    const problem = { type: 'https://bank.example/credit', extensions: { balance: 30 } }
    const { type, extensions } = new Conflict('m', problem)
    assert.equal({ type, extensions }, problem)
    assert.equal([new Conflict().type, new Conflict().extensions], [undefined, undefined])
  })
  test('has defaults for everything but its status', () => {
    const error = new NotFound()
    assert.is(error.message, '')
    assert.is(error.detail, undefined)
    assert.is(error.cause, undefined)
    assert.equal(error.headers, [])
  })
  test('detail is the default message', () =>
    assert.is(new NotFound(undefined, { detail: 'no such book' }).message, 'no such book'))
  table<readonly [name: string, error: HttpError, detail: string | undefined]>(
    test,
    [
      ['the message of a 4xx error', new NotFound('no such book'), 'no such book'],
      ['the message of an error with status 499', new HttpError(499, 'm'), 'm'],
      ['no message of an error with status 500', new HttpError(500, 'm'), undefined],
      ['no message of a 5xx error', new ServiceUnavailable('m'), undefined],
      ['no empty message', new NotFound(''), undefined],
      ['no message of a cause', new NotFound(undefined, { cause: new Error('m') }), undefined],
      ['no message next to a reply', new HttpError(reply(402, 'pay'), 'm'), undefined],
      ['no message with expose: false', new NotFound('m', { expose: false }), undefined],
      ['the message of a 5xx error with expose: true', new HttpError(503, 'm', shown), 'm'],
      ['the option of a 5xx error', new HttpError(503, 'm', { detail: 'soon' }), 'soon'],
      ['the option with expose: false', new Gone('m', { detail: 'd', expose: false }), 'd'],
      ['the message of a subclass', new OutOfStock(), 'sold out'],
    ],
    (_, { detail }, expected) => assert.is(detail, expected),
  )
  test('has the status of its reply', () => {
    const answer = pipe(reply(402, 'pay'), withHeader('X-A', 'b'))
    const error = new HttpError(answer, 'm')
    assert.is(error.status, 402)
    assert.is(error.reply, answer)
    assert.is(error.message, 'm')
  })
})

describe('Unauthorized', (test) => {
  test('sends the challenge in WWW-Authenticate (RFC 9110, 15.5.2)', () => {
    const error = new Unauthorized('Basic realm="library"')
    assert.is(error.status, 401)
    assert.equal(error.headers, ['WWW-Authenticate', 'Basic realm="library"'])
  })
  test('keeps other headers', () =>
    assert.equal(new Unauthorized('Basic', 'm', options).headers, [
      'X-A',
      'b',
      'WWW-Authenticate',
      'Basic',
    ]))
  test('an invalid header throws a TypeError in the constructor', () => {
    assert.throws(() => new NotFound('m', { headers: { 'X-A': 'b\r\nSet-Cookie: c' } }), /X-A/)
  })
})

type Fields = ReadonlyArray<string>

describe('HttpError: supported values', (test) => {
  table<readonly [name: string, error: HttpError, supported: Fields, headers: Fields]>(
    test,
    [
      ['405', new MethodNotAllowed(['GET', 'PUT']), ['GET', 'PUT'], ['Allow', 'GET, PUT']],
      ['405 without methods (RFC 9110, 10.2.1)', new MethodNotAllowed([]), [], ['Allow', '']],
      ['406', new NotAcceptable(['a/b']), ['a/b'], ['Vary', 'Accept']],
      ['406 without media types', new NotAcceptable(), [], ['Vary', 'Accept']],
      ['415', new UnsupportedMediaType(['a/b', 'a/c']), ['a/b', 'a/c'], ['Accept', 'a/b, a/c']],
      ['415 for a charset', new UnsupportedMediaType(['utf-8']), ['utf-8'], []],
      ['415 without media types', new UnsupportedMediaType(), [], []],
      [
        '415 with a custom Accept',
        new UnsupportedMediaType(['a/b'], 'm', { headers: { Accept: 'a/*' } }),
        ['a/b'],
        ['Accept', 'a/*'],
      ],
      ['another error', new Conflict(), [], []],
    ],
    (_, error, supported, headers) => {
      assert.equal(error.supported, supported)
      assert.equal(error.headers, headers)
    },
  )
  test('MethodNotAllowed exposes its methods as allow', () =>
    assert.equal(new MethodNotAllowed(['GET']).allow, ['GET']))
})

describe('HttpError: validation errors', (test) => {
  const errors = [{ in: 'query', name: 'n', detail: 'must be an integer' }] as const
  test('every class accepts validation errors', () => {
    const error = new UnprocessableContent('m', { errors, truncated: true })
    assert.equal([error.errors, error.truncated], [errors, true])
  })
  test('validation errors are empty by default', () => {
    const { errors: none, truncated } = new UnprocessableContent()
    assert.equal([none, truncated], [[], false])
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
      ['an HttpError of another copy of the package', ofAnotherCopy, true],
      ['another error', new Error('m'), false],
      ['another error with a tag', Object.assign(new Error('m'), { _tag: 'Other' }), false],
      ['an object with the same tag', { _tag: 'HttpError', status: 404 }, false],
      ['undefined', undefined, false],
      ['null', null, false],
    ],
    (_, value, expected) => assert.is(isHttpError(value), expected),
  )
})
