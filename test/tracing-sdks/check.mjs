/**
 * Checks the spans of a server and a client with one SDK of OpenTelemetry. Each row is one request; it must have exactly one SERVER span.
 *
 *     node check.mjs <sdk-2|sdk-3> <with|without>    with or without the instrumentations of http and undici
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'

const [sdk = 'sdk-2', others = 'without'] = process.argv.slice(2)
const { register, exporter, otherInstrumentations } = await import(`./${sdk}/sdk.mjs`)
register()
const instrumentations = others === 'with' ? otherInstrumentations() : []
for (const instrumentation of instrumentations) instrumentation.enable()

// the hooks of instrumentations replace functions of modules that are loaded later
const require = createRequire(import.meta.url)
const { get } = require('node:http')
const { connect } = require('node:http2')
const { openTelemetry } = await import('../../dist/espalier/opentelemetry.js')
const { serve } = await import('../../dist/espalier/node.js')
const { promiseClient, retry } = await import('../../dist/espalier/client.js')
const { api: tree } = await import('./tree.mjs')
openTelemetry().enable()

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
const servers = {
  node: { 'fw.http.connection': 'node' },
  direct: { 'fw.http.connection': 'direct' },
  http2: { 'fw.http.http2-clear-text': true },
}

/** Sends a request over HTTP/1.1 or HTTP/2, and reads the response. */
const send = async (server, connection, target) => {
  if (connection === 'http2') {
    const session = connect(server.url)
    const stream = session.request({ ':path': target })
    stream.resume()
    await once(stream, 'end')
    return session.close()
  }
  const request = get(`${server.url}${target}`, { agent: false })
  const [response] = await once(request, 'response')
  response.resume()
  await once(response, 'end')
}

const disconnect = async (server, connection, target) => {
  if (connection === 'http2') {
    const session = connect(server.url)
    const stream = session.request({ ':path': target })
    stream.on('error', () => {})
    await wait(100)
    stream.close(8)
    await once(stream, 'close')
    return session.close()
  }
  const request = get(`${server.url}${target}`, { agent: false })
  request.on('error', () => {})
  await wait(100)
  // FIN alone could be a half-close, after which the client can still receive a response
  request.socket.resetAndDestroy()
}

const call = async (server, _connection, target) => {
  const client = promiseClient(tree, {
    baseUrl: server.url,
    policies: [retry({ times: 2, backoff: { first: '1ms' } })],
  })
  const [, id = '', failures = '0'] = /books\/(\d+)(?:\?failures=(\d))?/.exec(target) ?? []
  await client.book({ path: { id: Number(id) }, query: { failures: Number(failures) } })
}

const UNSET = 0
const ERROR = 2
const rows = [
  {
    title: 'success',
    target: '/books/7',
    run: send,
    expected: ['GET /books/{id}', 200, UNSET, undefined],
  },
  {
    title: '4xx',
    target: '/books/x',
    run: send,
    expected: ['GET /books/{id}', 404, UNSET, undefined],
  },
  { title: 'no route', target: '/other', run: send, expected: ['GET', 404, UNSET, undefined] },
  {
    title: '5xx',
    target: '/books/500',
    run: send,
    expected: ['GET /books/{id}', 500, ERROR, 'RangeError'],
  },
  {
    title: 'stream',
    target: '/books/7/pages',
    run: send,
    expected: ['GET /books/{id}/pages', 200, UNSET, undefined],
  },
  {
    title: 'disconnect',
    target: '/waiting',
    run: disconnect,
    expected: ['GET /waiting', undefined, UNSET, undefined],
  },
  {
    title: 'blocking',
    target: '/reports/7',
    run: send,
    expected: ['GET /reports/{id}', 200, UNSET, undefined],
  },
  {
    title: 'call',
    target: '/books/7',
    run: call,
    expected: ['GET /books/{id}', 200, UNSET, undefined],
  },
]

let [passed, failed] = [0, 0]
const check = async (title, run) => {
  try {
    await run()
    passed++
  } catch (error) {
    failed++
    console.log(`FAIL ${title}\n${error.message}\n`)
  }
}

const spansOf = (kind) => exporter.getFinishedSpans().filter((span) => span.kind === kind)
const [SERVER, CLIENT] = [1, 2]

/** Resolves to the spans of a kind, as soon as there are that many, and no more after a while. */
const awaitSpans = async (kind, count) => {
  for (let n = 0; n < 200 && spansOf(kind).length < count; n++) await wait(10)
  await wait(30)
  return spansOf(kind)
}

for (const [connection, settings] of Object.entries(servers)) {
  const server = await serve(tree, {
    module: new URL('./tree.mjs', import.meta.url).href,
    logger: silent,
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    'fw.worker.threads': 1,
    ...settings,
  })
  for (const { title, target, run, expected } of rows)
    await check(`${connection}: ${title}`, async () => {
      const [name, status, code, type] = expected
      // the client calls over HTTP/1.1
      exporter.reset()
      await run(server, run === call ? 'node' : connection, target)
      const spans = await awaitSpans(SERVER, 1)
      assert.equal(spans.length, 1, `SERVER spans: ${spans.map((span) => span.name).join(', ')}`)
      const [span] = spans
      assert.equal(span.name, name)
      assert.equal(span.attributes['http.route'], name.split(' ')[1])
      assert.equal(span.attributes['url.path'], target.replace(/\?.*/, ''))
      assert.equal(span.attributes['url.scheme'], 'http')
      const isOurs = span.instrumentationScope.name === 'espalier'
      assert.equal(
        isOurs,
        others === 'without' || connection === 'direct' || (connection === 'http2' && run !== call),
      )
      if (status !== undefined || isOurs)
        assert.equal(span.attributes['http.response.status_code'], status)
      if (!isOurs) return
      assert.equal(span.status.code, code)
      assert.equal(span.attributes['error.type'], type)
    })
  await check(`${connection}: each retry has one CLIENT and one SERVER span`, async () => {
    exporter.reset()
    await call(server, 'node', '/books/7?failures=2')
    const sent = await awaitSpans(CLIENT, 3)
    const received = await awaitSpans(SERVER, 3)
    assert.equal(sent.length, 3, sent.map(({ name }) => name).join(', '))
    assert.equal(received.length, 3)
    assert.deepEqual(
      sent.map((span) => span.attributes['http.request.resend_count']),
      [undefined, 1, 2],
    )
    // each SERVER span is the child of the CLIENT span of its attempt
    assert.deepEqual(
      received.map((span) => span.parentSpanContext?.spanId),
      sent.map((span) => span.spanContext().spanId),
    )
  })
  await server.close()
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
