import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  blocking,
  get,
  handle,
  needs,
  next,
  nonBlocking,
  path,
  prefix,
  preMatching,
  produces,
  profile,
  property,
  requestFilter,
  routes,
  slot,
  text,
  when,
  withFilter,
} from '../../../src/index.ts'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import { compile } from '../../../src/interpreter/program.ts'
import type { Configuration } from '../../../src/compiler/settings/configuration.ts'
import { includedRoutes } from '../../../src/compiler/conditions/conditional-routes.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe } from '../../support/describe.ts'
import { says } from '../../support/ask.ts'

const inProfile = (name: string): Configuration => ({ profile: name, property: () => undefined })
const start = (api: AnyNode, name: string) =>
  compile(api, defaultSettings, { configuration: inProfile(name) })
const dev = when(profile('dev'))
const ping = pipe(path('/ping'), get(), produces(text), handle(says('pong')))

const odd = pipe(
  requestFilter({ fails: { 1000: text } }, () => undefined),
  dev,
)

describe('included', (test) => {
  test('is the tree itself without conditions', () => {
    const api = pipe(routes({ a: routes({ ping }) }), prefix('/a'))
    assert.is(
      includedRoutes(api, () => false),
      api,
    )
  })
  test('asks for everything that was said', () => {
    const asked: unknown[] = []
    const api = routes({ ping: pipe(ping, dev, when(property('a'))) })
    includedRoutes(api, (one) => asked.push(one.condition) > 0)
    assert.equal(asked, [profile('dev'), property('a')])
  })
  test('does not ask inside of what is left out', () => {
    const api = routes({ inner: pipe(routes({ ping: pipe(ping, dev) }), when(property('a'))) })
    const asked: unknown[] = []
    includedRoutes(api, (one) => asked.push(one.condition) < 0)
    assert.equal(asked, [property('a')])
  })
})

describe('compile, with conditions', (test) => {
  test('names of operations stay what they are', () => {
    const api = routes({ a: pipe(routes({ ping }), dev), b: routes({ ping: pipe(ping, dev) }) })
    assert.equal(start(api, 'prod').plans, [])
    assert.equal(
      start(routes({ a: pipe(routes({ ping }), dev) }), 'dev').plans.map(({ name }) => name),
      ['a.ping'],
    )
  })
  test('the application knows only what is there', () => {
    const api = routes({
      ping,
      other: pipe(path('/other'), get(), produces(text), dev, handle(says(''))),
    })
    assert.equal(
      start(api, 'prod').application.endpoints.map(({ name }) => name),
      ['ping'],
    )
  })
  test('what is left out has no mistakes', () => {
    const wrong = pipe(path('/{'), get(), produces(text), dev)
    const misplaced = pipe(
      routes({ ping }),
      withFilter(
        pipe(
          preMatching(() => undefined),
          dev,
        ),
      ),
    )
    const api: AnyNode = {
      ...routes({ misplaced }),
      children: new Map<string, AnyNode>([
        ['wrong', wrong],
        ['misplaced', misplaced],
      ]),
    }
    assert.is(start(api, 'prod').plans.length, 1)
    assert.throws(() => start(api, 'dev'), /FW-FILTER-001[^]*FW-ROUTE-001/)
  })
  test('what is around a tree that is left out has none either', () => {
    const wrong = pipe(
      routes({ ping }),
      withFilter(requestFilter({ fails: { 1000: text } }, () => undefined)),
      blocking,
      nonBlocking,
    )
    const api = routes({ wrong: pipe(wrong, dev), one: pipe(routes({}), withFilter(odd)) })
    assert.is(start(api, 'prod').plans.length, 0)
    assert.throws(() => start(api, 'dev'), /FW-RESP-001[^]*FW-RESP-001[^]*FW-ROUTE-005/)
  })
  test('two that are never there together are no duplicates', () => {
    const api = routes({ a: pipe(ping, dev), b: pipe(ping, when(profile('prod'))) })
    assert.is(start(api, 'prod').plans[0]?.name, 'b')
    assert.is(start(api, 'dev').plans[0]?.name, 'a')
    assert.is(start(api, 'test').plans.length, 0)
  })
  test('a filter that is left out fills no slot', () => {
    const Name = slot<string>()('name')
    const giving = requestFilter({ gives: { name: Name } }, () => next({ name: 'a' }))
    const hello = pipe(
      path('/'),
      get(),
      needs({ name: Name }),
      produces(text),
      handle((input) => input.needs.name),
    )
    const api = pipe(routes({ hello }), withFilter(pipe(giving, dev)))
    assert.is(start(api, 'dev').plans.length, 1)
    assert.throws(() => start(api, 'prod'), /FW-NEED-001/)
  })
})
