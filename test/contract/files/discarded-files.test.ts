/** Open files of responses that are replaced, fail or are sent in part: every file is closed. */
import { mkdirSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  file,
  filePart,
  formDataPart,
  get,
  handle,
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
} from '../../../src/index.ts'
import { base, contract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'
import { createFile, newFolder } from '../../support/folder.ts'
import { waitUntil } from '../../support/wait-until.ts'

const folder = newFolder()
const lorem = createFile(folder, 'lorem.txt', 'Lorem ipsum')
mkdirSync(join(folder, 'directory'))

const handles: FileHandle[] = []
const openFile = async (): Promise<FileHandle> => {
  const fileHandle = await open(lorem)
  handles.push(fileHandle)
  return fileHandle
}
/** A file handle whose `close` rejects. */
const openFailing = async (): Promise<FileHandle> => {
  const fileHandle = await openFile()
  const close = fileHandle.close.bind(fileHandle)
  fileHandle.close = async () => {
    await close()
    throw new Error('close failed')
  }
  return fileHandle
}
const isClosed = ({ fd }: FileHandle): boolean => fd === -1

const failingFilter = responseFilter(({ status }) => {
  if (status < 500) throw new Error('a filter fails')
})
const replacingFilter = responseFilter(({ status }) => (status < 300 ? reply(202) : undefined))

const single = pipe(
  path('/single'),
  get(),
  produces(file),
  responds(201),
  handle(() => openFile()),
)
const part = pipe(
  path('/part'),
  get(),
  produces(file),
  handle(async () => filePart(await openFile(), { offset: 0, count: 5 })),
)
const failingClose = pipe(
  path('/failing-close'),
  get(),
  produces(file),
  handle(() => openFailing()),
)
const record = pipe(
  path('/record'),
  get(),
  produces(multipartOutput({ title: string, first: file, others: repeated(file) })),
  handle(async () => ({
    title: 'x',
    first: await openFile(),
    others: [await openFile(), filePart(await openFile(), { offset: 0, count: 1 })],
  })),
)
const list = pipe(
  path('/list'),
  get(),
  produces(multipartOutput),
  handle(async () => [
    formDataPart('a', await openFile(), file),
    formDataPart('b', filePart(await openFile(), { offset: 0, count: 1 }), file),
  ]),
)
const operations = { single, part, failingClose, record, list }

const others = pipe(
  routes({
    // The declared response has no body.
    empty: pipe(
      path('/empty'),
      get(),
      produces(file),
      responds(204),
      handle(async () => reply(204, await openFile()) as never),
    ),
    undeclared: pipe(
      path('/undeclared'),
      get(),
      produces(file),
      handle(async () => reply(299, await openFile()) as never),
    ),
    // The handler returns a file where JSON is negotiated.
    alternative: pipe(
      path('/alternative'),
      get(),
      produces(json(t.unknown), file),
      handle(openFile),
    ),
    // The first part cannot be opened, so the second is not read.
    second: pipe(
      path('/second'),
      get(),
      produces(multipartOutput({ first: file, second: file })),
      handle(async () => ({ first: join(folder, 'directory'), second: await openFile() })),
    ),
    filtered: pipe(
      path('/filtered'),
      get(),
      produces(text),
      handle(() => 'filtered'),
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
      request.path.endsWith('/filtered') ? reply(410, await openFile()) : undefined,
    ),
  ),
  withMapper(
    mapError(RangeError, { fails: { 411: file } }, async () => reply(411, await openFile())),
  ),
)

const api = routes({
  failing: pipe(prefix('/failing')(routes(operations)), withFilter(failingFilter)),
  replacing: pipe(prefix('/replacing')(routes(operations)), withFilter(replacingFilter)),
  sent: prefix('/sent')(routes(operations)),
  others,
  failingOthers: pipe(prefix('/failing')(others), withFilter(failingFilter)),
})

contract('open files of discarded responses are closed', api, (test, call) => {
  const send = async (target: string, headers: Readonly<Record<string, string>> = {}) => {
    handles.length = 0
    const response = await call(new Request(`${base}${target}`, { headers }))
    await response.arrayBuffer()
    return response.status
  }
  table(
    test,
    [
      ['/failing/single', 500, 1],
      ['/failing/part', 500, 1],
      ['/failing/failing-close', 500, 1],
      ['/failing/record', 500, 3],
      ['/failing/list', 500, 2],
      ['/replacing/single', 202, 1],
      ['/replacing/record', 202, 3],
      ['/sent/single', 200, 1],
      ['/sent/part', 200, 1],
      ['/sent/record', 200, 3],
      ['/sent/list', 200, 2],
      ['/empty', 500, 1],
      ['/undeclared', 500, 1],
      ['/alternative', 200, 1],
      ['/second', 404, 1],
      ['/filtered', 410, 1],
      ['/mapped', 411, 1],
      ['/failing/filtered', 500, 1],
      ['/failing/mapped', 500, 1],
    ] as const,
    async (target, status, count) => {
      assert.is(
        await send(target, target === '/alternative' ? { Accept: 'application/json' } : {}),
        status,
      )
      assert.is(handles.length, count)
      await waitUntil(() => handles.every(isClosed))
    },
  )
})
