/** What one publishes and all hear. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  broadcaster,
  event,
  fails,
  get,
  handle,
  mapError,
  path,
  post,
  produces,
  query,
  reply,
  routes,
  sse,
  string,
  text,
  withMapper,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'
import { EventSource } from '../support/event-source.ts'
import { until } from '../support/workers.ts'

const Note = t.type({ text: t.string })

const api = () => {
  const feed = broadcaster(Note, { replay: 10 })
  const operations = routes({
    listen: pipe(
      path('/feed'),
      get(),
      produces(sse(Note)),
      handle((_, context) => feed.subscribe(context)),
    ),
    publish: pipe(
      path('/feed'),
      post(),
      query({ text: string, id: string }),
      fails(409, text),
      handle(async ({ query: { text: said, id } }) => {
        await feed.publish(event('note', { text: said }, { id }))
      }),
    ),
    close: pipe(
      path('/feed/close'),
      post(),
      handle(() => feed.close()),
    ),
    count: pipe(
      path('/feed/count'),
      get(),
      produces(text),
      handle(() => String(feed.subscribers)),
    ),
  })
  return pipe(operations, withMapper(mapError(Error, ({ message }) => reply(409, message))))
}

contract('a broadcaster', api, (test, call) => {
  const listening = async (headers: Record<string, string> = {}) => {
    const response = await ask(call, 'GET /feed', { headers })
    assert.is(response.status, 200)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const client = new EventSource()
    const heard = async (count: number) => {
      while (client.events.length < count) {
        const result = await reader?.read()
        assert.is(result?.done, false)
        client.take(result?.value ?? '')
      }
      return client.events.map(({ type, data, lastEventId }) => [type, data, lastEventId])
    }
    return { heard, leave: () => reader?.cancel(), ended: () => reader?.read() }
  }
  const publish = (said: string, id: string) => ask(call, `POST /feed?text=${said}&id=${id}`)
  const areListening = (count: number) =>
    until(async () => (await (await ask(call, 'GET /feed/count')).text()) === String(count))
  const first = ['note', '{"text":"one"}', 'a']
  const second = ['note', '{"text":"two"}', 'b']

  test('gives what is published to all, and to who comes back what was missed', async () => {
    const clients = [await listening(), await listening(), await listening()]
    await areListening(3)
    assert.is((await publish('one', 'a')).status, 204)
    for (const { heard } of clients) assert.equal(await heard(1), [first])
    await clients[2]?.leave()
    await areListening(2)
    assert.is((await publish('two', 'b')).status, 204)
    for (const { heard } of clients.slice(0, 2)) assert.equal(await heard(2), [first, second])
    const again = await listening({ 'Last-Event-ID': 'a' })
    assert.equal(await again.heard(1), [second])
    for (const { leave } of [...clients, again]) await leave()
    await areListening(0)
  })
  test('ends when it is closed, and what is published then is an error', async () => {
    const client = await listening()
    await areListening(1)
    assert.is((await ask(call, 'POST /feed/close')).status, 204)
    assert.is((await client.ended())?.done, true)
    const refused = await publish('late', 'c')
    assert.equal([refused.status, await refused.text()], [409, 'the broadcaster is closed'])
  })
})
