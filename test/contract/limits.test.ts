/** Limits that are said of operations, resources and trees. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  byteStream,
  bytes,
  fileBody,
  form,
  formMap,
  handle,
  limits,
  path,
  post,
  routes,
  string,
  text,
} from '../../src/index.ts'
import { compile } from '../../src/interpreter/program.ts'
import { describeTree } from '../../src/compiler/explain/explain.ts'
import { describe, table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const resource = (to: string) => pipe(path(to), limits({ bodySize: 20 }))
const done = (): void => undefined

const api = pipe(
  routes({
    unsaid: pipe(path('/unsaid'), post(), body(bytes), handle(done)),
    resource: pipe(resource('/resource'), post(), body(bytes), handle(done)),
    operation: pipe(
      resource('/operation'),
      post(),
      body(text),
      handle(done),
      limits({ bodySize: '1K' }),
    ),
    tree: pipe(
      routes({
        inner: pipe(path('/inner'), post(), body(bytes), handle(done)),
        own: pipe(
          path('/own'),
          post(),
          limits({ formAttributeSize: 5 }),
          body(formMap),
          handle(done),
        ),
      }),
      limits({ bodySize: 30 }),
    ),
    stream: pipe(
      resource('/stream'),
      post(),
      body(byteStream),
      handle(async (input) => {
        for await (const piece of input.body) done.call(piece)
      }),
    ),
    file: pipe(resource('/file'), post(), body(fileBody), handle(done)),
    field: pipe(
      path('/field'),
      post(),
      form({ a: string }),
      handle(done),
      limits({ formAttributeSize: 4 }),
    ),
    fields: pipe(path('/fields'), post(), form({ a: string }), handle(done)),
  }),
  limits({ bodySize: 40, formAttributeSize: 10 }),
)

const types = new Map([
  ['/operation', 'text/plain'],
  ['/field', 'application/x-www-form-urlencoded'],
  ['/fields', 'application/x-www-form-urlencoded'],
  ['/own', 'application/x-www-form-urlencoded'],
])

contract(
  'limits',
  api,
  (test, call) => {
    const statusOf = async (to: string, content: string): Promise<number> => {
      const type = types.get(to) ?? 'application/octet-stream'
      const sent = { method: 'POST', body: Buffer.from(content), headers: { 'content-type': type } }
      return (await call(new Request(`${base}${to}`, sent))).status
    }
    table<readonly [string, to: string, most: number]>(
      test,
      [
        ['the tree has them', '/unsaid', 40],
        ['a resource has its own', '/resource', 20],
        ['an operation has its own', '/operation', 1024],
        ['an inner tree has its own', '/inner', 30],
        ['of a content in pieces', '/stream', 20],
        ['of a content in a file', '/file', 20],
      ],
      async (_, to, most) => {
        assert.is(await statusOf(to, 'x'.repeat(most - 1)), 204)
        assert.is(await statusOf(to, 'x'.repeat(most)), 204)
        assert.is(await statusOf(to, 'x'.repeat(most + 1)), 413)
      },
    )
    table<readonly [string, to: string, most: number]>(
      test,
      [
        ['the fields of a form', '/field', 4],
        ['around the operation', '/fields', 10],
        ['of a form as a map', '/own', 5],
      ],
      async (_, to, most) => {
        assert.is(await statusOf(to, `a=${'x'.repeat(most - 1)}`), 204)
        assert.is(await statusOf(to, `a=${'x'.repeat(most)}`), 204)
        assert.is(await statusOf(to, `a=${'x'.repeat(most + 1)}`), 413)
      },
    )
    test('each limit by itself', async () => {
      assert.is(await statusOf('/own', `a=12345&b=12345&c=12345&d=1234`), 204)
      assert.is(await statusOf('/own', `a=12345&b=12345&c=12345&d=12345`), 413)
    })
  },
  { 'fw.http.limits.max-body-size': 10 },
)

describe('limits', (test) => {
  table(
    test,
    [
      ['text', { bodySize: 'a lot' }],
      ['an unknown unit', { bodySize: '1T' }],
      ['a fraction', { formAttributeSize: 1.5 }],
      ['less than nothing', { fileSize: -1 }],
      ['not a number', { fileSize: Number.NaN }],
    ] as const,
    (_, wrong) => assert.throws(() => limits(wrong), TypeError),
  )
  test('say which is wrong', () =>
    assert.throws(
      () => limits({ fileSize: 'x' }),
      /^invalid fileSize: expected a number of \w+, such as .*, got "x"$/,
    ))
  test('are explained', () => {
    const film = pipe(path('/'), post(), body(bytes), handle(done), limits({ fileSize: 2 ** 31 }))
    const program = compile(pipe(routes({ film }), limits({ bodySize: 1000, fileSize: 1 })))
    assert.match(describeTree(program), / {2}limit bodySize 1000\n {2}limit fileSize 2G/)
  })
})
