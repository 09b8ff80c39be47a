/** Which mapper an error finds: as tables. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AnyMapper } from '../../../src/endpoint/mapper.ts'
import {
  HttpError,
  NotFound,
  mapError,
  mapTagged,
  priority,
  reply,
  unwrap,
} from '../../../src/index.ts'
import { findMapper } from '../../../src/interpreter/errors/find-mapper.ts'
import { rootScope, nestedScope } from '../../../src/endpoint/internal/tree-scope.ts'
import { describe, table } from '../../support/describe.ts'

class Failed extends Error {}
class Broken extends Failed {}
class Smashed extends Broken {}
abstract class Abstract extends Error {}
class Concrete extends Abstract {}
class Wrapping extends Error {}
class WrappingMore extends Wrapping {}

/** A function of old: its prototype can be replaced, and it is known by what it extends. */
const Old: new () => Error = Object.assign(function () {}, {}) as never
Old.prototype = Object.create(Error.prototype) as Error

const tagged = { _tag: 'Missing' } as const
const wrapped = (cause: unknown): Error => new Wrapping('', { cause })

type Mapped<X> = (abstract new (...parameters: never) => X) | ((error: unknown) => error is X)

/** A mapper that is known by a name. */
const to = <X>(name: string, of: Mapped<X>): AnyMapper => mapError(of, () => reply(400, name))
const ranked = (number: number, mapper: AnyMapper): AnyMapper => pipe(mapper, priority(number))
const anything = (_error: unknown): _error is unknown => true
const isMissing = (error: unknown): error is typeof tagged => error === tagged
const hasMessage = (thrown: unknown): thrown is Error => (thrown as Error).message.length > 0
const missing = mapTagged({ Missing: () => reply(400, 'tag') })

/** The mappers of trees, the innermost first. */
type Trees = ReadonlyArray<ReadonlyArray<AnyMapper>>

const levelsOf = (trees: Trees) =>
  trees.reduceRight(
    (place, mappers) => nestedScope(place, [{ _tag: 'Mappers', mappers }]),
    rootScope('/'),
  ).mappers

/** What becomes of an error: the name of its mapper, `answered` without one, `undefined` when nothing is found; and of which error. */
const found = (trees: Trees, error: unknown): readonly [name: unknown, error: unknown] => {
  const mapped = findMapper(levelsOf(trees), error)
  if (mapped === undefined) return [undefined, undefined]
  if (mapped.mapper === undefined) return ['answered', mapped.error]
  const { entity } = mapped.mapper.run(mapped.error, undefined as never) as { entity: unknown }
  return [entity, mapped.error]
}

type Row = readonly [name: string, trees: Trees, error: unknown, expected: string | undefined]

const error = to('Error', Error)
const failed = to('Failed', Failed)
const broken = to('Broken', Broken)

const rows: ReadonlyArray<Row> = [
  ['no mappers', [], new Failed(), undefined],
  ['R-392 its own class', [[failed]], new Failed(), 'Failed'],
  ['R-392 a class above', [[failed]], new Smashed(), 'Failed'],
  ['R-392 a class below', [[broken]], new Failed(), undefined],
  ['R-392 an abstract class', [[to('Abstract', Abstract)]], new Concrete(), 'Abstract'],
  ['R-392 a class of old', [[to('Old', Old)]], new Old(), 'Old'],
  ['R-392 the closest class', [[error, broken, failed]], new Smashed(), 'Broken'],
  ['R-392 a value of no class', [[error]], 'text', undefined],
  ['R-392 nothing', [[error]], undefined, undefined],
  ['R-392 null', [[error, missing]], null, undefined],
  ['R-392 an object without a prototype', [[error]], Object.create(null), undefined],
  ['a guard', [[to('guard', isMissing)]], tagged, 'guard'],
  ['a guard that says no', [[to('guard', isMissing)]], new Error(), undefined],
  ['a guard of anything', [[to('guard', anything)]], undefined, 'guard'],
  ['a guard before the closest class', [[broken, to('guard', anything)]], new Broken(), 'guard'],
  ['a tag', [[missing]], tagged, 'tag'],
  ['another tag', [[missing]], { _tag: 'Other' }, undefined],
  [
    'a tag of an error',
    [[missing, failed]],
    Object.assign(new Failed(), { _tag: 'Missing' }),
    'tag',
  ],
  ['R-393 the inner tree, though wider', [[error], [broken]], new Broken(), 'Error'],
  ['R-393 the inner class before the outer guard', [[error], [missing]], new Error(), 'Error'],
  ['R-393 the outer tree for what the inner lacks', [[broken], [failed]], new Failed(), 'Failed'],
  ['R-394 the smaller number', [[failed, ranked(4999, to('4999', Failed))]], new Failed(), '4999'],
  ['R-394 a larger one', [[ranked(5001, to('5001', Failed)), failed]], new Failed(), 'Failed'],
  ['R-394 the first given of equals', [[failed, to('again', Failed)]], new Failed(), 'Failed'],
  ['R-394 the class before the number', [[ranked(1, failed), broken]], new Broken(), 'Broken'],
  [
    'R-394 of tags',
    [[missing, ranked(1, mapTagged({ Missing: () => reply(400, 'first') }))]],
    tagged,
    'first',
  ],
  ['R-386 an error with a status', [[to('404', NotFound)]], new NotFound(), '404'],
  ['R-386 by the class above', [[to('http', HttpError)]], new NotFound(), 'http'],
]

describe('mapperOf', (test) => {
  table<Row>(test, rows, (_, trees, thrown, expected) => {
    assert.equal(found(trees, thrown), [expected, expected === undefined ? undefined : thrown])
  })

  test('R-385 an error with a reply is its own answer', () => {
    const replying = new HttpError(reply(402))
    assert.equal(found([[error]], replying), ['answered', replying])
  })
  test('throws what a guard throws', () => {
    assert.throws(() => found([[to('guard', hasMessage)]], undefined), /message/)
  })
})

const cause = new Failed()
const unwrapping = (when: 'ifUnmapped' | 'ifNotExact' | 'always'): AnyMapper =>
  unwrap(Wrapping, when)
const outer = to('Wrapping', Wrapping)

type UnwrapRow = readonly [
  name: string,
  trees: Trees,
  error: Error,
  expected: 'Failed' | 'Error' | 'Wrapping' | undefined,
]

const [one, two] = [wrapped(cause), wrapped(wrapped(cause))]
const more = new WrappingMore('', { cause })
const unwrapRows: ReadonlyArray<UnwrapRow> = [
  ['a cause is not considered', [[failed]], one, undefined],
  ['unless it is said', [[unwrap(Wrapping), failed]], one, 'Failed'],
  ['of a class above', [[unwrap(Wrapping), failed]], more, 'Failed'],
  ['of another class', [[unwrap(Broken), failed]], one, undefined],
  ['all the way down', [[unwrap(Wrapping), failed]], two, 'Failed'],
  ['to what is not mapped', [[unwrap(Wrapping), broken]], one, undefined],
  ['without a cause', [[unwrap(Wrapping), failed]], new Wrapping(), undefined],
  ['ifUnmapped: its class is mapped', [[unwrap(Wrapping), failed, outer]], one, 'Wrapping'],
  ['ifUnmapped: a class above is', [[unwrap(Wrapping), failed, error]], one, 'Error'],
  ['ifUnmapped: further out', [[unwrap(Wrapping), failed], [error]], one, 'Error'],
  ['ifNotExact: its class is', [[unwrapping('ifNotExact'), failed, outer]], one, 'Wrapping'],
  ['ifNotExact: a class above is', [[unwrapping('ifNotExact'), failed, error]], one, 'Failed'],
  [
    'ifNotExact: the class above it is',
    [[unwrapping('ifNotExact'), failed, outer]],
    more,
    'Failed',
  ],
  ['ifNotExact: its cause is not', [[unwrapping('ifNotExact'), broken, outer]], more, 'Wrapping'],
  ['always: its class is', [[unwrapping('always'), failed, outer]], one, 'Failed'],
  ['always: its cause is not', [[unwrapping('always'), outer]], one, 'Wrapping'],
  [
    'the closest class says when',
    [[unwrapping('always'), unwrap(WrappingMore), failed, outer]],
    more,
    'Wrapping',
  ],
  [
    'the inner tree says when',
    [[unwrap(Error)], [unwrapping('always'), failed, outer]],
    one,
    'Wrapping',
  ],
  [
    'the smaller number says when',
    [[unwrap(Wrapping), ranked(1, unwrapping('always')), failed, outer]],
    one,
    'Failed',
  ],
]

describe('mapperOf: R-398 unwrapping', (test) => {
  table<UnwrapRow>(test, unwrapRows, (_, trees, thrown, expected) => {
    const mapped = expected === undefined ? undefined : expected === 'Failed' ? cause : thrown
    const [name, which] = found(trees, thrown)
    assert.is(name, expected)
    assert.is(which, mapped)
  })

  test('ends where causes go round in a circle', () => {
    const [a, b] = [new Wrapping('a'), new Wrapping('b')]
    a.cause = b
    b.cause = a
    assert.equal(found([[unwrapping('always'), failed]], a), [undefined, undefined])
    assert.equal(found([[unwrapping('always'), outer]], a), ['Wrapping', b])
  })
  test('an error with a status needs no mapper', () => {
    const gone = new HttpError(410)
    assert.equal(found([[unwrap(Wrapping)]], wrapped(wrapped(gone))), ['answered', gone])
    assert.equal(found([[unwrap(Wrapping), to('http', HttpError)]], wrapped(gone)), ['http', gone])
  })
  test('one with a reply has none', () => {
    const replying = new HttpError(reply(402))
    const trees = [[unwrapping('always'), to('http', HttpError), outer]]
    assert.equal(found(trees, wrapped(replying)), ['answered', replying])
  })
  test('what is no error has no cause', () => {
    assert.equal(found([[unwrap(Error), failed]], { cause }), [undefined, undefined])
  })
})
