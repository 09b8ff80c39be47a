import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  byteStream,
  bytes,
  fails,
  file,
  formMap,
  get,
  inLanguage,
  int,
  json,
  jsonStream,
  list,
  multipartOutput,
  ndjson,
  path,
  problem,
  produces,
  rawJson,
  repeated,
  representation,
  responds,
  responseHeader,
  routes,
  sse,
  status,
  string,
  text,
  textStream,
} from '../../../src/index.ts'
import { hal } from '../../../src/hal.ts'
import { xml } from '../../../src/xml.ts'
import { cbor } from '../../../src/cbor.ts'
import type { AnyRepresentation } from '../../../src/endpoint/representation.ts'
import { mockServer } from '../../../src/openapi.ts'
import type { MockServerOptions } from '../../../src/openapi.ts'
import { inMemory } from '../../../src/testing.ts'
import type { AnyNode, Routes } from '../../../src/endpoint/routes.ts'
import { makeRoutes } from '../../../src/endpoint/routes.ts'
import { describe, table } from '../../support/describe.ts'

const origin = 'http://localhost'

const sender = <T, R, E>(tree: Routes<T, R, E>, options?: MockServerOptions) => {
  const send = inMemory(mockServer(tree, options))
  return (target: string, init?: RequestInit) => send(`${origin}${target}`, init)
}

const responseOf = async (...alternatives: ReadonlyArray<AnyRepresentation>) => {
  const endpoint = pipe(path('/a'), get(), produces(...alternatives))
  return sender(routes({ endpoint }))('/a')
}

describe('bodies of mock servers', (test) => {
  const image = as('image/png')(file)
  const Point = t.type({ x: int, y: int }, 'Point')
  table<readonly [name: string, format: AnyRepresentation, type: string | RegExp, body: RegExp]>(
    test,
    [
      ['json(Point)', json(Point), 'application/json', /^\{"x":\d+,"y":\d+\}$/],
      ['json(t.unknown)', json(t.unknown), 'application/json', /^"\w+"$/],
      [
        'as("application/vnd.point+json")(json(Point))',
        as('application/vnd.point+json')(json(Point)),
        'application/vnd.point+json',
        /"x"/,
      ],
      ['hal(Point)', hal(Point), 'application/hal+json', /"x":\d+/],
      [
        'hal(list(Point))',
        hal(list(Point)),
        'application/hal+json',
        /"_embedded":\{"items":\[\{"x":\d+/,
      ],
      ['xml(Point)', xml(Point), 'application/xml', /<point>.*<x>\d+<\/x>/i],
      ['cbor(Point)', cbor(Point), 'application/cbor', /x/],
      ['text', text, 'text/plain;charset=UTF-8', /^The .*\.$/],
      ['rawJson', rawJson, 'application/json', /^\{"text":".+"\}$/],
      ['formMap', formMap, /^application\/x-www-form-urlencoded/, /^text=The/],
      ['bytes', bytes, 'application/octet-stream', /^The/],
      ['as("image/gif")(bytes)', as('image/gif')(bytes), 'image/gif', /^GIF89a/],
      ['byteStream', byteStream, 'application/octet-stream', /^The/],
      [
        'jsonStream(Point)',
        jsonStream(Point),
        'application/json',
        /^\[(\{"x":\d+,"y":\d+\},?){3}\]$/,
      ],
      ['ndjson(Point)', ndjson(Point), /ndjson/, /^(\{"x":\d+,"y":\d+\}\n){3}$/],
      ['textStream', textStream, 'text/plain;charset=UTF-8', /^(The .*\.\n){3}$/],
      [
        'sse(Point)',
        sse(Point),
        /^text\/event-stream/,
        /^(id: \d\ndata: \{"x":\d+,"y":\d+\}\n\n){3}$/,
      ],
      ['sse(text)', sse(text), /^text\/event-stream/, /^(id: \d\ndata: The .*\n\n){3}$/],
      ['file', file, 'text/plain;charset=UTF-8', /^The/],
      ['image', image, 'image/png', /PNG/],
      ['as("image/*")(file)', as('image/*')(file), 'image/png', /PNG/],
      ['as("text/csv")(file)', as('text/csv')(file), /^text\/csv/, /^id,text\r\n/],
      ['multipartOutput', multipartOutput, /^multipart\/form-data; ?boundary=/, /name="?text"?/],
      [
        'multipartOutput of a record',
        multipartOutput({ name: string, point: json(Point), tags: repeated(text), picture: image }),
        /^multipart\/form-data; ?boundary=/,
        /name="?name"?[^]*\{"x":\d+[^]*name="?tags"?[^]*name="?tags"?[^]*PNG/,
      ],
      ['problem', problem, 'application/problem+json', /./],
      ['inLanguage("de")(text)', inLanguage('de')(text), 'text/plain;charset=UTF-8', /./],
    ],
    async (_, format, type, expected) => {
      const response = await responseOf(format)
      const content = await response.text()
      assert.is(response.status, 200, content)
      const actual = response.headers.get('Content-Type') ?? ''
      if (typeof type === 'string') assert.is(actual, type)
      else assert.match(actual, type)
      assert.match(content, expected)
    },
  )
  test('all representations of a response contain the same value', async () => {
    const csv = representation({
      mediaType: 'text/csv',
      write: ({ x, y }: t.TypeOf<typeof Point>) => `${x},${y}`,
    })
    const endpoint = pipe(path('/a'), get(), produces(json(Point), xml(Point), hal(Point), csv))
    const send = sender(routes({ endpoint }))
    const accept = async (type: string) => (await send('/a', { headers: { Accept: type } })).text()
    const { x, y } = JSON.parse(await accept('application/json'))
    assert.is(await accept('text/csv'), `${x},${y}`)
    assert.match(await accept('application/xml'), new RegExp(`<x>${x}</x>\\s*<y>${y}</y>`))
    assert.is(JSON.parse(await accept('application/hal+json')).x, x)
    assert.is((await send('/a', { headers: { Accept: 'image/png' } })).status, 406)
  })
  test('parts of a multipart response contain the values of path variables', async () => {
    const parts = multipartOutput({ id: string, point: json(t.type({ id: int })), other: string })
    const endpoint = pipe(path('/a/{id}', { id: int }), get(), produces(parts))
    const content = await (await sender(routes({ endpoint }))('/a/17')).text()
    assert.match(content, /name="?id"?[^]*\r\n\r\n17\r\n[^]*\{"id":17\}/)
    assert.not.match(content, /name="?other"?[^]*\r\n\r\n17\r\n/)
  })
  test('representations with different types are selected by content negotiation', async () => {
    const endpoint = pipe(
      path('/a'),
      get(),
      produces(json(Point), inLanguage('de')(text), inLanguage('en')(text)),
    )
    const send = sender(routes({ endpoint }))
    assert.match(await (await send('/a')).text(), /"x"/)
    const german = await send('/a', { headers: { Accept: 'text/plain', 'Accept-Language': 'de' } })
    assert.is(german.headers.get('Content-Language'), 'de')
    assert.match(await german.text(), /^The/)
  })
  test('an event stream continues at an interval until the client disconnects', async () => {
    const tree = routes({ feed: pipe(path('/feed'), get(), produces(sse(Point))) })
    const response = await sender(tree, { eventInterval: 1 })('/feed')
    const ids: string[] = []
    let rest = ''
    const decoder = new TextDecoder()
    const reader = response.body?.getReader()
    assert.ok(reader !== undefined)
    while (ids.length < 10) {
      const { value, done } = await reader.read()
      assert.is(done, false)
      rest += decoder.decode(value, { stream: true })
      ids.splice(0, ids.length, ...[...rest.matchAll(/^id: (\d+)$/gm)].map(([, id = '']) => id))
    }
    await reader.cancel()
    assert.equal(ids.slice(0, 3), ['1', '2', '3'])
  })
  table<
    readonly [
      name: string,
      endpoint: AnyNode,
      status: number,
      headers?: Readonly<Record<string, string>>,
    ]
  >(
    test,
    [
      ['status', pipe(path('/a'), get(), status(202), produces(text)), 202],
      ['no body', pipe(path('/a'), get()), 204],
      ['status without a body', pipe(path('/a'), get(), status(205)), 205],
      ['201', pipe(path('/a'), get(), responds(201)), 201, { location: '/a' }],
      ['303', pipe(path('/a'), get(), responds(303)), 303, { location: '/' }],
      ['two success responses', pipe(path('/a'), get(), responds(200, text), responds(202)), 200],
      ['304 before 200', pipe(path('/a'), get(), responds(304), responds(200, text)), 200],
      ['a failure', pipe(path('/a'), get(), fails(404), produces(text)), 200],
      [
        'responseHeader',
        pipe(path('/a'), get(), produces(text), responseHeader('X-A', 'b')),
        200,
        { 'x-a': 'b' },
      ],
    ],
    async (_, endpoint, expected, headers = {}) => {
      const tree = makeRoutes<{}, {}, {}>(new Map([['a', endpoint]]), [])
      const response = await sender(tree)('/a')
      assert.is(response.status, expected)
      for (const [name, value] of Object.entries(headers))
        assert.is(response.headers.get(name), value)
    },
  )
})
