/** `limits` on operations, resources and route trees. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { LimitsOptions } from '../../../src/index.ts'
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
} from '../../../src/index.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { describeTree } from '../../../src/compiler/explain.ts'
import { describe, table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'

const resource = (target: string) => pipe(path(target), limits({ bodySize: 20 }))
const done = (): void => undefined

const api = pipe(
  routes({
    inherited: pipe(path('/inherited'), post(), body(bytes), handle(done)),
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
        ownLimit: pipe(
          path('/own-limit'),
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
        for await (const chunk of input.body) done.call(chunk)
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

const mediaTypes = new Map([
  ['/operation', 'text/plain'],
  ['/field', 'application/x-www-form-urlencoded'],
  ['/fields', 'application/x-www-form-urlencoded'],
  ['/own-limit', 'application/x-www-form-urlencoded'],
])

contract(
  'limits of operations, resources and trees',
  api,
  (test, call) => {
    const statusOf = async (target: string, content: string): Promise<number> => {
      const type = mediaTypes.get(target) ?? 'application/octet-stream'
      const init = { method: 'POST', body: Buffer.from(content), headers: { 'content-type': type } }
      return (await call(new Request(`${base}${target}`, init))).status
    }
    table<readonly [name: string, target: string, limit: number]>(
      test,
      [
        ['body size of the tree', '/inherited', 40],
        ['body size of a resource', '/resource', 20],
        ['body size of an operation', '/operation', 1024],
        ['body size of an inner tree', '/inner', 30],
        ['body size of a stream', '/stream', 20],
        ['body size of a file', '/file', 20],
      ],
      async (_, target, limit) => {
        assert.is(await statusOf(target, 'x'.repeat(limit - 1)), 204)
        assert.is(await statusOf(target, 'x'.repeat(limit)), 204)
        assert.is(await statusOf(target, 'x'.repeat(limit + 1)), 413)
      },
    )
    table<readonly [name: string, target: string, limit: number]>(
      test,
      [
        ['form field size of an operation', '/field', 4],
        ['form field size of the tree', '/fields', 10],
        ['form field size of a form map', '/own-limit', 5],
      ],
      async (_, target, limit) => {
        assert.is(await statusOf(target, `a=${'x'.repeat(limit - 1)}`), 204)
        assert.is(await statusOf(target, `a=${'x'.repeat(limit)}`), 204)
        assert.is(await statusOf(target, `a=${'x'.repeat(limit + 1)}`), 413)
      },
    )
    test('limits of different kinds apply independently', async () => {
      assert.is(await statusOf('/own-limit', `a=12345&b=12345&c=12345&d=1234`), 204)
      assert.is(await statusOf('/own-limit', `a=12345&b=12345&c=12345&d=12345`), 413)
    })
  },
  { 'fw.http.limits.max-body-size': 10 },
)

describe('limits combinator', (test) => {
  table(
    test,
    [
      ['a string that is not a size', { bodySize: 'a lot' }],
      ['an unknown unit', { bodySize: '1T' }],
      ['a fraction', { formAttributeSize: 1.5 }],
      ['a negative number', { fileSize: -1 }],
      ['NaN', { fileSize: Number.NaN }],
      ['a number of 0', { parameters: 0 }],
      ['a fractional number', { parts: 1.5 }],
      ['a negative number of headers', { partHeaders: -1 }],
      ['an infinite number of files', { files: Number.POSITIVE_INFINITY }],
      ['an invalid size of part headers', { partHeaderSize: '1X' }],
    ] as const,
    (_, options: LimitsOptions) => assert.throws(() => limits(options), TypeError),
  )
  test('an invalid option is named in the error', () =>
    assert.throws(
      () => limits({ fileSize: ['x'].join() }),
      /^invalid fileSize: expected a number of \w+ \(such as .*\), got "x"$/,
    ))
  test('describeTree lists limits', () => {
    const film = pipe(path('/'), post(), body(bytes), handle(done), limits({ fileSize: 2 ** 31 }))
    const program = compile(pipe(routes({ film }), limits({ bodySize: 1000, fileSize: 1 })))
    assert.match(describeTree(program), / {2}limit bodySize 1000\n {2}limit fileSize 2G/)
  })
  test('describeTree lists numbers without units', () => {
    const numbers = limits({ parameters: 1024, partHeaderSize: 1024, timeout: 1000 })
    const film = pipe(path('/'), post(), body(bytes), handle(done), numbers)
    assert.match(
      describeTree(compile(routes({ film }))),
      / {2}limit parameters 1024\n {2}limit partHeaderSize 1K\n {2}limit timeout 1s/,
    )
  })
})
