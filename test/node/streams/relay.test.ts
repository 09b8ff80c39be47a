/** A broadcaster across processes. */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { program } from '../../support/bundled.ts'
import { describe } from '../../support/describe.ts'
import { EventSource } from '../../support/event-source.ts'
import { until } from '../../support/workers.ts'

interface Process {
  readonly url: string
  readonly child: ChildProcess
}

/** Processes that all hear what one of them says. */
const related = async (
  count: number,
  use: (processes: ReadonlyArray<Process>) => Promise<void>,
): Promise<void> => {
  const children = Array.from({ length: count }, () => fork(program('relayed.js')))
  try {
    const urls = await Promise.all(
      children.map(async (child) => String((await once(child, 'message'))[0])),
    )
    for (const child of children)
      child.on('message', (text) => {
        for (const other of children) other.send(text)
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
  const leaving = new AbortController()
  const client = new EventSource()
  const response = await fetch(`${url}/feed`, {
    headers: last === undefined ? {} : { 'Last-Event-ID': last },
    signal: leaving.signal,
  })
  const over = (async () => {
    for await (const octets of response.body ?? []) client.take(Buffer.from(octets).toString())
  })().catch(() => undefined)
  return { client, over, leave: () => leaving.abort() }
}

const publish = async (url: string, title: string): Promise<void> => {
  const sent = { method: 'POST', body: Buffer.from(JSON.stringify({ title })) }
  assert.is((await fetch(`${url}/feed`, sent)).status, 204)
}

describe('broadcasters of several processes', (test) => {
  test('send the same events, and replay those of other processes', () =>
    related(2, async ([a, b]) => {
      const [one, other] = await Promise.all([listen(a?.url ?? ''), listen(b?.url ?? '')])
      await publish(a?.url ?? '', 'Emma')
      await publish(b?.url ?? '', 'Persuasion')
      await until(() => one.client.events.length === 2 && other.client.events.length === 2)
      assert.equal(one.client.events, other.client.events)
      assert.equal(one.client.events.map(({ data }) => data).toSorted(), [
        '{"title":"Emma"}',
        '{"title":"Persuasion"}',
      ])
      one.leave()
      await one.over
      // it comes back to another process, which knows the id
      const [first, second] = other.client.events
      const again = await listen(b?.url ?? '', first?.lastEventId)
      await until(() => again.client.events.length > 0)
      assert.equal(again.client.events, [second])
      again.leave()
      await again.over
      other.leave()
      await other.over
    }))
})
