/** Tests the selection and order of filters, and the sources of slots. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AnyFilter } from '../../src/endpoint/filter.ts'
import type { AnyNode } from '../../src/endpoint/routes.ts'
import type { AnySlot } from '../../src/endpoint/definition/slot-types.ts'
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
import { rootScope, nestedScope } from '../../src/endpoint/tree/tree-scope.ts'
import { describe, table } from '../support/describe.ts'

type Wrappers = Extract<AnyNode, { readonly _tag: 'Routes' }>['wrappers']

const endpoint = { name: 'a', method: 'GET', template: '/a' }
const Number = slot<number>()('n')
const declaredNeeds: ReadonlyMap<string, AnySlot> = new Map([['local', Number]])
const none: ReadonlyMap<string, AnySlot> = new Map()

const filters = (...several: ReadonlyArray<AnyFilter>): Wrappers => [
  { _tag: 'Filters', filters: several },
]
const values = (n: unknown): Wrappers => [{ _tag: 'Provide', values: { n } }]

const chain = (
  wrappers: Wrappers,
  {
    names = [],
    needs = none,
    matched = true,
  }: { names?: string[]; needs?: typeof none; matched?: boolean } = {},
): FilterChain => {
  const scope = nestedScope(rootScope('/'), wrappers)
  return filterChain(
    { ...scope, attributes: { ...scope.attributes, names } },
    matched ? endpoint : undefined,
    needs,
  )
}

/** The names of filters. */
const filterNames = new Map<AnyFilter['_tag'] | object, string>()
const named = <F extends AnyFilter>(name: string, filter: F): F => {
  filterNames.set(filter, name)
  return filter
}
const request = (name: string, step: (filter: AnyFilter) => AnyFilter = (f) => f): AnyFilter =>
  named(name, step(requestFilter(() => undefined)))
const response = (name: string, step: (filter: AnyFilter) => AnyFilter = (f) => f): AnyFilter =>
  named(name, step(responseFilter(() => undefined)))
const names = (selected: ReadonlyArray<AnyFilter>): string =>
  selected.map((filter) => filterNames.get(filter)).join(' ')
const requests = ({ early, request: others }: FilterChain): string =>
  [early, others].map((steps) => names(steps.map(({ filter }) => filter))).join(' | ')

describe('order of filters', (test) => {
  table<readonly [name: string, wrappers: Wrappers, requests: string, responses: string]>(
    test,
    [
      ['no filters', [], ' | ', ''],
      [
        'equal priorities',
        filters(request('a'), request('b'), response('c'), response('d')),
        ' | a b',
        'd c',
      ],
      [
        'different priorities',
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
        'an early filter with a higher priority',
        filters(request('a', priority(1)), request('b', nonBlocking)),
        'b | a',
        '',
      ],
      [
        'early filters with different priorities',
        filters(
          request('a', nonBlocking),
          request('b', (f) => pipe(f, nonBlocking, priority(1))),
        ),
        'b a | ',
        '',
      ],
    ],
    (_, wrappers, requested, responded) => {
      const created = chain(wrappers)
      assert.is(requests(created), requested)
      assert.is(names(created.response), responded)
    },
  )
  test('pre-matching filters have an order of their own', () => {
    const late = named(
      'late',
      preMatching(() => undefined),
    )
    const early = named(
      'early',
      pipe(
        preMatching(() => undefined),
        priority(1),
      ),
    )
    const created = chain(filters(late, early))
    assert.equal([names(created.preMatching), requests(created)], ['early late', ' | '])
  })
})

describe('filters bound to operations', (test) => {
  const bound = filters(request('a', onlyFor('x')), request('b', onlyFor('x', 'y')))
  table<readonly [name: string, wrappers: Wrappers, names: string[], requests: string]>(
    test,
    [
      ['an operation without a name', bound, [], ' | '],
      ['an operation with one name', bound, ['x'], ' | a'],
      ['an operation with several names', bound, ['y', 'x', 'z'], ' | a b'],
      [
        'onlyWhere with true',
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
        'onlyWhere with false',
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
  test('unmatched requests have no names, and onlyWhere is not called', () => {
    const unreachable = onlyWhere(() => assert.unreachable() ?? true)
    const created = chain(
      filters(response('a', onlyFor('x')), response('b', unreachable), response('c')),
      {
        matched: false,
      },
    )
    assert.is(names(created.response), 'c')
  })
})

/** Returns a provided value, or the index of the step that gives one. */
const describeSource = (
  source: NeedSource | undefined,
  { early, request: others }: FilterChain,
): unknown =>
  source?._tag === 'Given' ? `step ${[...early, ...others].indexOf(source.step)}` : source

describe('sources of slots', (test) => {
  const giving = requestFilter({ gives: { n: Number } }, () => next({ n: 1 }))
  const needing = requestFilter({ needs: { mine: Number } }, () => undefined)
  const sources = (wrappers: Wrappers): unknown => {
    const created = chain(wrappers, { needs: declaredNeeds })
    return created.needs.map(({ local, source }) => [local, describeSource(source, created)])
  }
  const ofFilter = (wrappers: Wrappers): unknown => {
    const created = chain(wrappers)
    return [...created.early, ...created.request].flatMap(({ needs }) =>
      needs.map(({ source }) => describeSource(source, created)),
    )
  }

  table<readonly [name: string, wrappers: Wrappers, source: unknown]>(
    test,
    [
      ['no source', [], undefined],
      ['a provided value', values(1), { _tag: 'Provided', value: 1 }],
      ['a provided undefined', values(undefined), { _tag: 'Provided', value: undefined }],
      ['a filter that gives a value', filters(giving), 'step 0'],
      ['a provided value and an inner filter', [...values(1), ...filters(giving)], 'step 0'],
      [
        'a filter that occurs twice',
        [...filters(giving), ...values(1), ...filters(giving)],
        'step 1',
      ],
      [
        'a filter and an inner provided value',
        [...filters(giving), ...values(1)],
        { _tag: 'Provided', value: 1 },
      ],
      ['a filter bound to other operations', filters(pipe(giving, onlyFor('x'))), undefined],
    ],
    (_, wrappers, source) => assert.equal(sources(wrappers), [['local', source]]),
  )
  table<readonly [name: string, wrappers: Wrappers, sources: unknown]>(
    test,
    [
      ['a need of a filter, given by an outer one', filters(giving, needing), ['step 0']],
      ['a need of a filter, given by an inner one', filters(needing, giving), [undefined]],
      [
        'a need of a filter, given by a later one',
        filters(pipe(giving, priority(6000)), needing),
        [undefined],
      ],
      [
        'a need of an early filter, given by one that is not early',
        filters(giving, pipe(needing, nonBlocking)),
        [undefined],
      ],
      [
        'a need of a filter, given by an early one',
        filters(pipe(giving, nonBlocking), needing),
        ['step 0'],
      ],
      [
        'a need of a filter, provided by an inner scope',
        [...filters(needing), ...values(1)],
        [undefined],
      ],
      [
        'needs of a filter that occurs twice',
        [...values(1), ...filters(needing), ...values(2), ...filters(needing)],
        [
          { _tag: 'Provided', value: 1 },
          { _tag: 'Provided', value: 2 },
        ],
      ],
      [
        'a need of a filter, provided by an outer scope',
        [...values(1), ...filters(needing)],
        [{ _tag: 'Provided', value: 1 }],
      ],
    ],
    (_, wrappers, expected) => assert.equal(ofFilter(wrappers), expected),
  )
})
