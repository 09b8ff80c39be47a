/** Interrupted uploads in a process of their own: no file, descriptor or timer remains. */
import type { ChildProcess } from 'node:child_process'
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { program } from '../../support/bundled.ts'
import { describe, describeWith, table } from '../../support/describe.ts'
import { field, formOf, multipart } from '../../support/multipart.ts'
import type { Held } from '../../support/uploading.ts'

interface Process {
  readonly url: string
  readonly child: ChildProcess
}

const begin = async (directory: string, more = ''): Promise<Process> => {
  const child = fork(program('uploading.js'), [directory, more], { execArgv: [] })
  const [url] = (await once(child, 'message')) as [string]
  return { url, child }
}

const held = async ({ child }: Process): Promise<Held> => {
  child.send('what do you hold?')
  const [answer] = (await once(child, 'message')) as [Held]
  return answer
}

const content = formOf(
  field('meta', '{"title":"Emma"}'),
  field('file', 'x'.repeat(100_000), { fileName: 'a' }),
)
const headOf = (target: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: ${multipart}\r\nContent-Length: ${content.length}\r\n\r\n`
const head = headOf('/loop')

/** Sends so many octets of a request to a target, and leaves. */
const cut = async (url: string, target: string, octets: number): Promise<void> => {
  const socket = connect(Number(new URL(url).port), 'localhost')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const sent = `${headOf(target)}${content}`.slice(0, octets)
  await new Promise((resolve) => socket.write(sent, resolve))
  if (octets % 3 === 0) await wait(octets % 7)
  socket.destroy()
}

const fresh = (): string => mkdtempSync(join(tmpdir(), 'espalier-'))

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 400 && !(await holds()); tries++) await wait(50)
}

const counted = (resources: ReadonlyArray<string>): number =>
  resources.filter((one) => /Timeout|FS|File|TCPSocket/.test(one)).length

type Kind = readonly [name: string, target: string, more: string, uploads: number]

const kinds: ReadonlyArray<Kind> = [
  ['2,000 truncated forms leave no file, descriptor or timer', '/loop', '', 2000],
  ['300 truncated bodies that are written to a file leave none', '/file', '', 300],
  ['300 truncated forms for a worker leave none', '/worker', 'workers', 300],
]

describe('interrupted uploads', (test) => {
  if (process.platform === 'linux')
    table<Kind>(test, kinds, async (_, target, more, uploads) => {
      const directory = fresh()
      const server = await begin(directory, more)
      try {
        const all = headOf(target).length + content.length
        await cut(server.url, target, all - 1)
        await until(async () => counted((await held(server)).resources) <= 3)
        const before = await held(server)
        let seed = 1
        const octets = Array.from({ length: uploads }, () => {
          seed = (seed * 48_271) % 2_147_483_647
          return seed % all
        })
        for (let at = 0; at < octets.length; at += 50)
          await Promise.all(octets.slice(at, at + 50).map((one) => cut(server.url, target, one)))
        let after = await held(server)
        // what is on its way out is no leak
        await until(async () => {
          after = await held(server)
          return (
            readdirSync(directory).length === 0 &&
            after.descriptors <= before.descriptors + 3 &&
            counted(after.resources) <= counted(before.resources) + 1
          )
        })
        assert.equal(readdirSync(directory), [])
        assert.ok(
          after.descriptors <= before.descriptors + 3,
          `${before.descriptors} descriptors before, ${after.descriptors} after`,
        )
        assert.ok(
          counted(after.resources) <= counted(before.resources) + 1,
          `${before.resources.join()} before, ${after.resources.join()} after`,
        )
      } finally {
        server.child.kill('SIGKILL')
      }
    })
  if (process.platform !== 'win32')
    test('a new process deletes the files of 10 killed processes, and no file of running ones', async () => {
      const directory = fresh()
      const half = `${head}${content.slice(0, 50_000)}`
      const upload = async ({ url }: Process): Promise<() => void> => {
        const socket = connect(Number(new URL(url).port), 'localhost')
        socket.on('error', () => undefined)
        socket.write(half)
        await once(socket, 'connect')
        return () => socket.destroy()
      }
      const alive = await begin(directory)
      const leave = [await upload(alive)]
      await until(() => readdirSync(directory).length === 1)
      const [own] = readdirSync(directory)
      for (let round = 0; round < 2; round++) {
        const processes = await Promise.all(Array.from({ length: 5 }, () => begin(directory)))
        leave.push(...(await Promise.all(processes.map(upload))))
        await until(() => readdirSync(directory).length === 6)
        assert.is(readdirSync(directory).length, 6)
        for (const { child } of processes) child.kill('SIGKILL')
        await Promise.all(processes.map(({ child }) => once(child, 'exit')))
        const next = await begin(directory)
        assert.equal(readdirSync(directory), [own])
        next.child.kill('SIGKILL')
      }
      for (const one of leave) one()
      await until(() => readdirSync(directory).length === 0)
      assert.equal(readdirSync(directory), [])
      alive.child.kill('SIGKILL')
    })
})

describe('third-party clients', (test) => {
  test('FormData of the Fetch standard', async () => {
    const server = await begin(fresh())
    try {
      const body = new FormData()
      body.set('meta', new Blob(['{"title":"Émma"}'], { type: 'application/json' }))
      body.set('file', new Blob(['x'.repeat(70_000)]), 'naïve "name"\n.txt')
      const response = await fetch(`${server.url}/loop`, { method: 'POST', body })
      assert.is(await response.text(), 'loop Émma naïve "name"\n.txt 70000')
    } finally {
      server.child.kill('SIGKILL')
    }
  })
})

const hasCurl = spawnSync('curl', ['--version']).status === 0
describeWith('curl, with files of workers', 'curl', hasCurl, (test) => {
  test('curl -F', async () => {
    const directory = fresh()
    const path = join(directory, 'naïve "name".txt')
    writeFileSync(path, 'x'.repeat(70_000))
    const server = await begin(join(directory, 'uploads'))
    try {
      const parts = ['-F', 'meta={"title":"Émma"};type=application/json']
      const file = ['-F', `file=@"${path.replaceAll('"', '\\"')}"`]
      const child = spawn('curl', ['-s', ...parts, ...file, `${server.url}/loop`])
      assert.is(await text(child.stdout), 'loop Émma naïve "name".txt 70000')
    } finally {
      server.child.kill('SIGKILL')
    }
  })
})
