import { flow, pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Definition, ParameterGroup } from '../../src/endpoint/endpoint.ts'
import type { Endpoint } from '../../src/index.ts'
import { cookie, get, header, int, matrix, path, query, queryMap, string } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const operation = pipe(path('/books'), get())
const names = ({ parameters }: Definition, group: ParameterGroup): ReadonlyArray<string> => [
  ...parameters[group].keys(),
]
type Declare = (endpoint: typeof operation) => Endpoint<unknown>

describe('parameters', (test) => {
  table<readonly [ParameterGroup, Declare, Declare]>(
    test,
    [
      ['query', query({ a: int }), flow(query({ a: int }), query({ b: string, a: string }))],
      ['header', header({ a: int }), flow(header({ a: int }), header({ b: string, a: string }))],
      ['cookie', cookie({ a: int }), flow(cookie({ a: int }), cookie({ b: string, a: string }))],
      ['matrix', matrix({ a: int }), flow(matrix({ a: int }), matrix({ b: string, a: string }))],
    ],
    (group, once, again) => {
      const { definition } = once(operation)
      assert.equal([...definition.parameters[group]], [['a', int]])
      assert.equal(definition.conflicts, [])
      const contradictory = again(operation).definition
      assert.equal(names(contradictory, group), ['a', 'b'])
      assert.equal(contradictory.conflicts, [`the ${group} parameter "a" is declared twice`])
    },
  )

  test('groups are independent', () => {
    const { definition } = pipe(
      path('/{a}'),
      get(),
      query({ a: int }),
      header({ a: int }),
      cookie({ a: int }),
      matrix({ a: int }),
    )
    const groups = ['path', 'query', 'header', 'cookie', 'matrix', 'form'] as const
    assert.equal(
      groups.map((group) => names(definition, group)),
      [['a'], ['a'], ['a'], ['a'], ['a'], []],
    )
    assert.equal(definition.conflicts, [])
  })

  test('a reusable group can be applied to several endpoints', () => {
    const paging = query({ page: int })
    assert.is(
      paging(operation).definition.parameters.query.get('page'),
      pipe(path('/members'), paging, get()).definition.parameters.query.get('page'),
    )
  })

  test('queryMap keeps the declared query parameters', () => {
    const { definition } = pipe(operation, query({ a: int }), queryMap)
    assert.is(definition.queryMap, true)
    assert.equal(names(definition, 'query'), ['a'])
    assert.is(operation.definition.queryMap, false)
  })
})
