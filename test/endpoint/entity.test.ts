/** Readers, writers and interceptors as values. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { toEntityScope } from '../../src/endpoint/entity.ts'
import {
  onlyFor,
  onlyOn,
  onlyWhere,
  priority,
  reader,
  readerInterceptor,
  routes,
  withInterceptor,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../src/index.ts'
import * as MediaType from '../../src/http/media-type.ts'
import { describe, table } from '../support/describe.ts'

const Book = t.type({}, 'Book')
const isBook = (): boolean => true
const csv = reader({ mediaType: ['text/csv', 'text/*'], read: () => ({}) })

describe('toEntityScope', (test) => {
  table<readonly [string, Parameters<typeof toEntityScope>[0], unknown]>(
    test,
    [
      ['a codec', Book, { _tag: 'Codec', codec: Book }],
      ['a name', 'Book', { _tag: 'Name', name: 'Book' }],
      ['a predicate', isBook, { _tag: 'Guard', is: isBook }],
      ['nothing', undefined, { _tag: 'Any' }],
    ],
    (_, of, expected) => assert.equal(toEntityScope(of), expected),
  )
})

describe('readers, writers and interceptors', (test) => {
  test('parse their media types', () =>
    assert.equal(csv.mediaTypes.map(MediaType.format), ['text/csv', 'text/*']))
  for (const mediaType of ['csv', '', 'text/', '*/csv'])
    test(`${JSON.stringify(mediaType)} throws a TypeError`, () => {
      assert.throws(() => reader({ mediaType, read: () => 1 }), 'invalid media type')
      assert.throws(() => writer({ mediaType: ['a/b', mediaType], write: () => '' }), TypeError)
    })
  for (const weight of ['text/csv;qs=0.5', 'text/csv;header=present;Q=1'])
    test(`${weight} with a weight throws a TypeError`, () => {
      assert.throws(() => reader({ mediaType: weight, read: () => 1 }), /unsupported weight/)
      assert.throws(() => writer({ mediaType: weight, write: () => '' }), TypeError)
    })
  test('are frozen, also after changes of order and runtime', () => {
    assert.ok(Object.isFrozen(csv))
    assert.ok(Object.isFrozen(csv.mediaTypes))
    assert.ok(Object.isFrozen(onlyOn('client')(csv)))
  })
  test('have an order like filters', () => {
    const ordered = pipe(
      writerInterceptor(() => ''),
      priority(7),
      onlyFor('a', 'b'),
      onlyFor('c'),
      onlyWhere(isBook),
      onlyOn('server'),
    )
    assert.equal([ordered.priority, ordered.names, ordered.runtime], [7, ['a', 'b', 'c'], 'server'])
    assert.type(ordered.appliesTo, 'function')
  })
  test('apply to both sides and to all operations by default', () =>
    assert.equal(
      [csv.runtime, csv.priority, csv.names, csv.appliesTo],
      [undefined, 5000, [], undefined],
    ))
  test('wrap a tree, the last one outermost', () => {
    const write = writer({ mediaType: 'text/csv', write: () => '' })
    const intercept = readerInterceptor((_, proceed) => proceed())
    const api = pipe(routes({}), withReader(csv), withWriter(write), withInterceptor(intercept))
    assert.equal(api.wrappers, [
      { _tag: 'EntityProviders', providers: [intercept] },
      { _tag: 'EntityProviders', providers: [write] },
      { _tag: 'EntityProviders', providers: [csv] },
    ])
  })
})
