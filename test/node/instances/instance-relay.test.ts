/** Broadcasts to all instances through the parent process. */
import * as assert from 'uvu/assert'
import { instanceRelay } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { EventSource } from '../../support/event-source.ts'
import { withSupervised } from './supervised-program.ts'
import { waitUntil } from '../../support/wait-until.ts'

const listen = async (url: string) => {
  const client = new EventSource()
  const response = await fetch(`${url}/news`)
  const ended = (async () => {
    for await (const chunk of response.body ?? []) client.take(Buffer.from(chunk).toString())
  })()
  return {
    titles: () => client.events.map(({ data }) => data),
    ids: () => client.events.map(({ lastEventId }) => lastEventId),
    ended,
  }
}

const byText = (a: unknown, b: unknown): number => String(a).localeCompare(String(b))

describe('instanceRelay', (test) => {
  test('sends events of all processes to all instances, in the same order', () =>
    withSupervised(
      { options: { instances: 2, 'fw.shutdown.grace': 0 } },
      async ({ url, kill, exit }) => {
        // connections are distributed in turn
        const streams = [await listen(url), await listen(url), await listen(url)]
        const titles = ['Emma', 'Persuasion', 'Sanditon', 'Lady Susan']
        const publish = async (title: string): Promise<void> => {
          const init = { method: 'POST', headers: { connection: 'close' } }
          const { status } = await fetch(`${url}/news/${encodeURIComponent(title)}`, init)
          assert.is(status, 204)
        }
        await Promise.all(titles.map(publish))
        await waitUntil(() => streams.every(({ titles: received }) => received().length >= 4))
        const [first] = streams.map(({ titles: received }) => received())
        assert.equal(first?.toSorted(byText), titles.toSorted(byText))
        kill('SIGUSR2')
        await waitUntil(() => streams.every(({ titles: received }) => received().length >= 5))
        for (const { titles: received } of streams)
          assert.equal(received(), [...(first ?? []), 'from the parent'])
        const [ids] = streams.map((stream) => stream.ids())
        assert.is(new Set(ids).size, 5)
        for (const stream of streams) assert.equal(stream.ids(), ids)
        kill('SIGTERM')
        await Promise.all(streams.map(({ ended }) => ended))
        assert.is((await exit).code, 0)
      },
    ))

  test('connects subscribers with the same name in a process without instances', async () => {
    const received: string[] = []
    const [a, b] = [instanceRelay('a'), instanceRelay('b')]
    const [first, second] = [new AbortController(), new AbortController()]
    const subscribe = (name: string, { signal }: AbortController) =>
      instanceRelay(name).subscribe(
        ({ id, text }) => void received.push(`${name}: ${text} ${id}`),
        {
          after: undefined,
          signal,
        },
      )
    await subscribe('a', first)
    await subscribe('b', second)
    const position = await a.publish('1')
    first.abort()
    await a.publish('2')
    const last = await b.publish('3')
    second.abort()
    assert.equal(received, [`a: 1 ${position}`, `b: 3 ${last}`])
    assert.match(position, /^\d{13}-\d+$/)
  })

  test('a subscription whose signal is aborted receives nothing', async () => {
    const signal = AbortSignal.abort()
    const relay = instanceRelay('c')
    await relay.subscribe(() => assert.unreachable(), { after: undefined, signal })
    await relay.publish('1')
  })
})
