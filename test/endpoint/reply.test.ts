import * as fc from 'fast-check'
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
  serverError,
  temporaryRedirect,
  withCookie,
  withHeader,
} from '../../src/index.ts'
import { describe, law, table } from '../support/describe.ts'

const isTypeError = (error: unknown): boolean => error instanceof TypeError
const location = ['Location', '/books/1']

describe('reply: R-053, R-056 constructors', (test) => {
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
      ['serverError', serverError(), 500, undefined, []],
      ['serverError, with an entity', serverError('a'), 500, 'a', []],
    ],
    (_, answer, status, entity, headers) =>
      assert.equal(answer, { _tag: 'Reply', status, entity, headers }),
  )
})

describe('reply', (test) => {
  table<readonly [string, number]>(
    test,
    [
      ['R-054 any status: 222', 222],
      ['R-054 any status: 499', 499],
      ['R-054 any status: 666', 666],
      ['R-054 any status: 999', 999],
    ],
    (_, status) => {
      assert.equal(reply(status, 'a'), { _tag: 'Reply', status, entity: 'a', headers: [] })
      assert.equal(reply(status), { _tag: 'Reply', status, entity: undefined, headers: [] })
    },
  )

  test('R-058 a relative Location stays as it is given', () => {
    assert.equal(seeOther('../books?page=2#top').headers, ['Location', '../books?page=2#top'])
    assert.equal(created('').headers, ['Location', ''])
  })
  test('G1, G13: a Location never begins a field of its own', () =>
    assert.equal(seeOther('/a\r\nSet-Cookie: a=b').headers, [
      'Location',
      '/a%0D%0ASet-Cookie:%20a=b',
    ]))
})

describe('withHeader', (test) => {
  test('R-049 adds, also a second one of that name, in the order they were said', () =>
    assert.equal(
      pipe(ok('a'), withHeader('X-A', '1'), withHeader('X-B', '2'), withHeader('x-a', '3')).headers,
      ['X-A', '1', 'X-B', '2', 'x-a', '3'],
    ))
  test('R-052 gives another reply and leaves the first as it was', () => {
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
      ['no name', '', 'a'],
      ['a name with a space', 'X A', 'a'],
      ['a name with a colon', 'X-A:', 'a'],
      ['a name with a line break', 'X-A\n', 'a'],
      ['a value with a line break', 'X-A', 'a\r\nX-B: c'],
      ['a value with a control character', 'X-A', 'a\0'],
      ['G2: a value beyond Latin-1', 'X-A', '…'],
    ] as const,
    (_, name, value) => {
      assert.throws(() => withHeader(name, value)(noContent), isTypeError)
      assert.throws(() => setHeader(name, value)(noContent), isTypeError)
    },
  )
  law(test, 'G1: no value brings a field of its own', fc.string({ unit: 'binary' }), (value) => {
    try {
      const [, sent = ''] = withHeader('X-A', value)(noContent).headers
      assert.not.match(sent, /[\r\n\0]/)
    } catch (error) {
      assert.ok(isTypeError(error))
    }
  })
})

describe('settingHeader', (test) => {
  test('R-049 replaces all of that name, in any case', () =>
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
  test('a value that is a name stays', () =>
    assert.equal(pipe(ok('a'), withHeader('X-B', 'X-A'), setHeader('X-A', '1')).headers, [
      'X-B',
      'X-A',
      'X-A',
      '1',
    ]))
})

describe('withCookie', (test) => {
  test('R-051 adds a Set-Cookie of RFC 6265, without Version and Comment', () =>
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
  test('each cookie has a field of its own', () =>
    assert.equal(
      pipe(noContent, withCookie({ name: 'a', value: '1' }), withCookie({ name: 'a', value: '2' }))
        .headers,
      ['Set-Cookie', 'a=1', 'Set-Cookie', 'a=2'],
    ))
  test('one that user agents would refuse is refused', () =>
    assert.throws(() => withCookie({ name: 'a b', value: '' }), isTypeError))
})

describe('isReply', (test) => {
  table<readonly [string, unknown, boolean]>(
    test,
    [
      ['a reply', reply(200), true],
      ['one with headers', withHeader('X-A', 'b')(ok('a')), true],
      ['an entity', { status: 200, entity: 'a' }, false],
      ['an entity that looks like one', JSON.parse(JSON.stringify(ok('a'))), false],
      ['an entity with another tag', { _tag: 'Right', right: ok('a') }, false],
      ['text', 'Reply', false],
      ['nothing', undefined, false],
      ['null', null, false],
    ],
    (_, value, expected) => assert.is(isReply(value), expected),
  )
})
