import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as AcceptQuery from '../../src/http/accept-query.ts'
import * as MediaType from '../../src/http/media-type.ts'
import { describe, table } from '../support/describe.ts'

const formatted = (types: ReadonlyArray<string>): string =>
  AcceptQuery.format(
    types.map((type) => {
      const parsed = O.toUndefined(MediaType.parse(type))
      if (parsed === undefined) throw new Error(`invalid media type: ${type}`)
      return parsed
    }),
  )

describe('Accept-Query (RFC 10008, 3)', (test) => {
  table<readonly [expected: string, types: ReadonlyArray<string>]>(
    test,
    [
      ['', []],
      ['application/json', ['application/json']],
      ['application/jsonpath, application/sql', ['application/jsonpath', 'application/sql']],
      ['application/sql;charset=utf-8', ['application/sql;charset=UTF-8']],
      ['application/vnd.a+json;v="1"', ['application/vnd.a+json;v=1']],
      ['text/*, */*', ['text/*', '*/*']],
      ['"3gpp/query"', ['3gpp/query']],
      ['a/b;c="x y"', ['a/b;c="x y"']],
      ['a/b;c="\\"\\\\"', ['a/b;c="\\"\\\\"']],
      ['a/b;c=d:e/f', ['a/b;c="d:e/f"']],
      ['a/b', ['a/b;c="é"']], // not representable
      ['a/b', ['a/b;!c=d']],
      ['a/b', ['a/b', 'A/B']],
    ],
    (expected, types) => assert.is(formatted(types), expected),
  )
})
