/** `csrf`: its options, and the operations to which it applies. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { compileTree } from '../../src/compiler/compile.ts'
import { treeDescription } from '../../src/compiler/route-description.ts'
import type { CsrfOptions } from '../../src/index.ts'
import { blocking, csrf, handle, method, path, routes, withFilter } from '../../src/index.ts'
import { defaultSettings } from '../../src/compiler/settings/settings.ts'
import { describe, table } from '../support/describe.ts'
import { describeTree, operationOf, responseOf } from '../openapi/document.ts'

describe('csrf, invalid options', (test) => {
  table<readonly [string, CsrfOptions, RegExp]>(
    test,
    [
      ['the origin null', { origins: ['null'] }, /^csrf: invalid origin 'null': pages of every/],
      ['a trailing slash', { origins: ['https://a.example/'] }, /use https:\/\/a\.example$/],
      ['* in a list', { origins: ['*'] }, /^invalid origin /],
      ['an expression for all hosts', { origins: [/https:\/\/.*/] }, /matches every origin/],
    ],
    (_, options, message) => assert.throws(() => csrf(options), message),
  )
  test('a string instead of a list', () =>
    assert.throws(
      // @ts-expect-error origins must be a list
      () => csrf({ origins: 'https://a.example' }),
      /^csrf: invalid origins: expected a list of origins, got .*: write \[origin\]$/,
    ))
  test('an unknown option', () =>
    assert.throws(
      // @ts-expect-error the option does not exist
      () => csrf({ origin: [] }),
      /^csrf: unknown option "origin": expected origins or sameSite$/,
    ))
})

const operationWith = (name: string) =>
  pipe(
    path('/a'),
    method(name)(),
    handle(() => undefined),
  )

describe('csrf, operations', (test) => {
  table<readonly [name: string, isProtected: boolean]>(
    test,
    [
      ['GET', false],
      ['HEAD', false],
      ['OPTIONS', false],
      ['TRACE', false],
      ['QUERY', false],
      ['POST', true],
      ['PUT', true],
      ['PATCH', true],
      ['DELETE', true],
      ['PURGE', true],
    ],
    (name, isProtected) => {
      const api = pipe(routes({ a: operationWith(name) }), withFilter(csrf()))
      const [route] = treeDescription(compileTree(api, defaultSettings)).routes
      assert.equal(
        route?.filters.map((filter) => filter.name),
        isProtected ? ['csrf'] : [],
      )
    },
  )
  test('on a blocking operation, the filter runs before the request is dispatched to a worker', () => {
    const api = pipe(routes({ a: pipe(operationWith('POST'), blocking) }), withFilter(csrf()))
    const [plan] = compileTree(api, defaultSettings).plans
    assert.equal(
      [plan?.chain.early.map(({ filter }) => filter.name), plan?.chain.request],
      [['csrf'], []],
    )
  })
  test('OpenAPI documents describe the response 403 of unsafe operations', () => {
    const document = describeTree(
      pipe(routes({ a: operationWith('POST'), b: operationWith('GET') }), withFilter(csrf())),
    )
    const response = responseOf(document, operationOf(document, 'a'), 403)
    assert.equal(Object.keys(response?.content ?? {}), ['application/problem+json'])
    assert.is(responseOf(document, operationOf(document, 'b'), 403), undefined)
  })
})
