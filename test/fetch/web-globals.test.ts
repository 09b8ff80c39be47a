/** A bundle of a fetch handler in a realm that has only the globals of web standards. */
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import * as assert from 'uvu/assert'
import { describe, table } from '../support/describe.ts'

const program = `
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import {
    body, broadcaster, compressed, form, get, handle, int, json, limits, path, post, produces, query, routes, sse, string, text, upload,
  } from './dist/espalier/index.js'
  import { toFetchHandler } from './dist/espalier/fetch.js'

  const api = routes({
    sum: pipe(path('/sum/{a}', { a: int }), query({ b: int }), get(), produces(json(t.number)),
      handle(({ path: { a }, query: { b } }) => a + b)),
    echo: pipe(path('/echo'), post(), body(json(t.type({ title: t.string }))), compressed, produces(json(t.type({ title: t.string }))),
      handle(({ body }) => body)),
    events: pipe(path('/events'), get(), produces(sse(string)),
      handle(async function* () { yield 'one'; await new Promise((resolve) => setTimeout(resolve, 5)); yield 'two' })),
    upload: pipe(path('/upload'), post(), form({ cover: upload }), produces(text),
      handle(async ({ form: { cover } }) => cover.fileName + ' ' + new TextDecoder().decode(await cover.read()))),
    late: pipe(path('/late'), get(), limits({ timeout: 10 }), produces(text), handle(() => new Promise(() => {}))),
  })
  broadcaster(string).publish('a')
  export const handler = toFetchHandler(api, { 'fw.http.enable-compression': true, 'fw.http.enable-decompression': true, 'fw.http.compression-threshold': 0 })
`

/** The globals of a runtime that implements web standards only. */
const webGlobals = {
  AbortController,
  AbortSignal,
  Blob,
  CompressionStream,
  DecompressionStream,
  DOMException,
  FormData,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  console,
  crypto,
  performance,
  queueMicrotask,
  // buffers of the other realm would not be instances of the classes of this realm
  ArrayBuffer,
  Uint8Array,
}

type Handler = (request: Request) => Promise<Response>

const load = async (globals: object): Promise<Handler> => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'iife',
    globalName: 'service',
    logLevel: 'error',
    supported: { 'dynamic-import': true },
    external: ['yaml', 'jose', 'swagger-ui-dist'],
  })
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports)
  assert.equal(
    imported.filter(({ path }) => path.startsWith('node:')),
    [],
  )
  assert.ok(imported.length > 100)
  const context = createContext({ ...globals })
  const code = outputFiles[0]?.text ?? ''
  const service: unknown = runInContext(`${code}; service.handler`, context)
  return service as Handler
}

describe('a fetch handler with web standards only', (test, { before }) => {
  let handler: Handler
  before(async () => {
    handler = await load({
      ...webGlobals,
      // as on other platforms, timers are numbers
      setTimeout: (run: () => void, delay: number) => Number(setTimeout(run, delay)),
      clearTimeout: (id: number | undefined) => clearTimeout(id),
    })
  })
  const send = (target: string, init: RequestInit = {}): Promise<Response> =>
    handler(new Request(`http://service.test${target}`, init))
  const form = new FormData()
  form.set('cover', new Blob(['pixels']), 'emma.png')
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
  table<readonly [title: string, target: string, init: RequestInit, status: number, text: string]>(
    test,
    [
      ['parameters', '/sum/1?b=2', {}, 200, '3'],
      ['JSON', '/echo', { ...post, body: '{"title":"Emma"}' }, 200, '{"title":"Emma"}'],
      ['events', '/events', {}, 200, 'data: one\n\ndata: two\n\n'],
      ['an upload', '/upload', { method: 'POST', body: form }, 200, 'emma.png pixels'],
    ],
    async (_, target, init, status, expected) => {
      const response = await send(target, init)
      assert.equal([response.status, await response.text()], [status, expected])
    },
  )
  table<readonly [title: string, target: string, init: RequestInit, status: number]>(
    test,
    [
      ['an unknown path', '/unknown', {}, 404],
      ['an invalid parameter', '/sum/1?b=x', {}, 400],
      ['an invalid body', '/echo', { ...post, body: '{"title":1}' }, 400],
      ['a timeout', '/late', {}, 503],
    ],
    async (_, target, init, status) => {
      const response = await send(target, init)
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      assert.is(response.status, status)
    },
  )
  test('a compressed response', async () => {
    const headers = { ...post.headers, 'Accept-Encoding': 'br, gzip' }
    const response = await send('/echo', { ...post, headers, body: '{"title":"Emma"}' })
    assert.is(response.headers.get('content-encoding'), 'gzip')
    const text = response.body?.pipeThrough(new DecompressionStream('gzip'))
    assert.is(await new Response(text ?? null).text(), '{"title":"Emma"}')
  })
  test('a compressed request', async () => {
    const compressed = new Blob(['{"title":"Emma"}'])
      .stream()
      .pipeThrough(new CompressionStream('gzip'))
    const response = await send('/echo', {
      method: 'POST',
      headers: { ...post.headers, 'Content-Encoding': 'gzip' },
      body: await new Response(compressed).arrayBuffer(),
    })
    assert.is(await response.text(), '{"title":"Emma"}')
  })
  test('the realm has no globals of Node.js', () => {
    const names = ['process', 'Buffer', 'setImmediate', 'require', 'global']
    const context = createContext({ ...webGlobals })
    assert.equal(
      names.map((name): unknown => runInContext(`typeof ${name}`, context)),
      names.map(() => 'undefined'),
    )
  })
})
