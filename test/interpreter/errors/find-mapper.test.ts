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
import { findMapper } from '../../../src/interpreter/errors/error-mapping.ts'
import { rootScope, nestedScope } from '../../../src/endpoint/tree/tree-scope.ts'
import { describe, table } from '../../support/describe.ts'

class Failed extends Error {}
class Broken extends Failed {}
class Smashed extends Broken {}
abstract class Abstract extends Error {}
class Concrete extends Abstract {}
class Wrapping extends Error {}
class WrappingMore extends Wrapping {}

/** A constructor function, whose prototype can be replaced. */
const Legacy: new () => Error = Object.assign(function () {}, {}) as never
Legacy.prototype = Object.create(Error.prototype) as Error

const tagged = { _tag: 'Missing' } as const
const wrap = (cause: unknown): Error => new Wrapping('', { cause })

type Mapped<X> = (abstract new (...parameters: never) => X) | ((error: unknown) => error is X)

/** Creates a mapper that responds with a name. */
const mapperOf = <X>(name: string, of: Mapped<X>): AnyMapper => mapError(of, () => reply(400, name))
const withPriority = (value: number, mapper: AnyMapper): AnyMapper => pipe(mapper, priority(value))
const isAnything = (_error: unknown): _error is unknown => true
const isMissing = (error: unknown): error is typeof tagged => error === tagged
const hasMessage = (thrown: unknown): thrown is Error => (thrown as Error).message.length > 0
const tagMapper = mapTagged({ Missing: () => reply(400, 'tag') })

/** The mappers of scopes, the innermost scope first. */
type Scopes = ReadonlyArray<ReadonlyArray<AnyMapper>>

const levelsOf = (scopes: Scopes) =>
  scopes.reduceRight(
    (scope, mappers) => nestedScope(scope, [{ _tag: 'Mappers', mappers }]),
    rootScope('/'),
  ).mappers

/** Returns the name of the mapper and the mapped error. The name is `unmapped` for an `HttpError` without a mapper. */
const find = (scopes: Scopes, error: unknown): readonly [name: unknown, error: unknown] => {
  const mapped = findMapper(levelsOf(scopes), error)
  if (mapped === undefined) return [undefined, undefined]
  if (mapped.mapper === undefined) return ['unmapped', mapped.error]
  const { entity } = mapped.mapper.run(mapped.error, undefined as never) as { entity: unknown }
  return [entity, mapped.error]
}

type Row = readonly [name: string, scopes: Scopes, error: unknown, expected: string | undefined]

const errorMapper = mapperOf('Error', Error)
const failedMapper = mapperOf('Failed', Failed)
const brokenMapper = mapperOf('Broken', Broken)

const rows: ReadonlyArray<Row> = [
  ['no mappers', [], new Failed(), undefined],
  ['the class of the error', [[failedMapper]], new Failed(), 'Failed'],
  ['a superclass', [[failedMapper]], new Smashed(), 'Failed'],
  ['a subclass', [[brokenMapper]], new Failed(), undefined],
  ['an abstract class', [[mapperOf('Abstract', Abstract)]], new Concrete(), 'Abstract'],
  ['a constructor function', [[mapperOf('Legacy', Legacy)]], new Legacy(), 'Legacy'],
  ['the closest class', [[errorMapper, brokenMapper, failedMapper]], new Smashed(), 'Broken'],
  ['a string', [[errorMapper]], 'text', undefined],
  ['undefined', [[errorMapper]], undefined, undefined],
  ['null', [[errorMapper, tagMapper]], null, undefined],
  ['an object without a prototype', [[errorMapper]], Object.create(null), undefined],
  ['a guard', [[mapperOf('guard', isMissing)]], tagged, 'guard'],
  ['a guard that returns false', [[mapperOf('guard', isMissing)]], new Error(), undefined],
  ['a guard that accepts any value', [[mapperOf('guard', isAnything)]], undefined, 'guard'],
  [
    'a guard before the closest class',
    [[brokenMapper, mapperOf('guard', isAnything)]],
    new Broken(),
    'guard',
  ],
  ['a tag', [[tagMapper]], tagged, 'tag'],
  ['another tag', [[tagMapper]], { _tag: 'Other' }, undefined],
  [
    'a tag of an error',
    [[tagMapper, failedMapper]],
    Object.assign(new Failed(), { _tag: 'Missing' }),
    'tag',
  ],
  ['the inner scope with a superclass', [[errorMapper], [brokenMapper]], new Broken(), 'Error'],
  [
    'a class of the inner scope before a guard of the outer scope',
    [[errorMapper], [tagMapper]],
    new Error(),
    'Error',
  ],
  [
    'the outer scope if the inner scope has no mapper',
    [[brokenMapper], [failedMapper]],
    new Failed(),
    'Failed',
  ],
  [
    'a lower priority value',
    [[failedMapper, withPriority(4999, mapperOf('4999', Failed))]],
    new Failed(),
    '4999',
  ],
  [
    'a higher priority value',
    [[withPriority(5001, mapperOf('5001', Failed)), failedMapper]],
    new Failed(),
    'Failed',
  ],
  [
    'the first of two equal mappers',
    [[failedMapper, mapperOf('second', Failed)]],
    new Failed(),
    'Failed',
  ],
  [
    'the closer class before the priority',
    [[withPriority(1, failedMapper), brokenMapper]],
    new Broken(),
    'Broken',
  ],
  [
    'a tag with a lower priority value',
    [[tagMapper, withPriority(1, mapTagged({ Missing: () => reply(400, 'first') }))]],
    tagged,
    'first',
  ],
  ['an HttpError by its class', [[mapperOf('404', NotFound)]], new NotFound(), '404'],
  ['an HttpError by its superclass', [[mapperOf('http', HttpError)]], new NotFound(), 'http'],
]

describe('findMapper', (test) => {
  table<Row>(test, rows, (_, scopes, thrown, expected) => {
    assert.equal(find(scopes, thrown), [expected, expected === undefined ? undefined : thrown])
  })

  test('an HttpError with a reply needs no mapper', () => {
    const withReply = new HttpError(reply(402))
    assert.equal(find([[errorMapper]], withReply), ['unmapped', withReply])
  })
  test('throws the error of a guard', () => {
    assert.throws(() => find([[mapperOf('guard', hasMessage)]], undefined), /message/)
  })
})

const cause = new Failed()
const unwrapWhen = (when: 'ifUnmapped' | 'ifNotExact' | 'always'): AnyMapper =>
  unwrap(Wrapping, when)
const wrappingMapper = mapperOf('Wrapping', Wrapping)

type UnwrapRow = readonly [
  name: string,
  scopes: Scopes,
  error: Error,
  expected: 'Failed' | 'Error' | 'Wrapping' | undefined,
]

const [single, nested] = [wrap(cause), wrap(wrap(cause))]
const subclass = new WrappingMore('', { cause })
const unwrapRows: ReadonlyArray<UnwrapRow> = [
  ['no unwrapping rule', [[failedMapper]], single, undefined],
  ['a rule for the class', [[unwrap(Wrapping), failedMapper]], single, 'Failed'],
  ['a rule for a superclass', [[unwrap(Wrapping), failedMapper]], subclass, 'Failed'],
  ['a rule for another class', [[unwrap(Broken), failedMapper]], single, undefined],
  ['two nested causes', [[unwrap(Wrapping), failedMapper]], nested, 'Failed'],
  ['a cause without a mapper', [[unwrap(Wrapping), brokenMapper]], single, undefined],
  ['an error without a cause', [[unwrap(Wrapping), failedMapper]], new Wrapping(), undefined],
  [
    'ifUnmapped with a mapper of its class',
    [[unwrap(Wrapping), failedMapper, wrappingMapper]],
    single,
    'Wrapping',
  ],
  [
    'ifUnmapped with a mapper of a superclass',
    [[unwrap(Wrapping), failedMapper, errorMapper]],
    single,
    'Error',
  ],
  [
    'ifUnmapped with a mapper of an outer scope',
    [[unwrap(Wrapping), failedMapper], [errorMapper]],
    single,
    'Error',
  ],
  [
    'ifNotExact with a mapper of its class',
    [[unwrapWhen('ifNotExact'), failedMapper, wrappingMapper]],
    single,
    'Wrapping',
  ],
  [
    'ifNotExact with a mapper of a superclass',
    [[unwrapWhen('ifNotExact'), failedMapper, errorMapper]],
    single,
    'Failed',
  ],
  [
    'ifNotExact with a mapper of the direct superclass',
    [[unwrapWhen('ifNotExact'), failedMapper, wrappingMapper]],
    subclass,
    'Failed',
  ],
  [
    'ifNotExact with a cause without a mapper',
    [[unwrapWhen('ifNotExact'), brokenMapper, wrappingMapper]],
    subclass,
    'Wrapping',
  ],
  [
    'always with a mapper of its class',
    [[unwrapWhen('always'), failedMapper, wrappingMapper]],
    single,
    'Failed',
  ],
  [
    'always with a cause without a mapper',
    [[unwrapWhen('always'), wrappingMapper]],
    single,
    'Wrapping',
  ],
  [
    'the rule of the closest class',
    [[unwrapWhen('always'), unwrap(WrappingMore), failedMapper, wrappingMapper]],
    subclass,
    'Wrapping',
  ],
  [
    'the rule of the inner scope',
    [[unwrap(Error)], [unwrapWhen('always'), failedMapper, wrappingMapper]],
    single,
    'Wrapping',
  ],
  [
    'the rule with the lower priority value',
    [[unwrap(Wrapping), withPriority(1, unwrapWhen('always')), failedMapper, wrappingMapper]],
    single,
    'Failed',
  ],
]

describe('findMapper with unwrapping rules', (test) => {
  table<UnwrapRow>(test, unwrapRows, (_, scopes, thrown, expected) => {
    const mapped = expected === undefined ? undefined : expected === 'Failed' ? cause : thrown
    const [name, mappedError] = find(scopes, thrown)
    assert.is(name, expected)
    assert.is(mappedError, mapped)
  })

  test('searches a cycle of causes once', () => {
    const [a, b] = [new Wrapping('a'), new Wrapping('b')]
    a.cause = b
    b.cause = a
    assert.equal(find([[unwrapWhen('always'), failedMapper]], a), [undefined, undefined])
    assert.equal(find([[unwrapWhen('always'), wrappingMapper]], a), ['Wrapping', b])
  })
  test('an HttpError as a cause needs no mapper', () => {
    const withoutReply = new HttpError(410)
    assert.equal(find([[unwrap(Wrapping)]], wrap(wrap(withoutReply))), ['unmapped', withoutReply])
    assert.equal(find([[unwrap(Wrapping), mapperOf('http', HttpError)]], wrap(withoutReply)), [
      'http',
      withoutReply,
    ])
  })
  test('an HttpError with a reply as a cause is never mapped', () => {
    const withReply = new HttpError(reply(402))
    const scopes = [[unwrapWhen('always'), mapperOf('http', HttpError), wrappingMapper]]
    assert.equal(find(scopes, wrap(withReply)), ['unmapped', withReply])
  })
  test('an object that is not an error has no cause', () => {
    assert.equal(find([[unwrap(Error), failedMapper]], { cause }), [undefined, undefined])
  })
})
