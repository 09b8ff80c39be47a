/** `broadcaster`: publishing events to all subscribers, replay and closing. */
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'
import { EventSource } from '../../support/event-source.ts'
import { waitUntil } from '../../support/wait-until.ts'

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
      handle(async ({ query: { text: content, id } }) => {
        await feed.publish(event('note', { text: content }, { id }))
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

contract('broadcaster', api, (test, call) => {
  const connect = async (headers: Record<string, string> = {}) => {
    const response = await sendRequest(call, 'GET /feed', { headers })
    assert.is(response.status, 200)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const client = new EventSource()
    const receive = async (count: number) => {
      while (client.events.length < count) {
        const result = await reader?.read()
        assert.is(result?.done, false)
        client.take(result?.value ?? '')
      }
      return client.events.map(({ type, data, lastEventId }) => [type, data, lastEventId])
    }
    return { receive, disconnect: () => reader?.cancel(), read: () => reader?.read() }
  }
  const publish = (content: string, id: string) =>
    sendRequest(call, `POST /feed?text=${content}&id=${id}`)
  const waitForSubscribers = (count: number) =>
    waitUntil(
      async () => (await (await sendRequest(call, 'GET /feed/count')).text()) === String(count),
    )
  const first = ['note', '{"text":"one"}', 'a']
  const second = ['note', '{"text":"two"}', 'b']

  test('sends events to all subscribers and missed events to a client that reconnects', async () => {
    const clients = [await connect(), await connect(), await connect()]
    await waitForSubscribers(3)
    assert.is((await publish('one', 'a')).status, 204)
    for (const { receive } of clients) assert.equal(await receive(1), [first])
    await clients[2]?.disconnect()
    await waitForSubscribers(2)
    assert.is((await publish('two', 'b')).status, 204)
    for (const { receive } of clients.slice(0, 2)) assert.equal(await receive(2), [first, second])
    const reconnected = await connect({ 'Last-Event-ID': 'a' })
    assert.equal(await reconnected.receive(1), [second])
    for (const { disconnect } of [...clients, reconnected]) await disconnect()
    await waitForSubscribers(0)
  })
  test('close ends all subscriptions, and a later publish is an error', async () => {
    const client = await connect()
    await waitForSubscribers(1)
    assert.is((await sendRequest(call, 'POST /feed/close')).status, 204)
    assert.is((await client.read())?.done, true)
    const failed = await publish('late', 'c')
    assert.equal([failed.status, await failed.text()], [409, 'the broadcaster is closed'])
  })
})
