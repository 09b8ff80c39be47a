/** Server programs in separate processes. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { program } from '../../support/bundled.ts'
import type { Task } from '../../programs/serving.ts'

/** How a process ended. */
export interface Exit {
  /** The exit code, or the signal that ended the process. */
  readonly code: number | NodeJS.Signals | null
  /** The time of the exit, by `performance.now()`. */
  readonly time: number
  /** The lines of standard output after the first one. */
  readonly output: ReadonlyArray<string>
  /** The text of standard error. */
  readonly errors: string
}

export interface Program {
  readonly urls: ReadonlyArray<string>
  /** Resolves when standard output contains a line `times` times, for example because a handler runs. Default: 1. */
  readonly waitForOutput: (word: string, times?: number) => Promise<void>
  readonly kill: (signal: NodeJS.Signals) => void
  readonly exit: Promise<Exit>
}

/** Spawns a process that waits for its task, with the options of this process. It does not keep this process alive. */
const spawnProgram = (): ChildProcessWithoutNullStreams => {
  const child = spawn(process.execPath, [...process.execArgv, program('serving.js')])
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref()
  return child
}

/** The next process, which loads its modules in advance. */
let spareChild: ChildProcessWithoutNullStreams | undefined

/** Starts a program. Resolves when its servers listen. */
export const startProgram = async (task: Task = {}): Promise<Program> => {
  const child = spareChild ?? spawnProgram()
  spareChild = spawnProgram()
  child.stdin.end(JSON.stringify(task))
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  const exit = once(child, 'close').then((): Exit => ({
    code: child.exitCode ?? child.signalCode,
    time: performance.now(),
    output: output.split('\n').slice(1, -1),
    errors,
  }))
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition())
      if ((await Promise.race([once(child.stdout, 'data'), exit.then(() => 'exit')])) === 'exit')
        throw new Error(`the program has exited: ${output}${errors}`)
  }
  await until(() => output.includes('\n'))
  return {
    urls: JSON.parse(output.split('\n')[0] ?? '[]') as ReadonlyArray<string>,
    waitForOutput: (word, times = 1) =>
      until(() => output.split('\n').filter((line) => line === word).length >= times),
    kill: (signal) => void child.kill(signal),
    exit,
  }
}

/** Runs a function with a program, and kills the program afterwards. */
export const withProgram = async (
  task: Task,
  use: (program: Program, url: string) => Promise<void>,
): Promise<void> => {
  const started = await startProgram(task)
  try {
    await use(started, started.urls[0] ?? '')
  } finally {
    started.kill('SIGKILL')
    await started.exit
  }
}
