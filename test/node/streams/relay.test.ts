/** Tests of a broadcaster with a relay between processes. */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { program } from '../../support/bundled.ts'
import { describe } from '../../support/describe.ts'
import { EventSource } from '../../support/event-source.ts'
import { waitUntil } from '../../support/wait-until.ts'

interface Process {
  readonly url: string
  readonly child: ChildProcess
}

/** Starts processes and relays each message of one to all of them. */
const withProcesses = async (
  count: number,
  use: (processes: ReadonlyArray<Process>) => Promise<void>,
): Promise<void> => {
  const children = Array.from({ length: count }, () => fork(program('relayed.js')))
  try {
    const urls = await Promise.all(
      children.map(async (child) => String((await once(child, 'message'))[0])),
    )
    let position = 0
    for (const child of children)
      child.on('message', (text) => {
        const message = { id: String(++position), text }
        for (const other of children) other.send(message)
      })
    await use(children.map((child, index) => ({ child, url: urls[index] ?? '' })))
    for (const child of children) child.disconnect()
    const codes = await Promise.all(children.map((child) => once(child, 'exit')))
    assert.equal(
      codes.map(([code]) => code as unknown),
      children.map(() => 0),
    )
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

const listen = async (url: string, last?: string) => {
  const controller = new AbortController()
  const client = new EventSource()
  const response = await fetch(`${url}/feed`, {
    headers: last === undefined ? {} : { 'Last-Event-ID': last },
    signal: controller.signal,
  })
  const closed = (async () => {
    for await (const chunk of response.body ?? []) client.take(Buffer.from(chunk).toString())
  })().catch(() => undefined)
  return { client, closed, disconnect: () => controller.abort() }
}

const publish = async (url: string, title: string): Promise<void> => {
  const init = { method: 'POST', body: Buffer.from(JSON.stringify({ title })) }
  assert.is((await fetch(`${url}/feed`, init)).status, 204)
}

describe('broadcasters of several processes', (test) => {
  test('send the same events, and replay those of other processes', () =>
    withProcesses(2, async ([a, b]) => {
      const [first, second] = await Promise.all([listen(a?.url ?? ''), listen(b?.url ?? '')])
      await publish(a?.url ?? '', 'Emma')
      await publish(b?.url ?? '', 'Persuasion')
      await waitUntil(() => first.client.events.length === 2 && second.client.events.length === 2)
      assert.equal(first.client.events, second.client.events)
      assert.equal(
        first.client.events.map(({ lastEventId }) => lastEventId),
        ['1', '2'],
      )
      assert.equal(first.client.events.map(({ data }) => data).toSorted(), [
        '{"title":"Emma"}',
        '{"title":"Persuasion"}',
      ])
      first.disconnect()
      await first.closed
      // reconnects to another process, which knows the event id
      const [firstEvent, secondEvent] = second.client.events
      const reconnected = await listen(b?.url ?? '', firstEvent?.lastEventId)
      await waitUntil(() => reconnected.client.events.length > 0)
      assert.equal(reconnected.client.events, [secondEvent])
      reconnected.disconnect()
      await reconnected.closed
      second.disconnect()
      await second.closed
    }))
})
