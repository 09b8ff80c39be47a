/** `fw.http.limits.max-parsed-body-size`: bodies that are parsed as a whole, and what it does not apply to. */
import { gzipSync } from 'node:zlib'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal } from '../../src/hal.ts'
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
} from '../../src/index.ts'
import { lossless } from '../../src/json.ts'
import { xml, xmlRootElement } from '../../src/xml.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'
import { field, formOf, multipart } from '../support/multipart.ts'
import { element, exceeded, letters, note, octets, problem, sent } from '../support/sized-bodies.ts'

const Note = t.type({ a: t.string }, 'Note')
const Root = xmlRootElement('r')(t.type({ a: t.string }, 'Root'))
const Own = t.type({ own: t.number }, 'Own')
const ownReader = reader({
  mediaType: 'application/own',
  read: (received) => ({ own: received.length }),
})

const most = 1000

const done = (): void => undefined
const consume = async (chunks: AsyncIterable<unknown>): Promise<void> => {
  for await (const chunk of chunks) done.call(chunk)
}

const to = (at: string) => pipe(path(at), post())
/** Replaces the body by a short document, so that only the bytes on the wire can be too many. */
const shortened = readerInterceptor((_, proceed) =>
  proceed({ data: Buffer.from('<r><a>x</a></r>') }),
)

const parsed = routes({
  json: pipe(to('/json'), body(json(Note)), handle(done)),
  lossless: lossless(pipe(to('/lossless'), body(json(Note)), handle(done))),
  hal: pipe(to('/hal'), body(hal(Note)), handle(done)),
  xml: pipe(to('/xml'), body(xml(Root)), handle(done)),
  rawJson: pipe(to('/raw'), body(rawJson), handle(done)),
  text: pipe(to('/text'), body(text), handle(done)),
  html: pipe(to('/html'), body(html), handle(done)),
  bytes: pipe(to('/bytes'), body(bytes), handle(done)),
  form: pipe(to('/form'), form({ a: optional(string) }), handle(done)),
  formMap: pipe(to('/form-map'), body(formMap), handle(done)),
  own: pipe(
    routes({ own: pipe(to('/own'), body(entity(Own)), handle(done)) }),
    withReader(ownReader),
  ),
  intercepted: pipe(
    routes({ intercepted: pipe(to('/intercepted'), body(xml(Root)), handle(done)) }),
    withInterceptor(shortened),
  ),
})

const several = routes({
  either: pipe(to('/either'), body(json(Note), fileBody), handle(done)),
  stream: pipe(
    to('/stream'),
    body(byteStream),
    handle((input) => consume(input.body)),
  ),
  texts: pipe(
    to('/texts'),
    body(textStream),
    handle((input) => consume(input.body)),
  ),
  file: pipe(to('/file'), body(fileBody), handle(done)),
  parts: pipe(
    to('/parts'),
    form({ a: optional(string), note: optionalPart(part(json(Note))), n: optional(int) }),
    handle(done),
  ),
  allParts: pipe(to('/all-parts'), body(multipartInput), handle(done)),
  streamed: pipe(
    to('/streamed'),
    body(multipartStream),
    handle(async (input) => {
      for await (const { content } of input.body) await consume(content)
    }),
  ),
})

const urlEncoded = 'application/x-www-form-urlencoded'

type Make = (size: number) => string

const kinds: ReadonlyArray<readonly [to: string, type: string, make: Make]> = [
  ['/json', 'application/json', note],
  ['/json', 'application/json;charset=utf-8', note],
  ['/lossless', 'application/json', note],
  ['/hal', 'application/hal+json', note],
  ['/xml', 'application/xml', element],
  ['/raw', 'application/json', note],
  ['/text', 'text/plain', letters],
  ['/html', 'text/html', letters],
  ['/bytes', octets, letters],
  ['/form', urlEncoded, (n) => `a=${'x'.repeat(n - 2)}`],
  ['/form-map', urlEncoded, (n) => `a=${'x'.repeat(n - 2)}`],
  ['/own', 'application/own', letters],
  ['/intercepted', 'application/xml', letters],
]

contract(
  'max-parsed-body-size: bodies that are parsed as a whole',
  parsed,
  (test, call) => {
    table<readonly [at: string, type: string, make: Make]>(test, kinds, async (at, type, make) => {
      for (const size of [most - 1, most])
        assert.is((await call(sent(at, type, make(size)))).status, 204, `${size}`)
      const response = await call(sent(at, type, make(most + 1)))
      assert.equal(await problem(response), exceeded(most, 'max-parsed-body-size'))
    })
    table<readonly [title: string, at: string, type: string, make: Make]>(
      test,
      kinds.map(([at, ...kind]) => [`${at}, compressed`, at, ...kind] as const),
      async (_, at, type, make) => {
        const coding = { 'Content-Encoding': 'gzip' }
        const compressed = async (size: number): Promise<Response> =>
          call(sent(at, type, gzipSync(make(size)), coding))
        assert.is((await compressed(most)).status, 204)
        const response = await compressed(most + 1)
        assert.equal(await problem(response), exceeded(most, 'max-parsed-body-size'))
      },
    )
  },
  {
    'fw.http.limits.max-parsed-body-size': most,
    'fw.http.limits.max-form-attribute-size': 10_000,
    'fw.http.enable-decompression': true,
  },
)

const manyBytes = 5000

contract(
  'max-parsed-body-size: operations with several kinds of bodies',
  several,
  (test, call) => {
    test('the limit is chosen by Content-Type', async () => {
      assert.is((await call(sent('/either', 'application/json', note(most)))).status, 204)
      assert.is((await call(sent('/either', octets, letters(manyBytes)))).status, 204)
      assert.equal(
        await problem(await call(sent('/either', 'application/json', note(most + 1)))),
        exceeded(most, 'max-parsed-body-size'),
      )
      assert.equal(
        await problem(await call(sent('/either', octets, letters(manyBytes + 1)))),
        exceeded(manyBytes, 'max-body-size'),
      )
    })
    table(
      test,
      [
        ['/stream', octets],
        ['/texts', 'text/plain'],
        ['/file', octets],
      ] as const,
      async (at, type) => {
        assert.is((await call(sent(at, type, letters(manyBytes)))).status, 204)
        const response = await call(sent(at, type, letters(manyBytes + 1)))
        assert.equal(await problem(response), exceeded(manyBytes, 'max-body-size'))
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
      async (_, at, name, make) => {
        const withPart = (size: number): string => formOf(field(name, make(size)))
        assert.is((await call(sent(at, multipart, withPart(most)))).status, 204)
        const response = await call(sent(at, multipart, withPart(most + 1)))
        assert.equal(await problem(response), [
          413,
          `The form field "${name}" has more than ${most} bytes (fw.http.limits.max-parsed-body-size).`,
        ])
      },
    )
    test('does not apply to files of a form', async () => {
      const file = formOf(field('f', letters(2 * most), { fileName: 'f' }))
      assert.is((await call(sent('/parts', multipart, file))).status, 204)
      assert.is((await call(sent('/all-parts', multipart, file))).status, 204)
    })
    test('does not apply to a form as a whole', async () => {
      const parts = formOf(field('a', letters(800)), field('b', letters(800)))
      assert.is((await call(sent('/parts', multipart, parts))).status, 204)
    })
    test('does not apply to parts that a handler reads as streams', async () => {
      const large = formOf(field('a', letters(2 * most)))
      assert.is((await call(sent('/streamed', multipart, large))).status, 204)
    })
  },
  {
    'fw.http.limits.max-parsed-body-size': most,
    'fw.http.limits.max-body-size': manyBytes,
    'fw.http.limits.max-form-attribute-size': 4000,
  },
)

/** A request whose body has no end, and how much of it was read. */
const streamed = (chunk: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>) => {
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
  const call = inMemory(parsed, { 'fw.http.limits.max-parsed-body-size': most })
  test('an endless body is cancelled at the limit', async () => {
    const { state, request } = streamed(new Uint8Array(100), { 'Content-Type': octets })
    const response = await call(request)
    assert.equal(await problem(response), exceeded(most, 'max-parsed-body-size'))
    assert.ok(state.isCancelled && state.chunks < 15, `${state.chunks}`)
  })
  test('an announced length above the limit is rejected without reading', async () => {
    const announced = { 'Content-Type': octets, 'Content-Length': `${most + 1}` }
    const { state, request } = streamed(new Uint8Array(1), announced)
    const response = await call(request)
    assert.equal(await problem(response), exceeded(most, 'max-parsed-body-size'))
    assert.ok(state.chunks <= 1, `${state.chunks}`)
  })
})

contract(
  'max-parsed-body-size: of several limits the smallest applies',
  parsed,
  (test, call) => {
    test('max-body-size', async () => {
      const response = await call(sent('/json', 'application/json', note(501)))
      assert.equal(await problem(response), exceeded(500, 'max-body-size'))
    })
    test('max-xml-size', async () => {
      assert.is((await call(sent('/xml', 'application/xml', element(400)))).status, 204)
      const response = await call(sent('/xml', 'application/xml', element(401)))
      assert.equal(await problem(response), exceeded(400, 'max-xml-size'))
    })
    test('an intercepted body may exceed max-xml-size before it is replaced', async () =>
      assert.is((await call(sent('/intercepted', 'application/xml', element(450)))).status, 204))
  },
  {
    'fw.http.limits.max-parsed-body-size': most,
    'fw.http.limits.max-body-size': 500,
    'fw.http.limits.max-xml-size': 400,
  },
)
