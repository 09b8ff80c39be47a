/** Defaults that their codec does not accept, which are configuration errors. Some of them are also type errors. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import * as typed from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { clientIssues, issuesOf, pipe, untyped } from '../routing/untyped.ts'

const { body, cookie, get, handle, header, json, list, path, post, query, routes, withDefault } =
  untyped
const { string } = typed

const a = path('/a')
const handled = handle(() => undefined)

/** A title, a function that returns an endpoint, and its issues. */
type Row = readonly [title: string, make: () => unknown, issues: ReadonlyArray<string>]
const rejected: ReadonlyArray<Row> = [
  [
    'a default outside the range of its codec',
    () =>
      pipe(
        a,
        get(),
        query({ page: typed.withDefault(typed.between(1, 9)(typed.int), 20) }),
        handled,
      ),
    [
      'FW-PARAM-002 query parameter "page": invalid default of int from 1 to 9, got a number: use a value that the codec accepts',
    ],
  ],
  [
    'a text as the default of a number',
    () => pipe(a, get(), header({ page: withDefault(typed.int, '1') }), handled),
    [
      'FW-PARAM-002 header parameter "page": invalid default of int, got a string: use a value that the codec accepts',
    ],
  ],
  [
    'a text as the default of an instant in a list',
    () =>
      pipe(
        a,
        get(),
        cookie({ at: list(withDefault(typed.instant, '2000-01-01T00:00:00Z')) }),
        handled,
      ),
    [
      'FW-PARAM-002 cookie parameter "at": invalid default of instant, got a string: use a value that the codec accepts',
    ],
  ],
  [
    'a missing default',
    () => pipe(a, get(), query({ page: withDefault(typed.int) }), handled),
    [
      'FW-PARAM-002 query parameter "page": missing default of int: pass it, as in withDefault(int, 1), or use optional(codec)',
    ],
  ],
]

type Suitable = readonly [title: string, codec: unknown]
const suitable: ReadonlyArray<Suitable> = [
  ['a default', typed.withDefault(typed.between(1, 9)(typed.int), 1)],
  ['an empty list as the default', typed.withDefault(typed.list(typed.int), [])],
  [
    'undefined as the default of an optional value',
    typed.withDefault(typed.optional(typed.int), undefined),
  ],
  ['a default of a schema', typed.withDefault(z.coerce.number(), 1)],
]

describe('defaults that a codec does not accept', (test) => {
  table<Row>(test, rejected, async (_, make, issues) => {
    const tree = routes({ node: make() })
    const expected = issues.map((issue) =>
      issue.replace('FW-PARAM-002', 'FW-PARAM-002 GET /a  (node):'),
    )
    assert.equal(await issuesOf(() => inMemory(tree)), expected)
    assert.equal(await clientIssues(tree), expected)
  })
  test('an invalid default of a member', async () => {
    const tags = withDefault(list(string), 'a')
    const broken = pipe(a, post(), body(json(t.type({ tags }))), handled)
    assert.equal(await issuesOf(() => inMemory(routes({ broken }))), [
      'FW-MEDIA-003 POST /a  (broken): invalid default of list of string, got a string: use a value that the codec accepts',
    ])
  })
  table<Suitable>(test, suitable, async (_, codec) =>
    assert.equal(
      await issuesOf(() => inMemory(routes({ node: pipe(a, get(), query({ codec }), handled) }))),
      [],
    ),
  )
})
