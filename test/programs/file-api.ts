/** A route tree that sends files in all supported ways, and the files. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import {
  as,
  attachment,
  etag,
  fails,
  file,
  filePart,
  get,
  handle,
  lastModified,
  mediaType,
  ok,
  path,
  post,
  produces,
  query,
  responds,
  reply,
  int,
  json,
  routes,
  string,
  withHeader,
} from '../../src/index.ts'
import { fileResolver } from '../../src/node.ts'
import type { InMemoryCall } from '../../src/testing.ts'
import { base } from '../support/contract.ts'
import { createFile, newFolder, patternBytes } from '../support/folder.ts'

const folder = newFolder()
export const sizes = [0, 1, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 700_000]
for (const size of sizes) createFile(folder, `${size}.bin`, patternBytes(size))
const lorem = createFile(folder, 'lorem.txt', 'Lorem ipsum dolor sit amet')
createFile(folder, 'a.html', '<p>')
createFile(folder, 'unknown.zzz', 'z')
mkdirSync(join(folder, 'directory'))
execFileSync('mkfifo', [join(folder, 'pipe')])

const named = query({ name: string })
/** The names of opened files that have been closed. */
export const closed: string[] = []
const openRecorded = async (name: string) => {
  const fileHandle = await open(join(folder, name))
  const close = fileHandle.close.bind(fileHandle)
  fileHandle.close = () => {
    closed.push(name)
    return close()
  }
  return fileHandle
}

export const fileApi = routes({
  named: pipe(
    path('/named'),
    get(),
    named,
    produces(file),
    handle(({ query: { name } }) => join(folder, name)),
  ),
  png: pipe(
    path('/png'),
    get(),
    produces(as('image/png')(file)),
    handle(() => lorem),
  ),
  either: pipe(
    path('/either'),
    get(),
    produces(as('text/plain')(file), as('application/json')(file)),
    handle(() => lorem),
  ),
  number: pipe(
    path('/with-json'),
    get(),
    produces(json(int)),
    handle(() => 1),
  ),
  withJson: pipe(
    path('/with-json'),
    get(),
    produces(file),
    handle(() => lorem),
  ),
  posted: pipe(
    path('/posted'),
    post(),
    produces(file),
    handle(() => lorem),
  ),
  gone: pipe(
    path('/gone'),
    get(),
    fails(410, file),
    handle(() => reply(410, lorem)),
  ),
  created: pipe(
    path('/created'),
    get(),
    responds(203, file),
    handle(() => reply(203, lorem)),
  ),
  own: pipe(
    path('/own'),
    get(),
    produces(file),
    handle(() =>
      pipe(
        ok(lorem),
        etag('v1'),
        lastModified(new Date('2001-01-01T00:00:00Z')),
        mediaType('text/x-own'),
        withHeader('Cache-Control', 'max-age=60'),
      ),
    ),
  ),
  added: pipe(
    path('/added'),
    get(),
    produces(file),
    handle((_, { response }) => {
      response.addHeader('ETag', '"v1"')
      response.addHeader('Last-Modified', 'Mon, 01 Jan 2001 00:00:00 GMT')
      response.addHeader('Accept-Ranges', 'none')
      return lorem
    }),
  ),
  unranged: pipe(
    path('/unranged'),
    get(),
    produces(file),
    handle(() => pipe(ok(lorem), withHeader('Accept-Ranges', 'none'))),
  ),
  kept: pipe(
    path('/kept'),
    get(),
    produces(file),
    handle(() => pipe(ok(lorem), attachment('ä.txt'))),
  ),
  part: pipe(
    path('/part'),
    get(),
    query({ offset: int, count: int }),
    produces(file),
    handle(({ query: part }) => filePart(lorem, part)),
  ),
  missingPart: pipe(
    path('/missing-part'),
    get(),
    produces(file),
    handle(() => filePart(join(folder, 'missing'), { offset: 0, count: 1 })),
  ),
  open: pipe(
    path('/open'),
    get(),
    named,
    produces(file),
    handle(({ query: { name } }) => openRecorded(name)),
  ),
  openPart: pipe(
    path('/open-part'),
    get(),
    query({ offset: int, count: int }),
    produces(file),
    handle(async ({ query: part }) => filePart(await openRecorded('lorem.txt'), part)),
  ),
  found: pipe(
    path('/found'),
    get(),
    named,
    produces(file),
    fails(404),
    handle(({ query: { name } }) => fileResolver(folder)(name)),
  ),
})
type Send = (
  path: string,
  headers?: Readonly<Record<string, string>>,
  method?: string,
) => Promise<Response>

/** Creates a function that sends a request to a path. */
export const createSend =
  (call: InMemoryCall): Send =>
  (target, headers = {}, method = 'GET') =>
    call(new Request(`${base}${target}`, { method, headers }))
