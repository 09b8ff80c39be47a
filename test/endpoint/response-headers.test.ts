/** Errors in `responseHeaders`, the log of missing headers, and the types of results. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  created,
  del,
  get,
  handle,
  implement,
  int,
  json,
  list,
  noContent,
  ok,
  optional,
  path,
  post,
  produces,
  responds,
  responseHeaders,
  routes,
  string,
  text,
  withHeaders,
} from '../../src/index.ts'
import type { HandlerOf } from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { mockServer } from '../../src/openapi.ts'
import { describeTree, operationOf, responseOf } from '../openapi/document.ts'
import { describe, table } from '../support/describe.ts'
import { issuesOf } from '../support/plan.ts'
import { recordLog } from '../support/workers.ts'

const ids = pipe(
  path('/ids'),
  get(),
  produces(json(list(int))),
  responseHeaders({ xTotalCount: int, xPage: optional(int) }),
)

/** Checks at compile time that a handler has the type `H`. */
const accepts = <H>(handler: H): H => handler

describe('responseHeaders', (test) => {
  const body = pipe(path('/'), get(), produces(text))
  table(
    test,
    [
      [
        'a status that is not declared',
        pipe(body, responseHeaders(404, { xA: int })),
        'headers are declared for the undeclared status 404',
      ],
      ['an invalid name', pipe(body, responseHeaders({ 'x a': int })), 'invalid header "x a"'],
      [
        'a list',
        pipe(body, responseHeaders({ xTags: list(string) })),
        'the header xTags is a list: declare it with separated(",")',
      ],
    ] as const,
    (_, endpoint, remedy) => {
      const issues = issuesOf(routes({ one: implement(endpoint as typeof body, () => 'x') }))
      assert.equal(
        issues.map((issue) => [issue.code, issue.remedy]),
        [['FW-RESP-001', remedy]],
      )
    },
  )

  test('with a codec instead of a record throws a ConfigurationError', () => {
    assert.throws(() => responseHeaders(int as never), 'expected a record')
  })

  test('without the header in a reply, the log names it', async () => {
    const { lines, logger } = recordLog()
    const send = inMemory(
      routes({
        ids: pipe(
          ids,
          handle(() => [1] as never),
        ),
      }),
      { logger },
    )
    assert.is((await send('http://localhost/ids')).status, 500)
    assert.ok(
      lines.some((line) =>
        line.endsWith(
          'missing response header X-Total-Count of ids: add withHeaders({ xTotalCount: … }) to the reply',
        ),
      ),
    )
  })

  test('is implemented by mock servers', async () => {
    const { headers } = await inMemory(mockServer(routes({ ids })))('http://localhost/ids')
    assert.match(headers.get('X-Total-Count') ?? '', /^-?\d+$/)
  })

  test('is part of documents', () => {
    const document = describeTree(routes({ ids }))
    const { headers = {} } = responseOf(document, operationOf(document, 'ids'), 200) ?? {}
    assert.equal(Object.keys(headers), ['X-Total-Count', 'X-Page'])
    const { 'X-Total-Count': total, 'X-Page': page } = headers
    assert.ok(total !== undefined && 'schema' in total && total.required === true)
    assert.is(total.schema?.type, 'integer')
    assert.ok(page !== undefined && !('required' in page))
  })
})

describe('the type of a handler with declared headers', (test) => {
  test('requires the headers', () => {
    const readIds = accepts<HandlerOf<typeof ids>>
    readIds(() => pipe(ok([1]), withHeaders({ xTotalCount: 1 })))
    readIds(async () => pipe(ok([1]), withHeaders({ xTotalCount: 1, xPage: 2 })))
    // @ts-expect-error withHeaders({ … }))'' is missing in type 'number[]'
    readIds(() => [1])
    // @ts-expect-error withHeaders({ … }))'' is missing in type 'number[]'
    readIds(() => ok([1]))
    // @ts-expect-error Type 'string' is not assignable to type 'number'.
    readIds(() => pipe(ok([1]), withHeaders({ xTotalCount: 'many' })))
    // @ts-expect-error Property 'xTotalCount' is missing
    readIds(() => pipe(ok([1]), withHeaders({ xPage: 1 })))
    // @ts-expect-error the body is not a list
    readIds(() => pipe(ok('x'), withHeaders({ xTotalCount: 1 })))
    assert.ok(true)
  })

  test('requires the headers of a response that responds declares', () => {
    const endpoint = pipe(
      path('/'),
      post(),
      responds(201, text),
      responseHeaders(201, { xId: int }),
    )
    const add = accepts<HandlerOf<typeof endpoint>>
    add(() => pipe(created('/1', 'x'), withHeaders({ xId: 1 })))
    // @ts-expect-error no headers
    add(() => created('/1', 'x'))
    assert.ok(true)
  })

  test('requires the headers of a response without a body', () => {
    const endpoint = pipe(path('/'), del(), responds(204), responseHeaders({ xId: int }))
    const remove = accepts<HandlerOf<typeof endpoint>>
    remove(() => pipe(noContent, withHeaders({ xId: 1 })))
    // @ts-expect-error no headers
    remove(() => undefined)
    assert.ok(true)
  })

  test('allows results without optional headers', () => {
    const endpoint = pipe(
      path('/'),
      get(),
      produces(text),
      responseHeaders({ xPage: optional(int) }),
    )
    const read = accepts<HandlerOf<typeof endpoint>>
    read(() => 'x')
    read(() => pipe(ok('x'), withHeaders({ xPage: 1 })))
    // @ts-expect-error Type 'string' is not assignable to type 'number'.
    read(() => pipe(ok('x'), withHeaders({ xPage: 'first' })))
    assert.ok(true)
  })
})
