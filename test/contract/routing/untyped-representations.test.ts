/** Programs in JavaScript that create representations without codecs. In TypeScript, these are type errors. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as typed from '../../../src/index.ts'
import { xml } from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'
import { issuesOf, pipe, untyped, withoutType } from './untyped.ts'

const { body, entity, get, json, part, path, post, produces, sse } = untyped
const { text } = typed

const a = path('/a')
const Book = t.type({ title: t.string }, 'Book')

/** A title, a program, and a part of the expected issue. */
type Thrown = readonly [title: string, run: () => unknown, issue: string]

/** Functions that create a representation from a value that is not a codec. */
const noCodecs: ReadonlyArray<Thrown> = [
  ['json without a codec', () => json(), 'undefined'],
  ['json of a list of a codec', () => json([Book]), 'an array: declare a list with list(codec)'],
  [
    'json of a record of codecs',
    () => json({ id: t.string }),
    'an object: declare an object with t.type({ … })',
  ],
  ['json of a text', () => json('Book'), 'a string'],
  ['sse of a function', () => sse(json), 'a function: call it, as in json(codec)'],
  ['xml without a codec', () => withoutType(xml)(), 'undefined'],
  [
    'produces of json without a call',
    () => pipe(a, get(), produces(json)),
    'a function: call it, as in json(codec)',
  ],
  ['a body of undefined', () => pipe(a, post(), body(undefined)), 'undefined'],
  ['an entity without a codec', () => entity(1), 'a number'],
]

describe('untyped programs: representations without codecs', (test) => {
  table<Thrown>(test, noCodecs, async (_, run, description) =>
    assert.equal(await issuesOf(run), [
      `FW-MEDIA-003: expected a codec or a representation, got ${description}`,
    ]),
  )
  test('json of a representation', async () =>
    assert.equal(await issuesOf(() => json(text)), [
      'FW-MEDIA-003: expected a codec, got a representation: use its codec',
    ]))
  test('a part of a codec', async () =>
    assert.equal(await issuesOf(() => part(Book)), [
      'FW-MEDIA-003: expected a representation, got the codec Book',
    ]))
})
