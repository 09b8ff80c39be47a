import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { compileTree } from '../../src/compiler/compile.ts'
import { treeDescription } from '../../src/compiler/route-description.ts'
import { loadSettings } from '../../src/node/settings/load-settings.ts'
import type { Routes } from '../../src/index.ts'
import {
  body,
  bytes,
  cors,
  denyAll,
  disabledWhen,
  fails,
  get,
  handle,
  html,
  onlyWhere,
  path,
  permitAll,
  post,
  preMatching,
  prefix,
  priority,
  problem,
  produces,
  profile,
  reply,
  responds,
  routes,
  securityHeaders,
  text,
  transactional,
  when,
  withFilter,
} from '../../src/index.ts'
import { describe } from '../support/describe.ts'

const describeTree = <T, R, E>(tree: Routes<T, R, E>, properties: Record<string, string> = {}) => {
  const configuration = loadSettings({ directory: null, environment: {}, properties })
  return treeDescription(compileTree(tree, configuration.settings, { configuration }))
}

const show = pipe(
  path('/'),
  get(),
  produces(html, text),
  handle(() => 'x'),
)
const store = pipe(
  path('/'),
  post(),
  body(bytes, text),
  responds(201, text),
  responds(202),
  fails(409, problem),
  handle(() => reply(202)),
)

describe('treeDescription', (test) => {
  test('lists media types once, and responses by status', () => {
    const {
      profile: name,
      routes: described,
      excluded,
    } = describeTree(routes({ a: routes({ show, store }) }))
    assert.equal([name, excluded], ['prod', []])
    assert.equal(
      described.map(({ name: route, method, path: template, consumes, produces: sent }) => [
        route,
        method,
        template,
        consumes,
        sent,
      ]),
      [
        ['a.show', 'GET', '/', [], ['text/html;charset=UTF-8', 'text/plain;charset=UTF-8']],
        [
          'a.store',
          'POST',
          '/',
          ['application/octet-stream', 'text/plain;charset=UTF-8'],
          ['text/plain;charset=UTF-8'],
        ],
      ],
    )
    assert.equal(described[1]?.responses, [
      { status: 201, failure: false, mediaTypes: ['text/plain;charset=UTF-8'] },
      { status: 202, failure: false, mediaTypes: [] },
      { status: 409, failure: true, mediaTypes: ['application/problem+json'] },
    ])
  })
  test('paths contain prefixes and the path of the settings', () =>
    assert.is(
      describeTree(routes({ a: pipe(routes({ show }), prefix('/b')) }), { 'fw.rest.path': '/api' })
        .routes[0]?.path,
      '/api/b',
    ))
  test('access rules that apply to trees are inherited', () => {
    const { routes: described } = describeTree(
      pipe(routes({ show, store: pipe(store, denyAll) }), permitAll),
    )
    assert.equal(
      described.map(({ access }) => access),
      [
        { rule: 'permitAll', roles: [] },
        { rule: 'denyAll', roles: [] },
      ],
    )
    assert.is(describeTree(routes({ show })).routes[0]?.access, null)
  })
  test('filters are listed in the order in which they run', () => {
    const first = pipe(
      preMatching(function first() {}),
      priority(1),
    )
    const onlyPost = pipe(
      securityHeaders(),
      onlyWhere(({ method }) => method === 'POST'),
    )
    const tree = pipe(
      routes({ a: pipe(routes({ show, store }), withFilter(cors({ origins: '*' }))) }),
      withFilter(
        preMatching(function second() {}),
        first,
        onlyPost,
      ),
    )
    assert.equal(
      describeTree(tree).routes.map(({ filters }) =>
        filters.map(({ name, kind }) => `${kind} ${name}`),
      ),
      [
        ['preMatching first', 'preMatching second', 'path cors', 'response cors'],
        [
          'preMatching first',
          'preMatching second',
          'path cors',
          'response cors',
          'response securityHeaders',
        ],
      ],
    )
  })
  test('conditions are listed with the values that they test', () => {
    const { routes: described, excluded } = describeTree(
      routes({
        show: pipe(show, when(profile('prod'))),
        store: pipe(store, disabledWhen('frozen', 'yes'), transactional),
      }),
      { frozen: 'yes' },
    )
    assert.equal(
      described.map(({ name, conditions, execution }) => [name, conditions, execution]),
      [['show', ['when profile prod (the profile is prod)'], 'nonBlocking']],
    )
    assert.equal(excluded, [
      {
        title: 'POST /  (store)',
        conditions: ['disabled when frozen is "yes" (frozen is "yes")'],
      },
    ])
    const thawed = describeTree(routes({ store: pipe(store, transactional) }))
    assert.is(thawed.routes[0]?.execution, 'blocking')
  })
})
