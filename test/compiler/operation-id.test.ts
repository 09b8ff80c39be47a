/** `operationId`: the ids of operations in documents. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  deprecated,
  get,
  handle,
  hidden,
  operationId,
  path,
  post,
  produces,
  routes,
  text,
} from '../../src/index.ts'
import { compileTree } from '../../src/compiler/compile.ts'
import { describeTree, operationsOf } from '../openapi/document.ts'
import { describe, table } from '../support/describe.ts'
import { issuesOf } from '../support/plan.ts'

const at = (target: string) =>
  pipe(
    path(target),
    get(),
    produces(text),
    handle(() => 'x'),
  )

describe('operationId', (test) => {
  test('sets the id and the default summary, but not the name', () => {
    const issue = pipe(at('/issue'), operationId('readIssue'))
    const api = routes({
      issues: routes({ issue }),
      old: pipe(at('/old'), deprecated({ replacedBy: issue })),
    })
    const operations = operationsOf(describeTree(api))
    assert.is(operations.get('readIssue')?.summary, 'Read issue')
    assert.is(operations.get('old')?.['x-successor'], 'readIssue')
    assert.equal(
      compileTree(api).plans.map(({ name }) => name),
      ['issues.issue', 'old'],
    )
  })

  test('of an operation replaces that of its resource', () => {
    const resource = pipe(path('/issues'), operationId('readIssues'))
    const api = routes({
      read: pipe(resource, get()),
      create: pipe(resource, post(), operationId('createIssue')),
    })
    assert.equal([...operationsOf(describeTree(api)).keys()], ['readIssues', 'createIssue'])
  })

  table<readonly [id: unknown]>(
    test,
    ['', 'create issue', 'create/issue', 'größe', 'a\n', 7, undefined].map((id) => [id] as const),
    (id) => {
      assert.throws(() => operationId(id as string), /^invalid operation id: expected letters/)
    },
  )

  const a = pipe(at('/a'), operationId('x'))
  table(
    test,
    [
      ['two operations with one id', routes({ a, b: pipe(at('/b'), operationId('x')) }), 'x'],
      ['the name of another operation', routes({ a, x: at('/b') }), 'x'],
      ['a hidden operation with the same id', routes({ a, x: pipe(at('/b'), hidden()) }), 'x'],
      ['an operation that occurs twice', routes({ one: routes({ a }), two: routes({ a }) }), 'x'],
    ] as const,
    (_, api, id) => {
      const [issue] = issuesOf(api).filter(({ code }) => code === 'FW-DOC-004')
      assert.is(issue?.concerns.length, 2)
      assert.match(issue?.remedy ?? '', `have the id ${id}: declare different ids`)
    },
  )

  test('is declared once for each operation', () => {
    assert.equal(
      issuesOf(routes({ a: pipe(a, operationId('y')) })).map(({ code }) => code),
      ['FW-ROUTE-005'],
    )
  })

  test('cannot be applied to a tree', () => {
    assert.throws(() => operationId('x')(routes({ a }) as never), 'expected an endpoint')
  })
})
