/** Spellings of paths that match with `fw.rest.canonical-paths=always`. */
import * as assert from 'uvu/assert'
import { pathMatcher } from '../../../src/interpreter/routing/path-matcher.ts'
import { describe, table } from '../../support/describe.ts'
import { patternFor } from './path-matching.ts'

const templates = [
  '/admin/users',
  '/{section}/users',
  '/a b/{x}',
  '/café',
  '/a|b^[c]%',
  '/v1:read(2)',
  '/user-{id}',
  '/{name}.{extension}/é',
  '/files{rest:.*}',
  '/spaces/{rest}',
  '/cars/{car}/wheels',
  '/',
]

const matcher = pathMatcher(
  templates.map((template) => ({
    template,
    pattern: patternFor(template),
    value: template,
    ...(template.startsWith('/cars/') ? { matrix: new Set(['colour', 'a b']) } : {}),
  })),
  true,
)

type Row = readonly [path: string, template: string | undefined, ...values: ReadonlyArray<string>]

describe('pathMatcher with canonical paths', (test) => {
  table<Row>(
    test,
    [
      ['/admin/users', '/admin/users'],
      ['/admin/users/', '/admin/users'],
      ['/%61dmin/users', undefined], // also not as a value of {section}
      ['/admin/%75sers', undefined],
      ['/%6f/users', '/{section}/users', 'o'],
      ['/admin%2Fusers', undefined],
      ['/admin%2Fx/users', '/{section}/users', 'admin/x'],
      ['/ADMIN/users', '/{section}/users', 'ADMIN'],
      ['//admin/users', undefined],
      ['/./admin/users', undefined],
      ['/x/../admin/users', undefined],
      ['/%2e/users', '/{section}/users', '.'],
      ['/admin;x=1/users', undefined],
      ['/admin;/users', undefined],
      ['/admin/users;', undefined],
      ['/admin;;/users', undefined],
      ['/other;x=1/users', undefined],
      ['/other%3Bx=1/users', '/{section}/users', 'other;x=1'],
      ['/a%20b/1', '/a b/{x}', '1'],
      ['/a%20%62/1', undefined],
      ['/caf%C3%A9', '/café'],
      ['/caf%c3%a9', undefined], // RFC 3986, 6.2.2.1
      ['/%63af%C3%A9', undefined],
      ['/a|b^[c]%', '/a|b^[c]%'],
      ['/a%7Cb%5E%5Bc%5D%25', '/a|b^[c]%'],
      ['/%61|b^[c]%', undefined],
      ['/v1:read(2)', '/v1:read(2)'],
      ['/v1%3Aread(2)', undefined],
      ['/v1:read%282%29', undefined],
      ['/user-1', '/user-{id}', '1'],
      ['/user-%31', '/user-{id}', '1'],
      ['/%75ser-1', undefined],
      ['/user%2D1', undefined],
      ['/user--%2D1', '/user-{id}', '--1'],
      ['/a.b%2Ec/%C3%A9', '/{name}.{extension}/é', 'a', 'b.c'],
      ['/caf%C3%A9.txt/%C3%A9', '/{name}.{extension}/é', 'café', 'txt'],
      ['/a%2Eb/%C3%A9', undefined],
      ['/files/a%20b/c/', '/files{rest:.*}', '/a b/c/'],
      ['/file%73/a', undefined],
      ['/spaces/a%20b/%63', '/spaces/{rest}', 'a b/c'],
      ['/cars/a;colour=red/wheels', '/cars/{car}/wheels', 'a'],
      ['/cars;colour=red/a/wheels;a%20b', '/cars/{car}/wheels', 'a'],
      ['/cars/a;Colour=red/wheels', undefined],
      ['/cars/a;colour=red;x/wheels', undefined],
      ['/cars/a;/wheels', undefined],
      ['/c%61rs/a;colour=red/wheels', undefined],
      ['/', '/'],
      ['/;x', undefined],
    ],
    (path, template, ...values) => {
      const [match] = matcher.match(path)?.matches ?? []
      assert.is(match?.value ?? matcher.findExact(path), template)
      if (values.length > 0)
        assert.equal(
          match?.captures.map(({ text }) => text),
          values,
        )
    },
  )
})
