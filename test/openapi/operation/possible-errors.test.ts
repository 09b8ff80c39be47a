/** The table of errors: the operations to which each row applies, and the responses that the server really sends. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  authenticated,
  basic,
  body,
  critical,
  del,
  file,
  get,
  handle,
  idempotent,
  int,
  json,
  limits,
  path,
  post,
  produces,
  query,
  rateLimit,
  rolesAllowed,
  routes,
  text,
  withEtag,
  withFilter,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { errorTable } from '../../../src/openapi/operation/possible-errors.ts'
import { describe } from '../../support/describe.ts'
import { checkResponse, describeTree, operationOf } from '../document.ts'

const readers = basic({
  realm: 'library',
  verify: ({ user }) => ({ name: user, roles: ['reader'] }),
})

const never = (): Promise<void> => new Promise(() => undefined)

/** Operations, each of which responds with one of the errors in the table to a certain request. */
const failing = (path_: string) =>
  pipe(
    routes({
      // no row of the table applies
      none: pipe(path('/none'), del(), critical, handle(never)),
      NotModified: pipe(
        path('/text'),
        get(),
        produces(withEtag('strong')(text)),
        handle(() => 'text'),
      ),
      BadRequest: pipe(
        path('/number'),
        get(),
        query({ n: int }),
        produces(text),
        handle(() => ''),
      ),
      Unauthorized: pipe(
        path('/me'),
        get(),
        authenticated,
        produces(text),
        handle(() => ''),
      ),
      Forbidden: pipe(
        path('/admin'),
        get(),
        rolesAllowed('admin'),
        produces(text),
        handle(() => ''),
      ),
      NotFound: pipe(
        path('/books/{id}', { id: int }),
        get(),
        produces(text),
        handle(() => ''),
      ),
      NotAcceptable: pipe(
        path('/page'),
        get(),
        produces(text),
        handle(() => ''),
      ),
      VersionChanged: pipe(
        path('/version'),
        get(),
        produces(withEtag('strong')(text)),
        handle(() => 'text'),
      ),
      PreconditionFailed: pipe(
        path('/file'),
        get(),
        produces(file),
        handle(() => path_),
      ),
      ContentTooLarge: pipe(
        path('/large'),
        post(),
        body(json(t.string)),
        limits({ bodySize: 4 }),
        handle(() => undefined),
      ),
      UnsupportedMediaType: pipe(
        path('/typed'),
        post(),
        body(json(t.string)),
        handle(() => undefined),
      ),
      Conflict: pipe(path('/running'), post(), idempotent(), handle(never)),
      UnprocessableContent: pipe(
        path('/keyed/{n}', { n: int }),
        post(),
        idempotent(),
        handle(never),
      ),
      RangeNotSatisfiable: pipe(
        path('/range'),
        get(),
        produces(file),
        handle(() => path_),
      ),
      TooManyRequests: pipe(
        path('/limited'),
        get(),
        rateLimit({ limit: 1, window: '1h' }),
        produces(text),
        handle(() => ''),
      ),
      ServiceUnavailable: pipe(
        path('/slow'),
        get(),
        limits({ timeout: 1 }),
        produces(text),
        handle(() => new Promise<string>(() => undefined)),
      ),
    }),
    withFilter(readers),
  )

type Send = ReturnType<typeof inMemory>

const at = 'http://localhost'
const authorization = `Basic ${btoa('ann:')}`

/** Sends requests with the same key, and returns the response to the last one. */
const repeat = async (send: Send, ...paths: ReadonlyArray<string>): ReturnType<Send> => {
  const responses = paths.map((target) =>
    send(`${at}${target}`, { method: 'POST', headers: { 'Idempotency-Key': 'a' } }),
  )
  return Promise.any(responses.slice(-1))
}

/** Requests that are rejected, by the name of the row. 504 needs a worker. */
const requests: Readonly<Record<string, (send: Send) => ReturnType<Send>>> = {
  NotModified: (send) => send(`${at}/text`, { headers: { 'If-None-Match': '*' } }),
  BadRequest: (send) => send(`${at}/number?n=one`),
  Unauthorized: (send) => send(`${at}/me`),
  Forbidden: (send) => send(`${at}/admin`, { headers: { authorization } }),
  NotFound: (send) => send(`${at}/books/one`),
  NotAcceptable: (send) => send(`${at}/page`, { headers: { accept: 'image/png' } }),
  VersionChanged: (send) => send(`${at}/version`, { headers: { 'If-Match': '"other"' } }),
  PreconditionFailed: (send) => send(`${at}/file`, { headers: { 'If-Match': '"other"' } }),
  ContentTooLarge: (send) =>
    send(`${at}/large`, {
      method: 'POST',
      body: '"too long"',
      headers: { 'Content-Type': 'application/json' },
    }),
  UnsupportedMediaType: (send) =>
    send(`${at}/typed`, { method: 'POST', body: 'a', headers: { 'Content-Type': 'text/plain' } }),
  Conflict: (send) => repeat(send, '/running', '/running'),
  UnprocessableContent: (send) => repeat(send, '/keyed/1', '/keyed/2'),
  RangeNotSatisfiable: (send) => send(`${at}/range`, { headers: { Range: 'bytes=100-' } }),
  TooManyRequests: async (send) => {
    await send(`${at}/limited`)
    return send(`${at}/limited`)
  },
  ServiceUnavailable: (send) => send(`${at}/slow`),
}

describe('the table of errors', (test, { before, after }) => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espalier-document-'))
    await writeFile(join(folder, 'file.txt'), 'text')
  })
  after(() => rm(folder, { recursive: true }))

  for (const { name, status } of errorTable.filter((row) => row.name !== 'GatewayTimeout'))
    test(`the response ${status} ${name} matches its description`, async () => {
      const tree = failing(join(folder, 'file.txt'))
      const response = await requests[name]?.(inMemory(tree))
      assert.is(response?.status, status)
      const document = describeTree(tree)
      const described = operationOf(document, name).responses[String(status)]
      assert.equal(described, { $ref: `#/components/responses/${name}` })
      if (response !== undefined) await checkResponse(document, name, response)
    })

  test('no row applies to an operation without input and output', () => {
    const document = describeTree(routes({ operation: pipe(path('/'), del(), critical) }))
    assert.equal(Object.keys(operationOf(document, 'operation').responses), ['204'])
  })
})
