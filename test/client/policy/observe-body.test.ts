import * as assert from 'uvu/assert'
import { observeBody } from '../../../src/client/policy/observe-body.ts'
import { fakeBody, readError, readText } from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { flushPromises } from '../fake-clock.ts'

/** Records what an observer is notified of. */
const observe = (body: ReadableStream<Uint8Array>) => {
  const events: unknown[] = []
  const content = observeBody(body, {
    onChunk: (chunk) => events.push(new TextDecoder().decode(chunk)),
    onEnd: (end) => events.push(end),
  })
  return { events, ...content }
}

/** A body that is complete before it is read. */
const ready = (...chunks: ReadonlyArray<string>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })

describe('observeBody', (test) => {
  table(
    test,
    [
      ['a body that arrives in chunks', () => fakeBody('a', 'b').body, ['a', 'b', 'complete']],
      ['a complete body', () => ready('a', 'b'), ['a', 'b', 'complete']],
      ['a complete body of one chunk', () => ready('a'), ['a', 'complete']],
      ['an empty body', () => ready(), ['complete']],
    ] as const,
    async (_, body, expected) => {
      const { events, body: content } = observe(body())
      assert.is(await readText(content), expected.slice(0, -1).join(''))
      await flushPromises()
      assert.equal(events, expected)
    },
  )
  test('the end is reported with the last chunk', async () => {
    const { events, body } = observe(ready('a'))
    await body.getReader().read()
    await flushPromises()
    assert.equal(events, ['a', 'complete'])
  })
  test('the end of an empty body is reported without a read', async () => {
    const { events } = observe(ready())
    await flushPromises()
    assert.equal(events, ['complete'])
  })
  test('nothing is read in advance', async () => {
    const content = fakeBody('a')
    const { events } = observe(content.body)
    await flushPromises()
    assert.equal([events, content.chunksRead()], [[], 0])
  })
  test('the end of a body that fails is reported once', async () => {
    const broken = new Error('lost')
    const { events, body } = observe(
      new ReadableStream({ pull: (controller) => controller.error(broken) }, { highWaterMark: 0 }),
    )
    assert.is(await readError(body), broken)
    await flushPromises()
    assert.equal(events, ['failed'])
  })
  test('the end of a cancelled body is reported once', async () => {
    const content = fakeBody('a', '…')
    const { events, body } = observe(content.body)
    await body.cancel()
    await flushPromises()
    assert.equal([events, content.isCancelled()], [['cancelled'], true])
  })
  test('abort reports the end once and fails a pending read', async () => {
    const content = fakeBody('a', '…')
    const { events, body, abort } = observe(content.body)
    const failure = readError(body)
    await flushPromises()
    abort('enough')
    abort('more than enough')
    assert.is(await failure, 'enough')
    await flushPromises()
    assert.equal([events, content.isCancelled()], [['a', 'failed'], true])
  })
})
