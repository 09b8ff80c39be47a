/** Which filters an operation meets, in which order, and what fills its slots. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AnyFilter } from '../../src/endpoint/filter.ts'
import type { AnyNode } from '../../src/endpoint/routes.ts'
import type { AnySlot } from '../../src/endpoint/internal/slot-types.ts'
import {
  next,
  nonBlocking,
  onlyFor,
  onlyWhere,
  preMatching,
  priority,
  requestFilter,
  responseFilter,
  slot,
} from '../../src/index.ts'
import type { FilterChain, NeedSource } from '../../src/compiler/filter-chain.ts'
import { filterChain } from '../../src/compiler/filter-chain.ts'
import { rootScope, nestedScope } from '../../src/endpoint/internal/tree-scope.ts'
import { describe, table } from '../support/describe.ts'

type Wraps = Extract<AnyNode, { readonly _tag: 'Routes' }>['wrappers']

const endpoint = { name: 'a', method: 'GET', template: '/a' }
const Number = slot<number>()('n')
const asks: ReadonlyMap<string, AnySlot> = new Map([['local', Number]])
const none: ReadonlyMap<string, AnySlot> = new Map()

const filters = (...several: ReadonlyArray<AnyFilter>): Wraps => [
  { _tag: 'Filters', filters: several },
]
const values = (n: unknown): Wraps => [{ _tag: 'Provide', values: { n } }]

const chain = (
  wrappers: Wraps,
  {
    names = [],
    needs = none,
    matched = true,
  }: { names?: string[]; needs?: typeof none; matched?: boolean } = {},
): FilterChain => {
  const place = nestedScope(rootScope('/'), wrappers)
  return filterChain(
    { ...place, attributes: { ...place.attributes, names } },
    matched ? endpoint : undefined,
    needs,
  )
}

/** Filters that are told apart by what they are called. */
const known = new Map<AnyFilter['_tag'] | object, string>()
const called = <F extends AnyFilter>(name: string, filter: F): F => {
  known.set(filter, name)
  return filter
}
const request = (name: string, step: (filter: AnyFilter) => AnyFilter = (f) => f): AnyFilter =>
  called(name, step(requestFilter(() => undefined)))
const response = (name: string, step: (filter: AnyFilter) => AnyFilter = (f) => f): AnyFilter =>
  called(name, step(responseFilter(() => undefined)))
const names = (met: ReadonlyArray<AnyFilter>): string => met.map((one) => known.get(one)).join(' ')
const requests = ({ early, request: usual }: FilterChain): string =>
  [early, usual].map((steps) => names(steps.map(({ filter }) => filter))).join(' | ')

describe('chainOf: the order', (test) => {
  table<readonly [name: string, wrappers: Wraps, requests: string, responses: string]>(
    test,
    [
      ['nothing', [], ' | ', ''],
      [
        'as given, and back the other way',
        filters(request('a'), request('b'), response('c'), response('d')),
        ' | a b',
        'd c',
      ],
      [
        'by ascending priority',
        filters(
          request('a'),
          request('b', priority(4999)),
          response('c'),
          response('d', priority(1)),
        ),
        ' | b a',
        'c d',
      ],
      [
        'early ones first, whatever their number',
        filters(request('a', priority(1)), request('b', nonBlocking)),
        'b | a',
        '',
      ],
      [
        'among early ones by number',
        filters(
          request('a', nonBlocking),
          request('b', (f) => pipe(f, nonBlocking, priority(1))),
        ),
        'b a | ',
        '',
      ],
    ],
    (_, wrappers, requested, responded) => {
      const made = chain(wrappers)
      assert.is(requests(made), requested)
      assert.is(names(made.response), responded)
    },
  )
  test('those before matching stand by themselves', () => {
    const late = called(
      'late',
      preMatching(() => undefined),
    )
    const early = called(
      'early',
      pipe(
        preMatching(() => undefined),
        priority(1),
      ),
    )
    const made = chain(filters(late, early))
    assert.equal([names(made.preMatching), requests(made)], ['early late', ' | '])
  })
})

describe('chainOf: for whom', (test) => {
  const bound = filters(request('a', onlyFor('x')), request('b', onlyFor('x', 'y')))
  table<readonly [name: string, wrappers: Wraps, names: string[], requests: string]>(
    test,
    [
      ['no name', bound, [], ' | '],
      ['one of two', bound, ['x'], ' | a'],
      ['all of them', bound, ['y', 'x', 'z'], ' | a b'],
      [
        'a function says yes',
        filters(
          request(
            'a',
            onlyWhere(({ name }) => name === 'a'),
          ),
        ),
        [],
        ' | a',
      ],
      [
        'a function says no',
        filters(
          request(
            'a',
            onlyWhere(() => false),
          ),
        ),
        [],
        ' | ',
      ],
    ],
    (_, wrappers, bindings, expected) =>
      assert.is(requests(chain(wrappers, { names: bindings })), expected),
  )
  test('what matches nothing has no name, and no function is asked about it', () => {
    const asked = onlyWhere(() => assert.unreachable() ?? true)
    const made = chain(filters(response('a', onlyFor('x')), response('b', asked), response('c')), {
      matched: false,
    })
    assert.is(names(made.response), 'c')
  })
})

/** A value, or which of the steps gives one. */
const told = (source: NeedSource | undefined, { early, request: usual }: FilterChain): unknown =>
  source?._tag === 'Given' ? `step ${[...early, ...usual].indexOf(source.step)}` : source

describe('chainOf: what fills a slot', (test) => {
  const giving = requestFilter({ gives: { n: Number } }, () => next({ n: 1 }))
  const asking = requestFilter({ needs: { mine: Number } }, () => undefined)
  const sources = (wrappers: Wraps): unknown => {
    const made = chain(wrappers, { needs: asks })
    return made.needs.map(({ local, source }) => [local, told(source, made)])
  }
  const ofFilter = (wrappers: Wraps): unknown => {
    const made = chain(wrappers)
    return [...made.early, ...made.request].flatMap(({ needs }) =>
      needs.map(({ source }) => told(source, made)),
    )
  }

  table<readonly [name: string, wrappers: Wraps, source: unknown]>(
    test,
    [
      ['nothing', [], undefined],
      ['a value', values(1), { _tag: 'Provided', value: 1 }],
      ['a value that is undefined', values(undefined), { _tag: 'Provided', value: undefined }],
      ['a filter', filters(giving), 'step 0'],
      ['the nearest of two', [...values(1), ...filters(giving)], 'step 0'],
      [
        'the nearest of one that stands there twice',
        [...filters(giving), ...values(1), ...filters(giving)],
        'step 1',
      ],
      ['which may be a value', [...filters(giving), ...values(1)], { _tag: 'Provided', value: 1 }],
      ['not a filter for others', filters(pipe(giving, onlyFor('x'))), undefined],
    ],
    (_, wrappers, source) => assert.equal(sources(wrappers), [['local', source]]),
  )
  table<readonly [name: string, wrappers: Wraps, sources: unknown]>(
    test,
    [
      ['a filter needs what one further out gives', filters(giving, asking), ['step 0']],
      ['not what one further in gives', filters(asking, giving), [undefined]],
      ['not what runs later', filters(pipe(giving, priority(6000)), asking), [undefined]],
      [
        'R-321: nor what runs behind early ones',
        filters(giving, pipe(asking, nonBlocking)),
        [undefined],
      ],
      ['what an early one gives', filters(pipe(giving, nonBlocking), asking), ['step 0']],
      ['nor a value further in', [...filters(asking), ...values(1)], [undefined]],
      [
        'each of one that stands there twice has what is further out',
        [...values(1), ...filters(asking), ...values(2), ...filters(asking)],
        [
          { _tag: 'Provided', value: 1 },
          { _tag: 'Provided', value: 2 },
        ],
      ],
      ['but one further out', [...values(1), ...filters(asking)], [{ _tag: 'Provided', value: 1 }]],
    ],
    (_, wrappers, expected) => assert.equal(ofFilter(wrappers), expected),
  )
})
