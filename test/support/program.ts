/** Programs that serve, in processes of their own. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { program } from './bundled.ts'
import type { Task } from './serving.ts'

/** How a process ended. */
export interface Exit {
  /** Its exit code, or the signal that ended it. */
  readonly by: number | NodeJS.Signals | null
  /** When, by `performance.now()`. */
  readonly at: number
  /** What it said after it had begun to serve, a line each. */
  readonly said: ReadonlyArray<string>
  readonly complained: string
}

export interface Program {
  readonly urls: ReadonlyArray<string>
  /** Resolves when it has said this word so often: that a handler runs, most often. */
  readonly says: (word: string, times?: number) => Promise<void>
  readonly kill: (signal: NodeJS.Signals) => void
  readonly exit: Promise<Exit>
}

/** A process that waits for its task, with the back end of this process, which does not wait for it. */
const wait = (): ChildProcessWithoutNullStreams => {
  const child = spawn(process.execPath, [...process.execArgv, program('serving.js')])
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref()
  return child
}

/** The next one: it loads its modules while others are used. */
let next: ChildProcessWithoutNullStreams | undefined

/** Starts one; resolves when it serves. */
export const begin = async (task: Task = {}): Promise<Program> => {
  const child = next ?? wait()
  next = wait()
  child.stdin.end(JSON.stringify(task))
  let said = ''
  let complained = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  child.stderr.on('data', (chunk) => (complained += String(chunk)))
  const exit = once(child, 'close').then((): Exit => ({
    by: child.exitCode ?? child.signalCode,
    at: performance.now(),
    said: said.split('\n').slice(1, -1),
    complained,
  }))
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere())
      if ((await Promise.race([once(child.stdout, 'data'), exit.then(() => 'over')])) === 'over')
        throw new Error(`it is over: ${said}${complained}`)
  }
  await until(() => said.includes('\n'))
  return {
    urls: JSON.parse(said.split('\n')[0] ?? '[]') as ReadonlyArray<string>,
    says: (word, times = 1) =>
      until(() => said.split('\n').filter((line) => line === word).length >= times),
    kill: (signal) => void child.kill(signal),
    exit,
  }
}

/** Uses a program, and ends it when the use has failed. */
export const using = async (
  task: Task,
  use: (program: Program, url: string) => Promise<void>,
): Promise<void> => {
  const begun = await begin(task)
  try {
    await use(begun, begun.urls[0] ?? '')
  } finally {
    begun.kill('SIGKILL')
    await begun.exit
  }
}
