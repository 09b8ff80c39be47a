/** A program with several instances in its own processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { bundleEnvironment, program } from '../../support/bundled.ts'
import type { InstancesTask } from '../../programs/instances.ts'

/** A line of the log. */
export interface LogLine {
  readonly level?: string
  readonly message?: string
  readonly instance?: number
  readonly pid?: number
  readonly [name: string]: unknown
}

export interface SupervisedProgram {
  /** The URL of the first server. */
  readonly url: string
  readonly urls: ReadonlyArray<string>
  readonly pid: number
  /** Returns the lines of standard output that were received so far. */
  readonly lines: () => ReadonlyArray<string>
  /** Returns the lines of the log that were received so far. Throws for a line that is not JSON. */
  readonly log: () => ReadonlyArray<LogLine>
  /** Resolves when the log contains a line with a message `times` times, to the last one. Default: 1. */
  readonly logged: (message: string, times?: number) => Promise<LogLine>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Standard output, which a test can pause to be a slow reader. */
  readonly output: Readable
  /** Resolves when the parent process has ended, and no process holds its standard output. */
  readonly exit: Promise<{ readonly code: number | string | null; readonly errors: string }>
}

const isFirstLine = (line: string): boolean => /^\{"(?:urls|rejected)":/.test(line)

/** Starts a program. Resolves when its servers listen, or it has ended. */
export const startSupervised = async (
  task: InstancesTask,
  environment: NodeJS.ProcessEnv = {},
): Promise<SupervisedProgram> => {
  const child = spawn(
    process.execPath,
    [...process.execArgv, program('instances.js'), JSON.stringify(task)],
    // its own process group, so that a test can send a signal to all processes
    { env: { ...bundleEnvironment(), ...environment }, detached: true },
  )
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  const exit = once(child, 'close').then(() => ({
    code: child.exitCode ?? child.signalCode,
    errors,
  }))
  let hasEnded = false
  void exit.then(() => (hasEnded = true))
  const lines = (): ReadonlyArray<string> => output.split('\n').slice(0, -1)
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) {
      if (hasEnded) throw new Error(`the program has ended: ${output}${errors}`)
      await Promise.race([once(child.stdout, 'data'), exit])
    }
  }
  await Promise.race([until(() => lines().some(isFirstLine)), exit])
  const log = (): ReadonlyArray<LogLine> =>
    lines()
      .filter((line) => !isFirstLine(line))
      .map((line) => JSON.parse(line) as LogLine)
  const { urls = [] } = JSON.parse(lines().find(isFirstLine) ?? '{}') as {
    readonly urls?: ReadonlyArray<string>
  }
  const find = (text: string): ReadonlyArray<LogLine> =>
    log().filter(({ message }) => message === text)
  return {
    url: urls[0] ?? '',
    urls,
    pid: child.pid ?? 0,
    lines,
    log,
    logged: async (message, times = 1) => {
      await until(() => find(message).length >= times)
      return find(message)[times - 1] ?? {}
    },
    kill: (signal) => void child.kill(signal),
    output: child.stdout,
    exit,
  }
}

/** Runs a function with a program, and kills all its processes afterwards. */
export const withSupervised = async (
  task: InstancesTask,
  use: (started: SupervisedProgram) => Promise<void>,
): Promise<void> => {
  const started = await startSupervised(task)
  try {
    await use(started)
  } finally {
    try {
      process.kill(-started.pid, 'SIGKILL')
    } catch {
      // all processes have ended
    }
    await started.exit
  }
}

/** Sends a GET request on a new connection. */
export const getText = async (url: string): Promise<string> => {
  const response = await fetch(url, { headers: { connection: 'close' } })
  return response.text()
}

/** Sends requests until responses of `count` processes were received. Resolves to their process IDs. */
export const pidsOf = async (url: string, count: number): Promise<ReadonlyArray<number>> => {
  const pids = new Set<number>()
  while (pids.size < count) pids.add(Number(await getText(`${url}/pid`)))
  return [...pids]
}

/** Whether a process exists. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
