/** Event streams of which nobody has the answer in the end. */
import * as assert from 'uvu/assert'
import { string } from '../../../../src/index.ts'
import { isChunkSource } from '../../../../src/interpreter/chunks.ts'
import { defaultSettings } from '../../../../src/compiler/settings/settings.ts'
import { eventStreamWriter } from '../../../../src/interpreter/response/stream/event-stream.ts'
import { heartbeatTimer } from '../../../../src/interpreter/response/stream/heartbeat.ts'
import { describe } from '../../../support/describe.ts'
import { exchangeOf } from '../../../support/exchange.ts'

/** An interval that no other test has. */
const settings = { ...defaultSettings, 'fw.rest.sse.heartbeat': 6421 }
const head = { status: 200, headers: [] }
const prepared = eventStreamWriter({ _tag: 'Codec', codec: string }, settings, {}, () => String)
const streamed = (source: unknown, exchange = exchangeOf({}, () => undefined)) =>
  prepared(source, { exchange, authenticated: undefined })(head, exchange)

/** A source that never gives anything, and tells of its end. */
const silence = () => {
  let returned = 0
  const source = {
    [Symbol.asyncIterator]: () => source,
    next: () => new Promise<never>(() => undefined),
    return: () => {
      returned++
      return Promise.resolve({ done: true, value: undefined })
    },
  }
  return { source, returned: () => returned }
}

describe('eventStream', (test) => {
  test('R-227: closes its source when the request ends, whether or not somebody reads', async () => {
    const { source, returned } = silence()
    const ending: Array<() => void> = []
    const exchange = exchangeOf({ onEnd: (then) => void ending.push(then) }, () => undefined)
    const { body: content } = await streamed(source, exchange)
    assert.ok(isChunkSource(content))
    assert.equal([returned(), heartbeatTimer(6421).size], [0, 1])
    for (const then of ending) then()
    for (const then of ending) then()
    assert.equal(
      [returned(), heartbeatTimer(6421).size, heartbeatTimer(6421).isActive],
      [1, 0, false],
    )
  })
  test('R-227: closes it at once when the client has gone before', async () => {
    const { source, returned } = silence()
    const exchange = exchangeOf({ onEnd: (then) => then() }, () => undefined)
    await streamed(source, exchange)
    assert.equal([returned(), heartbeatTimer(6421).size], [1, 0])
  })
  test('is no answer when there is no source', async () => {
    const error = await streamed('text').catch((reason: unknown) => reason)
    assert.instance(error, TypeError)
    assert.is(heartbeatTimer(6421).size, 0)
  })
})
