/**
 * The tests that every runner runs: espalier with values of the realm in which the runner loads modules, and with values of
 * Node.js modules, whose realm can be another one.
 */
import { deepEqual, deepStrictEqual, match, rejects, strictEqual } from 'node:assert'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { runInNewContext } from 'node:vm'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as x from 'espalier'
import { promiseClient } from 'espalier/client'
import { jsonValue, lossless } from 'espalier/json'
import { jsonLogger, serve } from 'espalier/node'
import { inMemory } from 'espalier/testing'

/** Evaluates an expression in another realm. @type {(expression: string) => any} */
const foreign = (expression) => runInNewContext(`(${expression})`)

/** Passes a temporary directory to a function. @type {(run: (directory: string) => Promise<void>) => Promise<void>} */
const withDirectory = async (run) => {
  const directory = mkdtempSync(join(tmpdir(), 'espalier-runner-'))
  try {
    await run(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Returns a URL whose port is not open. @type {() => Promise<string>} */
const unusedUrl = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(`http://127.0.0.1:${port}`))
    })
  })

/** Serves a tree for the duration of a function. */
const withServer = (api, run) =>
  withDirectory(async (directory) => {
    const server = await serve(api, {
      'fw.http.port': 0,
      'fw.http.host': '127.0.0.1',
      'fw.shutdown.grace': 0,
      'fw.http.enable-decompression': true,
      'fw.log.level': 'off',
      profile: 'test',
      signals: false,
      directory,
    })
    try {
      await run(server.url)
    } finally {
      await server.close()
    }
  })

const Values = t.type({ ids: x.set(t.number), on: x.plainDate, at: x.instant })

const values = { ids: [2, 1], on: '2026-02-03', at: '2026-02-03T04:05:06Z' }

const api = x.routes({
  file: pipe(
    x.path('/file'),
    x.get(),
    x.produces(x.file),
    x.handle(() => '/missing/file.txt'),
  ),
  text: pipe(
    x.path('/text'),
    x.post(),
    x.body(x.text),
    x.produces(x.text),
    x.handle(({ body }) => body),
  ),
  bytes: pipe(
    x.path('/bytes'),
    x.get(),
    x.produces(x.bytes),
    x.handle(() => readFile(new URL(import.meta.url))),
  ),
  values: pipe(
    x.path('/values'),
    x.post(),
    x.body(x.json(Values)),
    x.produces(x.json(Values)),
    x.handle(({ body }) => body),
  ),
  query: pipe(
    x.path('/query'),
    x.get(),
    x.query({ ids: x.set(x.int) }),
    x.produces(x.json(t.number)),
    x.handle(({ query }) => query.ids.size),
  ),
  upload: pipe(
    x.path('/upload'),
    x.post(),
    x.form({ file: x.upload }),
    x.produces(x.text),
    x.handle(({ form }) => `${form.file.fileName} ${readFileSync(form.file.path, 'utf8')}`),
  ),
  stream: pipe(
    x.path('/stream'),
    x.get(),
    x.produces(x.jsonStream(t.number)),
    x.handle(() => Readable.from([1, 2])),
  ),
  web: pipe(
    x.path('/web'),
    x.get(),
    x.produces(x.byteStream),
    x.handle(() => new Blob(['web']).stream()),
  ),
  later: pipe(
    x.path('/later'),
    x.get(),
    x.produces(x.text),
    x.handle(() => foreign('Promise.resolve("later")')),
  ),
  left: pipe(
    x.path('/left'),
    x.get(),
    x.produces(x.text),
    x.fails(409, x.text),
    x.handle(() => E.left('conflict')),
  ),
  notFound: pipe(
    x.path('/not-found'),
    x.get(),
    x.produces(x.text),
    x.handle(() => {
      throw new x.NotFound('no such book')
    }),
  ),
  foreign: pipe(
    x.path('/foreign'),
    x.get(),
    x.produces(x.text),
    x.handle(() => {
      throw foreign('Object.assign(new RangeError("of another realm"), { code: "E1" })')
    }),
  ),
  json: pipe(
    x.path('/json'),
    x.post(),
    x.body(x.json(t.UnknownRecord)),
    x.responds(204),
    x.handle(() => {}),
  ),
})

const send = (target, init) => inMemory(api)(`http://localhost${target}`, init)

const post = (target, type, body) =>
  send(target, { method: 'POST', headers: { 'Content-Type': type }, body })

/** The tests, by title. @type {ReadonlyArray<readonly [title: string, run: () => Promise<void>]>} */
export const tests = [
  ['serve starts without settings files', () => withServer(api, async () => {})],
  ['a missing file results in 404', async () => strictEqual((await send('/file')).status, 404)],
  [
    'an unknown charset results in 415',
    async () => strictEqual((await post('/text', 'text/plain;charset=foo', 'x')).status, 415),
  ],
  [
    'malformed UTF-8 results in 400',
    async () =>
      strictEqual((await post('/text', 'text/plain', new Uint8Array([0xff]))).status, 400),
  ],
  [
    'malformed JSON results in 400 with a position',
    async () => {
      const response = await post('/json', 'application/json', '{"a":')
      strictEqual(response.status, 400)
      match(await response.text(), /malformed JSON/)
    },
  ],
  [
    'a network error names its cause',
    async () =>
      rejects(promiseClient(api, { baseUrl: await unusedUrl() }).left({}), /ECONNREFUSED/),
  ],
  [
    'bytes of a Node.js module are sent',
    async () => match(await (await send('/bytes')).text(), /The tests that every runner runs/),
  ],
  [
    'sets and dates are read and written',
    async () => {
      const response = await post('/values', 'application/json', JSON.stringify(values))
      deepStrictEqual([response.status, await response.text()], [200, JSON.stringify(values)])
    },
  ],
  [
    'a set is a query parameter',
    async () => strictEqual(await (await send('/query?ids=1&ids=2&ids=1')).text(), '2'),
  ],
  [
    'Temporal values of a handler are written',
    async () => {
      const tree = x.routes({
        day: pipe(
          x.path('/day'),
          x.get(),
          x.query({ on: x.plainDate }),
          x.produces(x.json(x.plainDate)),
          x.handle(({ query }) => query.on.add({ days: 1 })),
        ),
      })
      const response = await inMemory(tree)('http://localhost/day?on=2026-02-28')
      strictEqual(await response.text(), '"2026-03-01"')
    },
  ],
  [
    'a package that is loaded on demand is found',
    async () => {
      const echo = pipe(
        x.path('/{n:[a-z]+}', { n: x.string }),
        x.post(),
        x.body(x.json(jsonValue)),
        x.produces(x.json(jsonValue)),
        x.handle(({ body }) => body),
      )
      const response = await inMemory(pipe(x.routes({ echo }), lossless))('http://localhost/a', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '[12345678901234567890]',
      })
      strictEqual(await response.text(), '[12345678901234567890]')
    },
  ],
  [
    'a stream of Node.js is sent',
    async () => deepEqual(await (await send('/stream')).json(), [1, 2]),
  ],
  ['a web stream is sent', async () => strictEqual(await (await send('/web')).text(), 'web')],
  [
    'a promise of another realm is awaited',
    async () => strictEqual(await (await send('/later')).text(), 'later'),
  ],
  ['a Left is a declared failure', async () => strictEqual((await send('/left')).status, 409)],
  [
    'a thrown HttpError determines the status',
    async () => strictEqual((await send('/not-found')).status, 404),
  ],
  [
    'an error of another realm is logged with its message, code and stack',
    async () => {
      const lines = []
      const logger = jsonLogger({ write: (line) => lines.push(line) })
      const response = await inMemory(api, { logger })('http://localhost/foreign')
      strictEqual(response.status, 500)
      match(lines.join(''), /"name":"RangeError","message":"of another realm".*"code":"E1"/)
    },
  ],
  [
    'a mapper of a class of the language maps errors of another realm',
    async () => {
      const mapped = pipe(api, x.withMapper(x.mapError(RangeError, () => x.reply(418))))
      strictEqual((await inMemory(mapped)('http://localhost/foreign')).status, 418)
    },
  ],
  [
    'a Request is accepted in memory',
    async () => {
      const request = new Request('http://localhost/text', { method: 'POST', body: 'abc' })
      strictEqual(await (await inMemory(api)(request)).text(), 'abc')
    },
  ],
  [
    'an upload over a socket is received',
    () =>
      withServer(api, async (url) => {
        const { upload } = promiseClient(api, { baseUrl: url })
        const file = new File(['hello'], 'a.txt')
        const { body } = await upload({ form: { file } })
        strictEqual(body, 'a.txt hello')
      }),
  ],
  [
    'a missing file over a socket results in 404',
    () => withServer(api, async (url) => strictEqual((await fetch(`${url}/file`)).status, 404)),
  ],
  [
    'a compressed body over a socket is decoded',
    () =>
      withServer(api, async (url) => {
        const body = new Blob(['zipped']).stream().pipeThrough(new CompressionStream('gzip'))
        const response = await fetch(`${url}/text`, {
          method: 'POST',
          headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' },
          body,
          duplex: 'half',
        })
        strictEqual(await response.text(), 'zipped')
      }),
  ],
]
