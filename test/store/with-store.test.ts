/** The store of an operation: the innermost one that is selected, or else one that the tree shares. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Store } from '../../src/endpoint/definition/store.ts'
import type { ConfigurationIssue } from '../../src/endpoint/definition/configuration-error.ts'
import { ConfigurationError } from '../../src/endpoint/definition/configuration-error.ts'
import { compileTree } from '../../src/compiler/compile.ts'
import { get, handle, inMemoryStore, path, routes, withStore } from '../../src/index.ts'
import type { TreeInput } from '../../src/endpoint/routes.ts'
import { describe, table } from '../support/describe.ts'

const operation = (template: string) =>
  pipe(
    path(template),
    get(),
    handle(() => {}),
  )

const storesOf = (api: TreeInput): ReadonlyArray<Store> => {
  const { plans, storeOf } = compileTree(api)
  return plans.map(({ attributes }) => storeOf(attributes))
}

describe('the store of an operation', (test) => {
  test('is shared by the tree by default, and is not shared between trees', () => {
    const api = routes({ one: operation('/one'), two: operation('/two') })
    const [one, two] = storesOf(api)
    assert.is(one, two)
    assert.is.not(one, storesOf(api)[0])
  })
  test('is the innermost one that withStore selects', () => {
    const [outer, inner, own] = [inMemoryStore(), inMemoryStore(), inMemoryStore()]
    const api = pipe(
      routes({
        one: operation('/one'),
        nested: pipe(
          routes({ two: operation('/two'), three: pipe(operation('/three'), withStore(own)) }),
          withStore(inner),
        ),
      }),
      withStore(outer),
    )
    const selected = storesOf(api)
    assert.equal(
      [outer, inner, own].map((store, index) => store === selected[index]),
      [true, true, true],
    )
  })
  test('cannot be selected twice for one operation', () => {
    const twice = pipe(operation('/one'), withStore(inMemoryStore()), withStore(inMemoryStore()))
    const issues = ((): ReadonlyArray<ConfigurationIssue> => {
      try {
        compileTree(routes({ twice }))
        return []
      } catch (error) {
        return error instanceof ConfigurationError ? error.issues : []
      }
    })()
    assert.equal(
      issues.map(({ code, remedy }) => [code, remedy]),
      [['FW-ROUTE-005', 'withStore is declared twice: keep one']],
    )
  })
})

describe('an invalid store', (test) => {
  const rows: ReadonlyArray<[title: string, store: unknown]> = [
    ['undefined is rejected', undefined],
    ['a function that creates stores is rejected', inMemoryStore],
    ['a store without all methods is rejected', { ...inMemoryStore(), release: undefined }],
  ]
  table(test, rows, (_, store) =>
    assert.throws(
      () => withStore(store as Store),
      /^withStore: invalid store: expected an object with the methods take, acquire, renew, complete, release, got /,
    ),
  )
})
