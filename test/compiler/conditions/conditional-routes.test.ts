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
  del,
  disabledWhen,
  mapError,
  reader,
  readerInterceptor,
  reply,
  responseFilter,
  unwrap,
  withInterceptor,
  withMapper,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../../src/index.ts'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import { compile } from '../../../src/interpreter/program.ts'
import type { Configuration } from '../../../src/compiler/settings/resolve-expressions.ts'
import { includedRoutes } from '../../../src/compiler/conditions.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe } from '../../support/describe.ts'
import { returns } from '../../support/send-request.ts'
import { describeRoutes } from '../../../src/node.ts'

const inProfile = (name: string): Configuration => ({ profile: name, property: () => undefined })
const start = (api: AnyNode, name: string) =>
  compile(api, defaultSettings, { configuration: inProfile(name) })
const dev = when(profile('dev'))
const ping = pipe(path('/ping'), get(), produces(text), handle(returns('pong')))

const invalidFilter = pipe(
  requestFilter({ fails: { 1000: text } }, () => undefined),
  dev,
)

describe('includedRoutes', (test) => {
  test('evaluates all conditions', () => {
    const evaluated: unknown[] = []
    const api = routes({ ping: pipe(ping, dev, when(property('a'))) })
    includedRoutes(api, ({ condition }) => evaluated.push(condition) > 0)
    assert.equal(evaluated, [profile('dev'), property('a')])
  })
  test('does not evaluate conditions in excluded trees', () => {
    const api = routes({ inner: pipe(routes({ ping: pipe(ping, dev) }), when(property('a'))) })
    const evaluated: unknown[] = []
    includedRoutes(api, ({ condition }) => evaluated.push(condition) < 0)
    assert.equal(evaluated, [property('a')])
  })
})

describe('compile with conditions', (test) => {
  test('keeps the names of operations', () => {
    const api = routes({ a: pipe(routes({ ping }), dev), b: routes({ ping: pipe(ping, dev) }) })
    assert.equal(start(api, 'prod').plans, [])
    assert.equal(
      start(routes({ a: pipe(routes({ ping }), dev) }), 'dev').plans.map(({ name }) => name),
      ['a.ping'],
    )
  })
  test('excluded operations are not in application.endpoints', () => {
    const api = routes({
      ping,
      other: pipe(path('/other'), get(), produces(text), dev, handle(returns(''))),
    })
    assert.equal(
      start(api, 'prod').application.endpoints.map(({ name }) => name),
      ['ping'],
    )
  })
  test('excluded operations are not verified', () => {
    const invalid = pipe(path('/{'), get(), produces(text), dev)
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
        ['wrong', invalid],
        ['misplaced', misplaced],
      ]),
    }
    assert.is(start(api, 'prod').plans.length, 1)
    assert.throws(() => start(api, 'dev'), /FW-FILTER-001[^]*FW-ROUTE-001/)
  })
  test('filters of excluded trees are not verified', () => {
    const invalid = pipe(
      routes({ ping }),
      withFilter(requestFilter({ fails: { 1000: text } }, () => undefined)),
      blocking,
      nonBlocking,
    )
    const api = routes({
      wrong: pipe(invalid, dev),
      one: pipe(routes({}), withFilter(invalidFilter)),
    })
    assert.is(start(api, 'prod').plans.length, 0)
    assert.throws(() => start(api, 'dev'), /FW-RESP-001[^]*FW-RESP-001[^]*FW-ROUTE-005/)
  })
  test('operations with exclusive conditions are not duplicates', () => {
    const api = routes({ a: pipe(ping, dev), b: pipe(ping, when(profile('prod'))) })
    assert.is(start(api, 'prod').plans[0]?.name, 'b')
    assert.is(start(api, 'dev').plans[0]?.name, 'a')
    assert.is(start(api, 'test').plans.length, 0)
  })
  test('an excluded filter provides no slot', () => {
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

const none = () => undefined
const devExcludedRoutes = when(profile('dev'))
const at = (template: string) => pipe(path(template), get(), handle(none))

const api = pipe(
  routes({
    ping: pipe(at('/ping'), when(property('ping', 'on', { ifMissing: true }))),
    debug: pipe(at('/debug'), devExcludedRoutes, disabledWhen('closed', 'yes')),
    admin: pipe(
      routes({
        heap: at('heap'),
        drop: pipe(path('/drop/{id}'), del(), when(property('drop')), handle(none)),
        deep: pipe(routes({ root: at('/') }), prefix('/deep')),
      }),
      prefix('admin/'),
      withFilter(pipe(requestFilter(none), devExcludedRoutes)),
      devExcludedRoutes,
    ),
    open: pipe(
      routes({ a: at('/a') }),
      withFilter(
        pipe(requestFilter(none), devExcludedRoutes),
        pipe(responseFilter(none), devExcludedRoutes),
      ),
      withMapper(
        pipe(
          mapError(TypeError, () => reply(400)),
          devExcludedRoutes,
        ),
        pipe(unwrap(TypeError), disabledWhen('closed', 'yes')),
      ),
      withReader(pipe(reader({ mediaType: 'a/b', read: none }), devExcludedRoutes)),
      withWriter(pipe(writer({ mediaType: 'a/b', write: () => '' }), devExcludedRoutes)),
      withInterceptor(
        pipe(
          readerInterceptor((_, proceed) => proceed()),
          devExcludedRoutes,
        ),
        pipe(
          writerInterceptor((_, proceed) => proceed()),
          devExcludedRoutes,
        ),
      ),
    ),
  }),
  withFilter(pipe(preMatching(none), devExcludedRoutes)),
)

/** Returns the paragraphs of excluded routes and of routes with conditions. */
const conditionalParagraphs = (description: string) =>
  description
    .split('\n\n')
    .map((paragraph) => paragraph.split('\n').filter((line) => /^[^ ]| when /.test(line)))
    .filter((lines) => lines.length > 1)

describe('describeRoutes with conditions', (test) => {
  test('lists excluded routes with their conditions and actual values', () => {
    const unfulfilled = '  when profile dev (the profile is prod)'
    const closed = '  disabled when closed is "yes" (closed is "yes")'
    assert.equal(conditionalParagraphs(describeRoutes(api, { properties: { closed: 'yes' } })), [
      ['GET /ping  (ping)', '  when ping is "on" or is not set (ping is not set)'],
      ['excluded: a pre-matching filter of the root', unfulfilled],
      ['excluded: GET /debug  (debug)', unfulfilled, closed],
      ['excluded: GET /admin/heap  (admin.heap)', unfulfilled],
      ['excluded: DELETE /admin/drop/{id}  (admin.drop)', unfulfilled],
      ['excluded: GET /admin/deep  (admin.deep.root)', unfulfilled],
      ['excluded: a reader interceptor of open', unfulfilled],
      ['excluded: a writer interceptor of open', unfulfilled],
      ['excluded: a writer of open', unfulfilled],
      ['excluded: a reader of open', unfulfilled],
      ['excluded: an error mapper of open', unfulfilled],
      ['excluded: an unwrapping mapper of open', closed],
      ['excluded: a request filter of open', unfulfilled],
      ['excluded: a response filter of open', unfulfilled],
    ])
  })
  test('lists the conditions of included routes', () => {
    const fulfilled = '  when profile dev (the profile is dev)'
    const properties = { ping: 'off', drop: 'x' }
    assert.equal(
      conditionalParagraphs(
        describeRoutes(api, { profile: 'dev', properties, 'fw.rest.path': '/api' }),
      ),
      [
        [
          'GET /api/debug  (debug)',
          fulfilled,
          '  disabled when closed is "yes" (closed is not set)',
        ],
        ['GET /api/admin/heap  (admin.heap)', fulfilled],
        [
          'DELETE /api/admin/drop/{id}  (admin.drop)',
          fulfilled,
          '  when drop is set to a value other than "false" (drop is "x")',
        ],
        ['GET /api/admin/deep  (admin.deep.root)', fulfilled],
        ['excluded: GET /api/ping  (ping)', '  when ping is "on" or is not set (ping is "off")'],
      ],
    )
  })
  test('omits conditions of a tree without any', () =>
    assert.equal(conditionalParagraphs(describeRoutes(routes({ a: at('/a') }))), []))
})
