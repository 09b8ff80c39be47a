import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Conditional } from '../../src/endpoint/condition.ts'
import type { AnyFilter } from '../../src/endpoint/filter.ts'
import type { ConditionTarget } from '../../src/endpoint/when.ts'
import {
  disabledWhen,
  filters,
  get,
  handle,
  mapError,
  mapTagged,
  path,
  preMatching,
  profile,
  property,
  reply,
  requestFilter,
  responseFilter,
  routes,
  unwrap,
  when,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const none = () => undefined
const dev = { _tag: 'When', condition: profile('dev') } as const
const closed = { _tag: 'DisabledWhen', condition: property('closed', 'yes') } as const
const both = <X extends ConditionTarget>(target: X): X =>
  pipe(target, when(profile('dev')), disabledWhen('closed', 'yes'))

describe('when and disabledWhen', (test) => {
  const bare = path('/a')
  test('are kept by a resource and its operations', () => {
    const { definition } = pipe(both(bare), get(), handle(none))
    assert.equal(definition.attributes.conditions, [dev, closed])
    assert.equal(bare.definition.attributes.conditions, [])
  })
  test('keep the handler of an endpoint', () => {
    const handled = pipe(bare, get(), handle(none))
    assert.is(both(handled).run, handled.run)
  })
  test('wrap a tree', () => {
    const tree = routes({})
    assert.equal(both(tree).wrappers, [
      { _tag: 'Attributes', changes: { conditions: [closed] } },
      { _tag: 'Attributes', changes: { conditions: [dev] } },
    ])
    assert.equal(tree.wrappers, [])
  })
  table<readonly [name: string, target: ConditionTarget]>(
    test,
    [
      ['a pre-matching filter', both(preMatching(none))],
      ['a request filter', both(requestFilter(none))],
      ['a response filter', both(responseFilter(none))],
      ['a mapper', both(mapError(Error, () => reply(400)))],
      ['unwrap', both(unwrap(Error))],
    ],
    (_, target) => {
      assert.equal((target as Conditional).conditions, [dev, closed])
      assert.ok(Object.isFrozen(target))
    },
  )
  test('apply to each filter of a combined one', () => {
    const group: AnyFilter = both(filters(requestFilter(none), filters(responseFilter(none))))
    const mappers = both(mapTagged({ A: () => reply(400), B: () => reply(400) }))
    const members = (filter: AnyFilter): ReadonlyArray<Conditional> =>
      filter._tag === 'Filters' ? filter.filters.flatMap(members) : [filter]
    assert.equal(
      members(group).map(({ conditions }) => conditions),
      [
        [dev, closed],
        [dev, closed],
      ],
    )
    assert.equal(
      mappers._tag === 'Mappers' &&
        mappers.mappers.map((mapper) => mapper._tag === 'MapError' && mapper.conditions),
      [
        [dev, closed],
        [dev, closed],
      ],
    )
  })
})
