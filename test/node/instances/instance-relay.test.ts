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
  return { titles: () => client.events.map(({ data }) => data), ended }
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
        kill('SIGTERM')
        await Promise.all(streams.map(({ ended }) => ended))
        assert.is((await exit).code, 0)
      },
    ))

  test('connects subscribers with the same name in a process without instances', () => {
    const received: string[] = []
    const [a, b] = [instanceRelay('a'), instanceRelay('b')]
    const unsubscribe = instanceRelay('a').subscribe((text) => void received.push(`a: ${text}`))
    const unsubscribeOther = b.subscribe((text) => void received.push(`b: ${text}`))
    a.publish('1')
    unsubscribe()
    a.publish('2')
    b.publish('3')
    unsubscribeOther()
    assert.equal(received, ['a: 1', 'b: 3'])
  })
})
