import * as assert from 'uvu/assert'
import { observeBody } from '../../../src/client/stream/observe-body.ts'
import { fakeBody, readError, readText } from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { flushPromises } from '../../support/fake-clock.ts'

/** What is seen of a content. */
const seen = (body: ReadableStream<Uint8Array>) => {
  const events: unknown[] = []
  const content = observeBody(body, {
    onChunk: (chunk) => events.push(new TextDecoder().decode(chunk)),
    onEnd: (end) => events.push(end),
  })
  return { events, ...content }
}

/** Content that is all there, and at its end, before anybody reads. */
const ready = (...pieces: ReadonlyArray<string>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })

describe('watched', (test) => {
  table(
    test,
    [
      ['content that comes', () => fakeBody('a', 'b').body, ['a', 'b', 'complete']],
      ['content that is there', () => ready('a', 'b'), ['a', 'b', 'complete']],
      ['one piece that is there', () => ready('a'), ['a', 'complete']],
      ['nothing', () => ready(), ['complete']],
    ] as const,
    async (_, body, expected) => {
      const { events, body: content } = seen(body())
      assert.is(await readText(content), expected.slice(0, -1).join(''))
      await flushPromises()
      assert.equal(events, expected)
    },
  )
  test('is over with its last piece, though nobody asks for the end', async () => {
    const { events, body } = seen(ready('a'))
    await body.getReader().read()
    await flushPromises()
    assert.equal(events, ['a', 'complete'])
  })
  test('is over where there is nothing, though nobody reads', async () => {
    const { events } = seen(ready())
    await flushPromises()
    assert.equal(events, ['complete'])
  })
  test('reads nothing that nobody asks for', async () => {
    const content = fakeBody('a')
    const { events } = seen(content.body)
    await flushPromises()
    assert.equal([events, content.chunksRead()], [[], 0])
  })
  test('is over once: when it breaks', async () => {
    const broken = new Error('lost')
    const { events, body } = seen(
      new ReadableStream({ pull: (controller) => controller.error(broken) }, { highWaterMark: 0 }),
    )
    assert.is(await readError(body), broken)
    await flushPromises()
    assert.equal(events, ['failed'])
  })
  test('is over once: when nobody wants more', async () => {
    const content = fakeBody('a', '…')
    const { events, body } = seen(content.body)
    await body.cancel()
    await flushPromises()
    assert.equal([events, content.isCancelled()], [['cancelled'], true])
  })
  test('is over once: when it is broken off, also while somebody waits for a piece', async () => {
    const content = fakeBody('a', '…')
    const { events, body, abort } = seen(content.body)
    const failure = readError(body)
    await flushPromises()
    abort('enough')
    abort('more than enough')
    assert.is(await failure, 'enough')
    await flushPromises()
    assert.equal([events, content.isCancelled()], [['a', 'failed'], true])
  })
})
