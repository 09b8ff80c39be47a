import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AnyReply } from '../../src/endpoint/reply.ts'
import { isReply, setHeader } from '../../src/endpoint/reply.ts'
import {
  accepted,
  created,
  noContent,
  notAcceptable,
  notFound,
  notModified,
  ok,
  permanentRedirect,
  reply,
  seeOther,
  internalServerError,
  temporaryRedirect,
  withCookie,
  withHeader,
} from '../../src/index.ts'
import { describe, law, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const isTypeError = (error: unknown): boolean => error instanceof TypeError
const location = ['Location', '/books/1']

describe('reply: constructors', (test) => {
  table<readonly [string, AnyReply, number, unknown, ReadonlyArray<string>]>(
    test,
    [
      ['ok', ok('a'), 200, 'a', []],
      ['created', created('/books/1'), 201, undefined, location],
      ['created, with an entity', created('/books/1', 'a'), 201, 'a', location],
      ['accepted', accepted(), 202, undefined, []],
      ['accepted, with an entity', accepted('a'), 202, 'a', []],
      ['noContent', noContent, 204, undefined, []],
      ['seeOther', seeOther('/books/1'), 303, undefined, location],
      ['notModified', notModified, 304, undefined, []],
      ['temporaryRedirect', temporaryRedirect('/books/1'), 307, undefined, location],
      ['permanentRedirect', permanentRedirect('/books/1'), 308, undefined, location],
      ['notFound', notFound(), 404, undefined, []],
      ['notFound, with an entity', notFound('a'), 404, 'a', []],
      ['notAcceptable', notAcceptable(), 406, undefined, []],
      ['notAcceptable, with an entity', notAcceptable('a'), 406, 'a', []],
      ['internalServerError', internalServerError(), 500, undefined, []],
      ['internalServerError, with an entity', internalServerError('a'), 500, 'a', []],
    ],
    (_, answer, status, entity, headers) =>
      assert.equal(answer, { _tag: 'Reply', status, entity, headers }),
  )
})

describe('reply', (test) => {
  table<readonly [string, number]>(
    test,
    [
      ['status: 222', 222],
      ['status: 499', 499],
      ['status: 666', 666],
      ['status: 999', 999],
    ],
    (_, status) => {
      assert.equal(reply(status, 'a'), { _tag: 'Reply', status, entity: 'a', headers: [] })
      assert.equal(reply(status), { _tag: 'Reply', status, entity: undefined, headers: [] })
    },
  )

  test('a relative Location is kept', () => {
    assert.equal(seeOther('../books?page=2#top').headers, ['Location', '../books?page=2#top'])
    assert.equal(created('').headers, ['Location', ''])
  })
  test('a line break in a Location is percent-encoded', () =>
    assert.equal(seeOther('/a\r\nSet-Cookie: a=b').headers, [
      'Location',
      '/a%0D%0ASet-Cookie:%20a=b',
    ]))
})

describe('withHeader', (test) => {
  test('adds headers in order, including duplicates', () =>
    assert.equal(
      pipe(ok('a'), withHeader('X-A', '1'), withHeader('X-B', '2'), withHeader('x-a', '3')).headers,
      ['X-A', '1', 'X-B', '2', 'x-a', '3'],
    ))
  test('returns a new reply', () => {
    const first = ok('a')
    const second = withHeader('X-A', '1')(first)
    assert.equal(first.headers, [])
    assert.equal(second, { ...first, headers: ['X-A', '1'] })
  })
  test('a value may be empty', () =>
    assert.equal(withHeader('X-A', '')(ok('a')).headers, ['X-A', '']))

  table(
    test,
    [
      ['an empty name', '', 'a'],
      ['a name with a space', 'X A', 'a'],
      ['a name with a colon', 'X-A:', 'a'],
      ['a name with a line break', 'X-A\n', 'a'],
      ['a value with a line break', 'X-A', 'a\r\nX-B: c'],
      ['a value with a control character', 'X-A', 'a\0'],
      ['a value outside Latin-1', 'X-A', '…'],
    ] as const,
    (_, name, value) => {
      assert.throws(() => withHeader(name, value)(noContent), isTypeError)
      assert.throws(() => setHeader(name, value)(noContent), isTypeError)
    },
  )
  law(test, 'no value can inject a header', unicodeString, (value) => {
    try {
      const [, sent = ''] = withHeader('X-A', value)(noContent).headers
      assert.not.match(sent, /[\r\n\0]/)
    } catch (error) {
      assert.ok(isTypeError(error))
    }
  })
})

describe('setHeader', (test) => {
  test('replaces all headers with this name, case-insensitively', () =>
    assert.equal(
      pipe(
        ok('a'),
        withHeader('x-a', '1'),
        withHeader('X-B', '2'),
        withHeader('X-A', '3'),
        setHeader('X-a', '4'),
      ).headers,
      ['X-B', '2', 'X-a', '4'],
    ))
  test('a value that equals the name is kept', () =>
    assert.equal(pipe(ok('a'), withHeader('X-B', 'X-A'), setHeader('X-A', '1')).headers, [
      'X-B',
      'X-A',
      'X-A',
      '1',
    ]))
})

describe('withCookie', (test) => {
  test('adds Set-Cookie (RFC 6265) without Version and Comment', () =>
    assert.equal(
      withCookie({
        name: 'id',
        value: 'é',
        path: '/',
        domain: 'library.example',
        maxAge: 60,
        expires: new Date(0),
        httpOnly: true,
        secure: true,
        sameSite: 'lax',
      })(noContent).headers,
      [
        'Set-Cookie',
        'id=%C3%A9; Max-Age=60; Domain=library.example; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
      ],
    ))
  test('each cookie has its own Set-Cookie header', () =>
    assert.equal(
      pipe(noContent, withCookie({ name: 'a', value: '1' }), withCookie({ name: 'a', value: '2' }))
        .headers,
      ['Set-Cookie', 'a=1', 'Set-Cookie', 'a=2'],
    ))
  test('a cookie that browsers would reject throws a TypeError', () =>
    assert.throws(() => withCookie({ name: 'a b', value: '' }), isTypeError))
})

describe('isReply', (test) => {
  table<readonly [string, unknown, boolean]>(
    test,
    [
      ['a reply', reply(200), true],
      ['a reply with headers', withHeader('X-A', 'b')(ok('a')), true],
      ['an entity', { status: 200, entity: 'a' }, false],
      ['a reply that was JSON', JSON.parse(JSON.stringify(ok('a'))), false],
      ['an entity with another tag', { _tag: 'Right', right: ok('a') }, false],
      ['text', 'Reply', false],
      ['undefined', undefined, false],
      ['null', null, false],
    ],
    (_, value, expected) => assert.is(isReply(value), expected),
  )
})
