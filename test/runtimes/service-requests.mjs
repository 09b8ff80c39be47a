/** Sends requests from Node.js to a service on workerd, Deno and Bun, and checks the responses. */
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { bundle } from './bundle.mjs'
import { startModule, startWorker } from './runtimes.mjs'

/** Sends a request. Resolves to the response with its whole body. */
const send = (url, { method = 'GET', headers = {}, body, chunks } = {}) =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent: false }, (received) => {
      const parts = []
      received.on('data', (chunk) => parts.push(chunk))
      received.on('error', reject)
      received.on('end', () => {
        const bytes = Buffer.concat(parts)
        // miniflare accepts gzip on behalf of its clients
        const text =
          received.headers['content-encoding'] === 'gzip' && bytes.length > 0
            ? gunzipSync(bytes)
            : bytes
        resolve({
          status: received.statusCode,
          headers: received.headers,
          bytes,
          text: text.toString(),
        })
      })
    })
    sent.on('error', reject)
    if (chunks === undefined) sent.end(body)
    else {
      for (const chunk of chunks) sent.write(chunk)
      sent.end()
    }
  })

/** Starts a request. Resolves to the response before its body has been read. */
const open = (url) =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(url, { agent: false }, (received) => {
      received.on('error', () => undefined)
      resolve({ received, close: () => sent.destroy() })
    })
    sent.on('error', reject)
    sent.end()
  })

const until = async (condition, describe = () => '') => {
  for (let times = 0; times < 400; times++) {
    if (await condition()) return
    await wait(25)
  }
  throw new Error(`the condition did not become true within 10 s ${await describe()}`)
}

const post = (body, type = 'application/json') => ({
  method: 'POST',
  headers: { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) },
  body,
})

const isProblem = ({ headers }) => assert.equal(headers['content-type'], 'application/problem+json')

/** The checks. `seen` returns what handlers have observed. */
const checks = {
  'a slot is filled with the value of the runtime, and cookies are separate headers': async (
    base,
  ) => {
    const { text, headers } = await send(`${base}/hello`)
    assert.equal(text, 'Hello from a binding')
    assert.equal(headers['set-cookie']?.length, 2)
  },
  'clientAddress is called with the request': async (base) =>
    assert.equal(
      (await send(`${base}/address`, { headers: { 'X-Peer': '203.0.113.9' } })).text,
      '203.0.113.9',
    ),
  'parameters are decoded and validated': async (base) => {
    assert.equal((await send(`${base}/sum/1?b=2`)).text, '3')
    const invalid = await send(`${base}/sum/1?b=x`)
    assert.equal(invalid.status, 400)
    isProblem(invalid)
  },
  'JSON bodies are read, validated and written': async (base) => {
    assert.equal(
      (await send(`${base}/echo`, post('{"title":"Emma","more":1}'))).text,
      '{"title":"Emma"}',
    )
    assert.equal((await send(`${base}/echo`, post('{"title":1}'))).status, 400)
    assert.equal((await send(`${base}/echo`, post('a', 'text/plain'))).status, 415)
  },
  'HEAD has the length of GET and no body': async (base) => {
    const full = await send(`${base}/large`)
    const { status, headers, bytes } = await send(`${base}/large`, { method: 'HEAD' })
    assert.deepEqual(
      [status, headers['content-length'], bytes.length],
      [200, String(full.bytes.length), 0],
    )
  },
  '204 and 304 have no body': async (base) => {
    const nothing = await send(`${base}/nothing`)
    assert.deepEqual([nothing.status, nothing.bytes.length], [204, 0])
    const { headers } = await send(`${base}/tagged`)
    const cached = await send(`${base}/tagged`, {
      headers: { 'If-None-Match': headers.etag ?? '' },
    })
    assert.deepEqual([cached.status, cached.bytes.length], [304, 0])
  },
  'unknown paths and methods are rejected': async (base) => {
    assert.equal((await send(`${base}/unknown`)).status, 404)
    const { status, headers } = await send(`${base}/hello`, { method: 'PUT' })
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'])
  },
  'an upload of 3 MB is read from memory': async (base) => {
    const content = Buffer.alloc(3_000_000, 7)
    const data = new FormData()
    data.set('title', 'Emma')
    data.set('cover', new Blob([content]), 'emma.png')
    const response = await fetch(`${base}/upload`, { method: 'POST', body: data })
    assert.equal(await response.text(), `Emma emma.png 3000000 ${(7 * 3_000_000) % 65_521}`)
  },
  'a malformed multipart body is rejected': async (base) =>
    assert.equal(
      (await send(`${base}/upload`, post('--x\r\n', 'multipart/form-data; boundary=x'))).status,
      400,
    ),
  'a request body of unknown length is streamed': async (base) => {
    const chunks = Array.from({ length: 50 }, () => Buffer.alloc(100_000, 'a'))
    const headers = { 'Content-Type': 'application/octet-stream' }
    assert.equal((await send(`${base}/count`, { method: 'POST', headers, chunks })).text, '5000000')
  },
  'a body above the limit results in 413, with and without a length': async (base) => {
    const content = 'a'.repeat(2000)
    const type = 'application/octet-stream'
    assert.equal((await send(`${base}/small`, post(content, type))).status, 413)
    assert.equal((await send(`${base}/hello`)).status, 200)
    const headers = { 'Content-Type': type }
    const { status } = await send(`${base}/small`, {
      method: 'POST',
      headers,
      chunks: [content, content],
    })
    assert.equal(status, 413)
  },
  'a long URL results in 414': async (base) => {
    const { status } = await send(`${base}/${'a'.repeat(3000)}`)
    assert.equal(status, 414)
  },
  'dates are read with Temporal': async (base) => {
    assert.equal((await send(`${base}/date?day=2024-02-28`)).text, '2024-02-29')
    assert.equal((await send(`${base}/date?day=2024-02-30`)).status, 400)
  },
  'an event that one request publishes reaches the subscriber of another': async (base) => {
    const subscription = open(`${base}/subscribe`)
    await wait(300)
    const published = await send(`${base}/publish`, { method: 'POST' })
    assert.equal(published.status, 204)
    const { received, close } = await subscription
    let text = ''
    received.on('data', (chunk) => (text += chunk))
    await until(
      () => text.includes('data: news'),
      () => JSON.stringify(text),
    ).finally(close)
  },
  'events arrive one after the other': async (base) => {
    const { received } = await open(`${base}/events`)
    const chunks = []
    for await (const chunk of received) chunks.push(String(chunk))
    // on a slow machine, there are heartbeats between the events
    const events = chunks.join('').replaceAll(':\n\n', '')
    assert.equal(events, 'data: one\n\ndata: two\n\ndata: three\n\n')
    assert.ok(chunks.length >= 2, JSON.stringify(chunks))
  },
  'a disconnect closes a stream once and aborts its signal': async (base, seen) => {
    const before = await seen()
    const { received, close } = await open(`${base}/endless`)
    await new Promise((resolve) => received.once('data', resolve))
    close()
    await until(
      async () => (await seen()).closed > before.closed,
      async () => JSON.stringify(await seen()),
    )
    await wait(100)
    const after = await seen()
    assert.deepEqual([after.closed - before.closed, after.aborted - before.aborted], [1, 1])
  },
  'a disconnect aborts the signal of a handler': async (base, seen) => {
    const before = await seen()
    const sent = httpRequest(`${base}/slow`, { agent: false })
    sent.on('error', () => undefined)
    sent.end()
    await wait(200)
    sent.destroy()
    await until(async () => (await seen()).aborted > before.aborted)
  },
  'a client that does not read slows down the source': async (base, seen) => {
    const { received, close } = await open(`${base}/fast`)
    received.pause()
    let pulled = -1
    await until(async () => {
      await wait(200)
      const latest = (await seen()).pulled
      const isStable = latest === pulled
      pulled = latest
      return isStable
    })
    close()
    assert.ok(pulled < 2000, String(pulled))
  },
  'timeouts of overlapping requests are independent': async (base) => {
    const first = send(`${base}/late`)
    await wait(150)
    const responses = await Promise.all([first, send(`${base}/late`), send(`${base}/hello`)])
    assert.deepEqual(
      responses.map(({ status }) => status),
      [503, 503, 200],
    )
  },
  'a large response is compressed': async (base) => {
    const { headers, bytes } = await send(`${base}/large`, {
      headers: { 'Accept-Encoding': 'gzip' },
    })
    assert.equal(headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(bytes).toString(), 'large '.repeat(10_000))
  },
  'credentials are required and checked': async (base) => {
    const request = (token) =>
      send(`${base}/secret`, { headers: { Authorization: `Bearer ${token}` } })
    assert.equal((await request('invalid')).status, 401)
    assert.equal((await request('valid')).text, 'ann')
  },
  '200 concurrent requests get their own responses': async (base) => {
    const numbers = Array.from({ length: 200 }, (_, index) => index)
    const responses = await Promise.all(numbers.map((n) => send(`${base}/sum/${n}?b=1`)))
    assert.deepEqual(
      responses.map(({ text }) => Number(text)),
      numbers.map((n) => n + 1),
    )
  },
  'nothing is logged about disconnects': async (_base, seen) => {
    const { logged } = await seen()
    // timeouts are logged
    assert.deepEqual(
      logged.filter(([, message]) => !message.includes('did not start its response')),
      [],
    )
  },
}

/** Checks that only one runtime can pass. */
const workerChecks = {
  'waitUntil continues after the response': async (base, seen) => {
    assert.equal((await send(`${base}/background`)).status, 204)
    await until(async () => (await seen()).background > 0)
  },
}

/** Checks that a runtime cannot pass, with the reasons. @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
const excluded = {
  'workerd without Node.js': {
    'a disconnect aborts the signal of a handler':
      'miniflare does not pass on a disconnect before the response, nor does it for a Worker without espalier',
  },
}

/** Starts the service on each runtime and runs the checks. Resolves to the number of failures. */
export const runService = async (folder) => {
  const worker = join(folder, 'service-worker.mjs')
  const module = join(folder, 'service.mjs')
  await bundle('harness/service.mjs', worker, true)
  await bundle('harness/service.mjs', module)
  const runtimes = {
    'workerd without Node.js': () => startWorker(worker, ['enable_request_signal']),
    deno: () => startModule('deno', module),
    bun: () => startModule('bun', module),
  }
  let failures = 0
  for (const [runtime, start] of Object.entries(runtimes)) {
    const { url, close, output } = await start()
    const seen = async () => JSON.parse((await send(`${url}/seen`)).text)
    let [passed, skipped] = [0, 0]
    const all = runtime.startsWith('workerd') ? { ...checks, ...workerChecks } : checks
    for (const [title, check] of Object.entries(all)) {
      if (excluded[runtime]?.[title] !== undefined) {
        skipped++
        continue
      }
      try {
        await check(url, seen)
        passed++
      } catch (error) {
        failures++
        console.log(`FAIL requests to ${runtime}: ${title}\n  ${error}`)
      }
    }
    const printed = output().trim()
    if (printed !== '') console.log(`${runtime} printed:\n${printed.slice(0, 2000)}`)
    console.log(`requests to ${runtime}: ${passed} passed, ${skipped} excluded`)
    await close()
  }
  return failures
}
