/** Interrupted uploads in a separate process, and uploads by third-party clients. */
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
import { describe, describeWith, repetitions, table } from '../../support/describe.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'
import type { ResourceUsage } from '../../programs/uploading.ts'

interface Process {
  readonly url: string
  readonly child: ChildProcess
}

const startProcess = async (directory: string, more = ''): Promise<Process> => {
  const child = fork(program('uploading.js'), [directory, more], { execArgv: [] })
  const [url] = (await once(child, 'message')) as [string]
  return { url, child }
}

const resourceUsageOf = async ({ child }: Process): Promise<ResourceUsage> => {
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [ResourceUsage]
  return usage
}

const content = encodeMultipart(
  encodePart('meta', '{"title":"Emma"}'),
  encodePart('file', 'x'.repeat(100_000), { fileName: 'a' }),
)
const headOf = (target: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: ${multipartType}\r\nContent-Length: ${content.length}\r\n\r\n`
const head = headOf('/loop')

/** Sends the first bytes of a request, and disconnects. */
const sendTruncated = async (url: string, target: string, bytes: number): Promise<void> => {
  const socket = connect(Number(new URL(url).port), 'localhost')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const truncated = `${headOf(target)}${content}`.slice(0, bytes)
  await new Promise((resolve) => socket.write(truncated, resolve))
  if (bytes % 3 === 0) await wait(bytes % 7)
  socket.destroy()
}

const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'espalier-'))

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 400 && !(await condition()); tries++) await wait(50)
}

const countResources = (resources: ReadonlyArray<string>): number =>
  resources.filter((kind) => /Timeout|FS|File|TCPSocket/.test(kind)).length

type Kind = readonly [name: string, target: string, more: string, uploads: number]

const kinds: ReadonlyArray<Kind> = [
  ['truncated forms leave no file, descriptor or timer', '/loop', '', repetitions(50, 2000)],
  ['truncated file bodies leave no file, descriptor or timer', '/file', '', repetitions(50, 300)],
  [
    'truncated forms on a worker leave no file, descriptor or timer',
    '/worker',
    'workers',
    repetitions(50, 300),
  ],
]

describe('interrupted uploads', (test) => {
  if (process.platform === 'linux')
    table<Kind>(test, kinds, async (_, target, more, uploads) => {
      const directory = newDirectory()
      const server = await startProcess(directory, more)
      try {
        const all = headOf(target).length + content.length
        await sendTruncated(server.url, target, all - 1)
        await until(async () => countResources((await resourceUsageOf(server)).resources) <= 3)
        const before = await resourceUsageOf(server)
        let seed = 1
        const lengths = Array.from({ length: uploads }, () => {
          seed = (seed * 48_271) % 2_147_483_647
          return seed % all
        })
        for (let at = 0; at < lengths.length; at += 50)
          await Promise.all(
            lengths.slice(at, at + 50).map((length) => sendTruncated(server.url, target, length)),
          )
        let after = await resourceUsageOf(server)
        // resources that are being released are not a leak
        await until(async () => {
          after = await resourceUsageOf(server)
          return (
            readdirSync(directory).length === 0 &&
            after.descriptors <= before.descriptors + 3 &&
            countResources(after.resources) <= countResources(before.resources) + 1
          )
        })
        assert.equal(readdirSync(directory), [])
        assert.ok(
          after.descriptors <= before.descriptors + 3,
          `${before.descriptors} descriptors before, ${after.descriptors} after`,
        )
        assert.ok(
          countResources(after.resources) <= countResources(before.resources) + 1,
          `${before.resources.join()} before, ${after.resources.join()} after`,
        )
      } finally {
        server.child.kill('SIGKILL')
      }
    })
  if (process.platform !== 'win32')
    test('a new process deletes the files of killed processes only', async () => {
      const directory = newDirectory()
      const half = `${head}${content.slice(0, 50_000)}`
      const upload = async ({ url }: Process): Promise<() => void> => {
        const socket = connect(Number(new URL(url).port), 'localhost')
        socket.on('error', () => undefined)
        socket.write(half)
        await once(socket, 'connect')
        return () => socket.destroy()
      }
      const alive = await startProcess(directory)
      const disconnects = [await upload(alive)]
      await until(() => readdirSync(directory).length === 1)
      const killed = repetitions(2, 5)
      const [runningFile] = readdirSync(directory)
      for (let round = 0; round < repetitions(1, 2); round++) {
        const processes = await Promise.all(
          Array.from({ length: killed }, () => startProcess(directory)),
        )
        disconnects.push(...(await Promise.all(processes.map(upload))))
        await until(() => readdirSync(directory).length === killed + 1)
        assert.is(readdirSync(directory).length, killed + 1)
        for (const { child } of processes) child.kill('SIGKILL')
        await Promise.all(processes.map(({ child }) => once(child, 'exit')))
        const next = await startProcess(directory)
        assert.equal(readdirSync(directory), [runningFile])
        next.child.kill('SIGKILL')
      }
      for (const disconnect of disconnects) disconnect()
      await until(() => readdirSync(directory).length === 0)
      assert.equal(readdirSync(directory), [])
      alive.child.kill('SIGKILL')
    })
})

describe('fetch', (test) => {
  test('uploads FormData with special characters in names', async () => {
    const server = await startProcess(newDirectory())
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
describeWith('curl -F', 'curl', hasCurl, (test) => {
  test('uploads a file with special characters in its name', async () => {
    const directory = newDirectory()
    const path = join(directory, 'naïve "name".txt')
    writeFileSync(path, 'x'.repeat(70_000))
    const server = await startProcess(join(directory, 'uploads'))
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
