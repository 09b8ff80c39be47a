import { inspect } from 'node:util'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { emptyDefinition, updateDefinition, addParameters } from '../../src/endpoint/endpoint.ts'
import * as D from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

/** Where a value can be changed: paths of lists and plain objects that are not frozen. Codecs are others' affair. */
const changeable = (value: unknown, at = ''): ReadonlyArray<string> => {
  if (typeof value !== 'object' || value === null) return []
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain && !(value instanceof Map)) return []
  const members = value instanceof Map ? [...value] : Object.entries(value)
  return [
    ...(isPlain && !Object.isFrozen(value) ? [at] : []),
    ...members.flatMap(([key, one]) => changeable(one, `${at}.${key}`)),
  ]
}

/** A value in full, maps and codecs too. */
const written = (value: unknown): string => inspect(value, { depth: Infinity })

const shelf = D.slot<string>()('shelf')
const resource = pipe(
  D.path('/books/{isbn}', { isbn: D.int }),
  D.query({ page: D.int }),
  D.needs({ shelf }),
  D.produces(D.text),
  D.fails(404, D.text),
  D.responseHeader('X-A', 'b'),
  D.cache({ maxAge: 1 }),
)

describe('endpoint: values are frozen', (test) => {
  table<readonly [string, unknown]>(
    test,
    [
      ['path', D.path('/books')],
      ['a resource', resource],
      ['an operation', pipe(resource, D.post('/{page}'), D.body(D.json(D.int), D.text))],
      ['a form', pipe(resource, D.put(), D.form({ cover: D.upload, title: D.string }))],
      ['every group', pipe(resource, D.header({}), D.cookie({}), D.matrix({}), D.queryMap)],
      ['responses', pipe(resource, D.get(), D.status(202), D.responds(201, D.json(D.int), D.html))],
      [
        'an endpoint with a handler',
        pipe(
          resource,
          D.get(),
          D.handle(() => ''),
        ),
      ],
      [
        'an endpoint with combinators after its handler',
        pipe(
          resource,
          D.get(),
          D.handle(() => ''),
          D.noCache(),
        ),
      ],
      ['an endpoint with a conflict', pipe(resource, D.get(), D.query({ page: D.int }))],
      ['a slot', shelf],
      ['a representation', D.representation({ mediaType: 'a/b', read: String, write: String })],
      ['a part', D.part(D.json(D.int))],
      ['a reply', D.etag('v1')(D.reply(200, 'a'))],
      ['a reply with a further header', D.withHeader('X-A', 'b')(D.reply(200, 'a'))],
      ['a reply without headers', D.noContent],
      ['a tree', pipe(D.routes({ a: D.routes({}) }), D.prefix('/a'), D.provide({ shelf: 'a' }))],
    ],
    (_, value) => assert.equal(changeable(value), []),
  )

  test('the check finds unfrozen values', () =>
    assert.equal(changeable(Object.freeze({ a: Object.freeze([{}]), b: new Map([['c', []]]) })), [
      '.a.0',
      '.b.c',
    ]))
})

describe('endpoint: combinators do not change a resource', (test) => {
  const before = written(resource)
  table<readonly [string, () => unknown]>(
    test,
    [
      ['operation', () => pipe(resource, D.post('/{page}', { page: D.int }))],
      ['parameters', () => pipe(resource, D.query({ size: D.int }), D.header({ a: D.string }))],
      ['the same parameter', () => pipe(resource, D.query({ page: D.string }))],
      ['queryMap', () => D.queryMap(resource)],
      ['body', () => pipe(resource, D.body(D.text))],
      ['form', () => pipe(resource, D.form({ a: D.string }))],
      ['produces', () => pipe(resource, D.produces(D.html), D.produces())],
      ['status', () => pipe(resource, D.status(201))],
      ['responds', () => pipe(resource, D.responds(204), D.fails(409))],
      ['needs', () => pipe(resource, D.needs({ other: shelf }))],
      ['headers', () => pipe(resource, D.responseHeader('X-C', 'd'), D.cache({ maxAge: 9 }))],
      [
        'handle',
        () =>
          pipe(
            resource,
            D.get(),
            D.handle(() => ''),
          ),
      ],
    ],
    (_, step) => {
      step()
      assert.is(written(resource), before)
    },
  )
})

describe('updateDefinition', (test) => {
  const handled = pipe(
    resource,
    D.get(),
    D.handle(() => 'text'),
  )
  test('changes the given members and keeps all others, including the handler', () => {
    const changed = updateDefinition(handled, ({ status }) => ({ status: (status ?? 200) + 1 }))
    assert.equal(changed.definition, { ...handled.definition, status: 201 })
    assert.is(changed.run, handled.run)
    assert.is(handled.definition.status, undefined)
  })
})

describe('addParameters', (test) => {
  const once = { ...emptyDefinition, ...addParameters(emptyDefinition, 'query', [['page', D.int]]) }
  test('adds parameters to one group, in order', () => {
    const twice = { ...once, ...addParameters(once, 'query', [['size', D.int]]) }
    assert.equal([...twice.parameters.query.keys()], ['page', 'size'])
    assert.is(twice.parameters.header, emptyDefinition.parameters.header)
    assert.equal(twice.conflicts, [])
  })
  test('several groups may have a parameter of the same name', () =>
    assert.equal(addParameters(once, 'header', [['page', D.int]]).conflicts, []))
  test('a duplicate name is recorded as a conflict, and the last codec applies', () => {
    const again = addParameters(once, 'query', [
      ['page', D.string],
      ['size', D.int],
    ])
    assert.is(again.parameters?.query.get('page'), D.string)
    assert.equal(again.conflicts, ['the query parameter "page" is declared twice'])
  })
  test('several conflicts are recorded in order', () => {
    const first = { ...once, ...addParameters(once, 'query', [['page', D.int]]) }
    assert.equal(addParameters(first, 'query', [['page', D.int]]).conflicts?.length, 2)
  })
})
