/** `fw.http.limits.max-parsed-body-size`: applies to buffered and parsed bodies, but not to streams and files. */
import { gzipSync } from 'node:zlib'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal } from '../../../src/hal.ts'
import {
  body,
  byteStream,
  bytes,
  entity,
  fileBody,
  form,
  formMap,
  handle,
  html,
  int,
  json,
  multipartInput,
  multipartStream,
  optional,
  optionalPart,
  part,
  path,
  post,
  rawJson,
  reader,
  readerInterceptor,
  routes,
  string,
  text,
  textStream,
  withInterceptor,
  withReader,
} from '../../../src/index.ts'
import { lossless } from '../../../src/json.ts'
import { xml, xmlRootElement } from '../../../src/xml.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'
import { element, exceeded, letters, note, binary, problem, postRequest } from './sized-bodies.ts'

const Note = t.type({ a: t.string }, 'Note')
const Root = xmlRootElement('r')(t.type({ a: t.string }, 'Root'))
const Custom = t.type({ length: t.number }, 'Custom')
const customReader = reader({
  mediaType: 'application/x-custom',
  read: (received) => ({ length: received.length }),
})

const limit = 1000

const done = (): void => undefined
const consume = async (chunks: AsyncIterable<unknown>): Promise<void> => {
  for await (const chunk of chunks) done.call(chunk)
}

const postTo = (target: string) => pipe(path(target), post())

/** Replaces the body by a short document, so that only the number of bytes on the wire can exceed the limit. */
const shortened = readerInterceptor((_, proceed) =>
  proceed({ data: Buffer.from('<r><a>x</a></r>') }),
)

const parsed = routes({
  json: pipe(postTo('/json'), body(json(Note)), handle(done)),
  lossless: lossless(pipe(postTo('/lossless'), body(json(Note)), handle(done))),
  hal: pipe(postTo('/hal'), body(hal(Note)), handle(done)),
  xml: pipe(postTo('/xml'), body(xml(Root)), handle(done)),
  rawJson: pipe(postTo('/raw'), body(rawJson), handle(done)),
  text: pipe(postTo('/text'), body(text), handle(done)),
  html: pipe(postTo('/html'), body(html), handle(done)),
  bytes: pipe(postTo('/bytes'), body(bytes), handle(done)),
  form: pipe(postTo('/form'), form({ a: optional(string) }), handle(done)),
  formMap: pipe(postTo('/form-map'), body(formMap), handle(done)),
  custom: pipe(
    routes({ custom: pipe(postTo('/custom'), body(entity(Custom)), handle(done)) }),
    withReader(customReader),
  ),
  intercepted: pipe(
    routes({ intercepted: pipe(postTo('/intercepted'), body(xml(Root)), handle(done)) }),
    withInterceptor(shortened),
  ),
})

const operations = routes({
  either: pipe(postTo('/either'), body(json(Note), fileBody), handle(done)),
  stream: pipe(
    postTo('/stream'),
    body(byteStream),
    handle((input) => consume(input.body)),
  ),
  texts: pipe(
    postTo('/texts'),
    body(textStream),
    handle((input) => consume(input.body)),
  ),
  file: pipe(postTo('/file'), body(fileBody), handle(done)),
  parts: pipe(
    postTo('/parts'),
    form({ a: optional(string), note: optionalPart(part(json(Note))), n: optional(int) }),
    handle(done),
  ),
  allParts: pipe(postTo('/all-parts'), body(multipartInput), handle(done)),
  streamed: pipe(
    postTo('/streamed'),
    body(multipartStream),
    handle(async (input) => {
      for await (const { content } of input.body) await consume(content)
    }),
  ),
})

const urlEncoded = 'application/x-www-form-urlencoded'

type CreateBody = (size: number) => string

const kinds: ReadonlyArray<readonly [target: string, type: string, createBody: CreateBody]> = [
  ['/json', 'application/json', note],
  ['/json?charset', 'application/json;charset=utf-8', note],
  ['/lossless', 'application/json', note],
  ['/hal', 'application/hal+json', note],
  ['/xml', 'application/xml', element],
  ['/raw', 'application/json', note],
  ['/text', 'text/plain', letters],
  ['/html', 'text/html', letters],
  ['/bytes', binary, letters],
  ['/form', urlEncoded, (n) => `a=${'x'.repeat(n - 2)}`],
  ['/form-map', urlEncoded, (n) => `a=${'x'.repeat(n - 2)}`],
  ['/custom', 'application/x-custom', letters],
  ['/intercepted', 'application/xml', letters],
]

contract(
  'max-parsed-body-size: parsed bodies',
  parsed,
  (test, call) => {
    table<readonly [target: string, type: string, createBody: CreateBody]>(
      test,
      kinds,
      async (target, type, createBody) => {
        for (const size of [limit - 1, limit])
          assert.is(
            (await call(postRequest(target, type, createBody(size)))).status,
            204,
            `${size}`,
          )
        const response = await call(postRequest(target, type, createBody(limit + 1)))
        assert.equal(await problem(response), exceeded(limit, 'max-parsed-body-size'))
      },
    )
    table<readonly [title: string, target: string, type: string, createBody: CreateBody]>(
      test,
      kinds.map(([target, ...kind]) => [`${target}, compressed`, target, ...kind] as const),
      async (_, target, type, createBody) => {
        const coding = { 'Content-Encoding': 'gzip' }
        const compressed = async (size: number): Promise<Response> =>
          call(postRequest(target, type, gzipSync(createBody(size)), coding))
        assert.is((await compressed(limit)).status, 204)
        const response = await compressed(limit + 1)
        assert.equal(await problem(response), exceeded(limit, 'max-parsed-body-size'))
      },
    )
  },
  {
    'fw.http.limits.max-parsed-body-size': limit,
    'fw.http.limits.max-form-attribute-size': 10_000,
    'fw.http.enable-decompression': true,
  },
)

const bodyLimit = 5000

contract(
  'max-parsed-body-size: operations with several kinds of bodies',
  operations,
  (test, call) => {
    test('the limit applies to the body alternative selected by Content-Type', async () => {
      assert.is((await call(postRequest('/either', 'application/json', note(limit)))).status, 204)
      assert.is((await call(postRequest('/either', binary, letters(bodyLimit)))).status, 204)
      assert.equal(
        await problem(await call(postRequest('/either', 'application/json', note(limit + 1)))),
        exceeded(limit, 'max-parsed-body-size'),
      )
      assert.equal(
        await problem(await call(postRequest('/either', binary, letters(bodyLimit + 1)))),
        exceeded(bodyLimit, 'max-body-size'),
      )
    })
    table(
      test,
      [
        ['/stream', binary],
        ['/texts', 'text/plain'],
        ['/file', binary],
      ] as const,
      async (target, type) => {
        assert.is((await call(postRequest(target, type, letters(bodyLimit)))).status, 204)
        const response = await call(postRequest(target, type, letters(bodyLimit + 1)))
        assert.equal(await problem(response), exceeded(bodyLimit, 'max-body-size'))
      },
    )
    table(
      test,
      [
        ['a text field', '/parts', 'a', letters],
        ['a JSON part', '/parts', 'note', note],
        ['an undeclared part', '/parts', 'other', letters],
        ['a part of multipartInput', '/all-parts', 'a', letters],
      ] as const,
      async (_, target, name, createBody) => {
        const withPart = (size: number): string =>
          encodeMultipart(encodePart(name, createBody(size)))
        assert.is((await call(postRequest(target, multipartType, withPart(limit)))).status, 204)
        const response = await call(postRequest(target, multipartType, withPart(limit + 1)))
        assert.equal(await problem(response), [
          413,
          `The form field "${name}" is larger than ${limit} bytes (fw.http.limits.max-parsed-body-size).`,
        ])
      },
    )
    test('the limit does not apply to files of a form', async () => {
      const file = encodeMultipart(encodePart('f', letters(2 * limit), { fileName: 'f' }))
      assert.is((await call(postRequest('/parts', multipartType, file))).status, 204)
      assert.is((await call(postRequest('/all-parts', multipartType, file))).status, 204)
    })
    test('the limit does not apply to a form as a whole', async () => {
      const parts = encodeMultipart(encodePart('a', letters(800)), encodePart('b', letters(800)))
      assert.is((await call(postRequest('/parts', multipartType, parts))).status, 204)
    })
    test('the limit does not apply to parts that a handler reads as streams', async () => {
      const large = encodeMultipart(encodePart('a', letters(2 * limit)))
      assert.is((await call(postRequest('/streamed', multipartType, large))).status, 204)
    })
  },
  {
    'fw.http.limits.max-parsed-body-size': limit,
    'fw.http.limits.max-body-size': bodyLimit,
    'fw.http.limits.max-form-attribute-size': 4000,
  },
)

/** A request with an endless body, and a record of how much of it was read. */
const endlessRequest = (
  chunk: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
) => {
  const state = { chunks: 0, isCancelled: false }
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      state.chunks++
      controller.enqueue(chunk)
    },
    cancel: () => {
      state.isCancelled = true
    },
  })
  const init = { method: 'POST', body: stream, headers, duplex: 'half' } as const
  return { state, request: new Request(`${base}/bytes`, init) }
}

describe('max-parsed-body-size in memory', (test) => {
  const call = inMemory(parsed, { 'fw.http.limits.max-parsed-body-size': limit })
  test('an endless body is cancelled at the limit', async () => {
    const { state, request } = endlessRequest(new Uint8Array(100), { 'Content-Type': binary })
    const response = await call(request)
    assert.equal(await problem(response), exceeded(limit, 'max-parsed-body-size'))
    assert.ok(state.isCancelled && state.chunks < 15, `${state.chunks}`)
  })
  test('a Content-Length above the limit is rejected without reading the body', async () => {
    const tooLong = { 'Content-Type': binary, 'Content-Length': `${limit + 1}` }
    const { state, request } = endlessRequest(new Uint8Array(1), tooLong)
    const response = await call(request)
    assert.equal(await problem(response), exceeded(limit, 'max-parsed-body-size'))
    assert.ok(state.chunks <= 1, `${state.chunks}`)
  })
})

contract(
  'max-parsed-body-size with smaller limits',
  parsed,
  (test, call) => {
    test('a smaller max-body-size applies instead of max-parsed-body-size', async () => {
      const response = await call(postRequest('/json', 'application/json', note(501)))
      assert.equal(await problem(response), exceeded(500, 'max-body-size'))
    })
    test('a smaller max-xml-size applies instead of max-parsed-body-size', async () => {
      assert.is((await call(postRequest('/xml', 'application/xml', element(400)))).status, 204)
      const response = await call(postRequest('/xml', 'application/xml', element(401)))
      assert.equal(await problem(response), exceeded(400, 'max-xml-size'))
    })
    test('an intercepted body may exceed max-xml-size before it is replaced', async () =>
      assert.is(
        (await call(postRequest('/intercepted', 'application/xml', element(450)))).status,
        204,
      ))
  },
  {
    'fw.http.limits.max-parsed-body-size': limit,
    'fw.http.limits.max-body-size': 500,
    'fw.http.limits.max-xml-size': 400,
  },
)
