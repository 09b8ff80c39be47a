/** Files that a program has opened and that are not sent after all. */
import { mkdirSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  file,
  filePart,
  formDataPart,
  get,
  handle,
  int,
  json,
  mapError,
  multipartOutput,
  path,
  prefix,
  produces,
  repeated,
  reply,
  requestFilter,
  responds,
  responseFilter,
  routes,
  string,
  text,
  withFilter,
  withMapper,
} from '../../src/index.ts'
import { base, contract } from '../support/contract.ts'
import { table } from '../support/describe.ts'
import { fileWith, newFolder } from '../support/folder.ts'
import { until } from '../support/workers.ts'

const folder = newFolder()
const lorem = fileWith(folder, 'lorem.txt', 'Lorem ipsum')
mkdirSync(join(folder, 'directory'))

const handles: FileHandle[] = []
const opened = async (): Promise<FileHandle> => {
  const handle_ = await open(lorem)
  handles.push(handle_)
  return handle_
}
/** One that does not close well. */
const stubborn = async (): Promise<FileHandle> => {
  const handle_ = await opened()
  const close = handle_.close.bind(handle_)
  handle_.close = async () => {
    await close()
    throw new Error('it did not close well')
  }
  return handle_
}
const isClosed = ({ fd }: FileHandle): boolean => fd === -1

const failing = responseFilter(({ status }) => {
  if (status < 500) throw new Error('a filter fails')
})
const replacing = responseFilter(({ status }) => (status < 300 ? reply(202) : undefined))

const single = pipe(
  path('/single'),
  get(),
  produces(file),
  responds(201),
  handle(() => opened()),
)
const part = pipe(
  path('/part'),
  get(),
  produces(file),
  handle(async () => filePart(await opened(), { offset: 0, count: 5 })),
)
const badly = pipe(
  path('/badly'),
  get(),
  produces(file),
  handle(() => stubborn()),
)
const record = pipe(
  path('/record'),
  get(),
  produces(multipartOutput({ title: string, one: file, more: repeated(file) })),
  handle(async () => ({
    title: 'x',
    one: await opened(),
    more: [await opened(), filePart(await opened(), { offset: 0, count: 1 })],
  })),
)
const list = pipe(
  path('/list'),
  get(),
  produces(multipartOutput),
  handle(async () => [
    formDataPart('a', await opened(), file),
    formDataPart('b', filePart(await opened(), { offset: 0, count: 1 }), file),
  ]),
)
const operations = { single, part, badly, record, list }

const others = pipe(
  routes({
    // what is declared of the status has no content
    empty: pipe(
      path('/empty'),
      get(),
      produces(file),
      responds(204),
      handle(async () => reply(204, await opened()) as never),
    ),
    undeclared: pipe(
      path('/undeclared'),
      get(),
      produces(file),
      handle(async () => reply(299, await opened()) as never),
    ),
    // what is sent is no file
    alternative: pipe(
      path('/alternative'),
      get(),
      produces(json(int), file),
      handle(async () => (await opened()) as never),
    ),
    // the first part cannot be opened, so nobody gets to the second
    second: pipe(
      path('/second'),
      get(),
      produces(multipartOutput({ one: file, two: file })),
      handle(async () => ({ one: join(folder, 'directory'), two: await opened() })),
    ),
    filtered: pipe(
      path('/filtered'),
      get(),
      produces(text),
      handle(() => 'unseen'),
    ),
    mapped: pipe(
      path('/mapped'),
      get(),
      produces(text),
      handle((): string => {
        throw new RangeError('mapped')
      }),
    ),
  }),
  withFilter(
    requestFilter({ fails: { 410: file } }, async ({ request }) =>
      request.path.endsWith('/filtered') ? reply(410, await opened()) : undefined,
    ),
  ),
  withMapper(
    mapError(RangeError, { fails: { 411: file } }, async () => reply(411, await opened())),
  ),
)

const api = routes({
  failing: pipe(prefix('/failing')(routes(operations)), withFilter(failing)),
  replacing: pipe(prefix('/replacing')(routes(operations)), withFilter(replacing)),
  sent: prefix('/sent')(routes(operations)),
  others,
  failingOthers: pipe(prefix('/failing')(others), withFilter(failing)),
})

contract('an open file that is not sent', api, (test, call) => {
  const ask = async (to: string, headers: Readonly<Record<string, string>> = {}) => {
    handles.length = 0
    const response = await call(new Request(`${base}${to}`, { headers }))
    await response.arrayBuffer()
    return response.status
  }
  table(
    test,
    [
      ['/failing/single', 500, 1],
      ['/failing/part', 500, 1],
      ['/failing/badly', 500, 1],
      ['/failing/record', 500, 3],
      ['/failing/list', 500, 2],
      ['/replacing/single', 202, 1],
      ['/replacing/record', 202, 3],
      ['/sent/single', 200, 1],
      ['/sent/part', 200, 1],
      ['/sent/record', 200, 3],
      ['/sent/list', 200, 2],
      ['/empty', 204, 1],
      ['/undeclared', 500, 1],
      ['/alternative', 200, 1],
      ['/second', 404, 1],
      ['/filtered', 410, 1],
      ['/mapped', 411, 1],
      ['/failing/filtered', 500, 1],
      ['/failing/mapped', 500, 1],
    ] as const,
    async (to, status, count) => {
      assert.is(await ask(to, to === '/alternative' ? { Accept: 'application/json' } : {}), status)
      assert.is(handles.length, count)
      await until(() => handles.every(isClosed))
    },
  )
})
