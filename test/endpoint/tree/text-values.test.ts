import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { textValues, type TextValues } from '../../../src/endpoint/tree/text-values.ts'
import {
  attempt,
  combined,
  date,
  encoded,
  enumOf,
  fromString,
  int,
  list,
  nullable,
  optional,
  segments,
  separated,
  set,
  strict,
  string,
  uuid,
  withDefault,
} from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'

const Book = t.type({ title: string, due: date }, 'Book')
const Tree: t.Mixed = t.recursion('Tree', () => t.type({ below: t.array(Tree) }))
const Words: t.Mixed = t.recursion('Words', () => t.union([t.string, Words]))
const asText = <C extends t.Mixed>(codec: C): C => Object.assign(codec, { encode: () => 'text' })

const rows: ReadonlyArray<[name: string, codec: t.Mixed, expected: TextValues]> = [
  ['a string', string, 'one'],
  ['an integer', int, 'one'],
  ['a literal', t.literal(1), 'one'],
  ['an enum', enumOf('a', 1), 'one'],
  ['an opaque codec', uuid, 'one'],
  ['an unknown value', t.unknown, 'one'],
  ['a nullable integer', nullable(int), 'one'],
  ['an optional string', optional(string), 'one'],
  ['a union of single values', t.union([int, t.boolean]), 'one'],
  ['a branded string', t.intersection([t.string, t.type({ length: int })]), 'one'],
  ['a recursive union of strings', Words, 'one'],
  ['a list', list(int), 'many'],
  ['a set', set(string), 'many'],
  ['segments', segments(string), 'many'],
  ['a separated list', separated(',')(string), 'many'],
  ['a tuple', t.tuple([string, int]), 'many'],
  ['an optional list', optional(list(int)), 'many'],
  ['a nullable set', nullable(set(int)), 'many'],
  ['a list with a default', withDefault(list(int), []), 'many'],
  ['a combined list', combined(list(int)), 'many'],
  ['an attempt of a list', attempt(list(int)), 'many'],
  ['a union of a string and a list', t.union([string, list(string)]), 'many'],
  ['an object', Book, 'none'],
  ['an object with unchanged members', t.type({ title: t.string }), 'none'],
  ['a partial object', t.partial({ due: date }), 'none'],
  ['an exact object', t.strict({ due: date }), 'none'],
  ['a readonly object', t.readonly(Book), 'none'],
  ['a refined object', t.refinement(Book, () => true), 'none'],
  ['a strict object', strict(Book), 'none'],
  ['an encoded object', encoded(Book), 'none'],
  ['a record', t.record(t.string, date), 'none'],
  ['a record of unchanged values', t.record(t.string, int), 'none'],
  ['any record', t.UnknownRecord, 'none'],
  ['any array', t.UnknownArray, 'none'],
  ['an optional object', optional(Book), 'none'],
  ['a union of a string and an object', t.union([string, Book]), 'none'],
  ['an intersection of objects', t.intersection([Book, t.partial({})]), 'none'],
  ['a recursive object', Tree, 'none'],
  ['a list of objects', list(Book), 'none'],
  ['a list of lists', list(list(int)), 'none'],
  ['an object encoded as text', asText(t.type({ title: string })), 'one'],
  ['a list encoded as text', asText(t.array(string)), 'one'],
  [
    'a codec from text',
    fromString(
      'point',
      (value) => ({ value }),
      ({ value }) => value,
    ),
    'one',
  ],
]

describe('textValues', (test) => {
  table(test, rows, (_, codec, expected) => assert.is(textValues(codec), expected))
})
