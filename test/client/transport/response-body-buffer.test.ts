import * as assert from 'uvu/assert'
import { ResponseBodyBuffer } from '../../../src/client/transport/response-body-buffer.ts'
import { LazyResponse } from '../../../src/client/response/lazy-response.ts'
import { createTimeLimit } from '../../../src/client/policy/timer.ts'
import { describe } from '../../support/describe.ts'
import { readError, readText } from '../fake-transport.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const openBuffer = () => {
  const events: string[] = []
  const buffer = new ResponseBodyBuffer({
    resume: () => events.push('resume'),
    close: () => events.push('close'),
    onRead: () => events.push('read'),
  })
  return { buffer, events }
}

const limits = { maxBytes: 100, timeout: undefined }

describe('ResponseBodyBuffer', (test) => {
  test('add returns false when 64 KiB are buffered', () => {
    const { buffer } = openBuffer()
    assert.ok(buffer.add(new Uint8Array(64 * 1024 - 1)))
    assert.not(buffer.add(new Uint8Array(1)))
  })
  test('readAll returns a complete body', async () => {
    const { buffer, events } = openBuffer()
    buffer.add(bytes('Hel'))
    buffer.add(bytes('lo'))
    buffer.end()
    assert.is(new TextDecoder().decode(await buffer.readAll(limits)), 'Hello')
    assert.equal(events, ['read'])
  })
  test('readAll waits for the rest of the body', async () => {
    const { buffer, events } = openBuffer()
    buffer.add(bytes('Hel'))
    const body = buffer.readAll({ ...limits, timeout: createTimeLimit('1m') })
    buffer.add(bytes('lo'))
    buffer.end()
    assert.is(new TextDecoder().decode(await body), 'Hello')
    assert.equal(events, ['resume', 'read'])
  })
  test('readAll rejects and closes the connection if the body exceeds the limit', async () => {
    const { buffer, events } = openBuffer()
    const body = buffer.readAll({ ...limits, maxBytes: 4 })
    buffer.add(bytes('Hello'))
    assert.is(await body.catch(() => 'rejected'), 'rejected')
    assert.equal(events, ['resume', 'close'])
  })
  test('readAll rejects with the error of the connection', async () => {
    const { buffer } = openBuffer()
    const error = new Error('connection lost')
    buffer.fail(error)
    assert.is(await buffer.readAll(limits).catch((reason: unknown) => reason), error)
  })
  test('open reads buffered chunks first, then resumes the connection', async () => {
    const { buffer, events } = openBuffer()
    buffer.add(bytes('Hel'))
    const text = readText(buffer.open())
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(events, ['resume'])
    buffer.add(bytes('lo'))
    buffer.end()
    assert.is(await text, 'Hello')
    assert.equal(events.at(-1), 'read')
  })
  test('a stream fails with the error of the connection', async () => {
    const { buffer } = openBuffer()
    const stream = buffer.open()
    const error = new Error('connection lost')
    buffer.fail(error)
    assert.is(await readError(stream), error)
  })
  test('cancelling a stream closes the connection', async () => {
    const { buffer, events } = openBuffer()
    await buffer.open().cancel()
    assert.equal(events, ['close'])
    assert.ok(buffer.add(bytes('ignored')))
  })
  test('ignore discards the body and reports its end', () => {
    const { buffer, events } = openBuffer()
    buffer.ignore()
    assert.ok(buffer.add(new Uint8Array(100_000)))
    buffer.end()
    assert.equal(events, ['read'])
  })
})

describe('LazyResponse', (test) => {
  test('opens its body once, and all accesses return the same stream', async () => {
    const { buffer } = openBuffer()
    buffer.add(bytes('Hello'))
    buffer.end()
    const response = new LazyResponse(200, [], 'http://localhost/', buffer)
    assert.is(LazyResponse.unopenedBody(response), buffer)
    const { body } = response
    assert.is(response.body, body)
    assert.is(Object.assign({}, response).body, body)
    assert.is(LazyResponse.unopenedBody(response), undefined)
    assert.is(await readText(body), 'Hello')
  })
})
