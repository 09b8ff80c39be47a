/** Starts `serve-hostile.ts` and sends requests to it, one at a time. */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HostileRequest } from './hostile-case.ts'
import type { Measurement } from './meter.ts'
import { exchange } from './exchange.ts'

export interface Measured extends Measurement {
  /** The status of the response; 0 if the connection was closed before there was one. */
  readonly status: number
}

export interface HostileServer {
  readonly url: string
  readonly process: ChildProcess
  readonly hasEnded: () => boolean
  /** Sends a request and measures its cost for the server. */
  readonly measure: (request: HostileRequest) => Promise<Measured>
  /** Measures the server until `during` is done. */
  readonly whileMeasured: (during: () => Promise<unknown>) => Promise<Measurement>
  readonly close: () => Promise<void>
}

interface Options {
  /** The URL of a build: `dist/src/` or `dist/espalier/`. */
  readonly build: string
  readonly flags?: ReadonlyArray<string>
  readonly settings?: Readonly<Record<string, string | number | boolean>>
  /** The size of bodies that all operations accept, parsed or not. Default: the limits of the settings. */
  readonly bodySize?: string
}

/** Starts a server in a child process. */
export const start = async ({
  build,
  flags = [],
  settings = {},
  bodySize,
}: Options): Promise<HostileServer> => {
  const program = fileURLToPath(new URL('serve-hostile.js', import.meta.url))
  const child = fork(
    program,
    [build, JSON.stringify(settings), ...(bodySize === undefined ? [] : [bodySize])],
    {
      execArgv: [...flags],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const nextMessage = async (): Promise<unknown> => {
    if (hasEnded()) throw new Error('the server has ended')
    const aborted = new AbortController()
    try {
      const { signal } = aborted
      return await Promise.race([
        once(child, 'message', { signal }).then(([message]: ReadonlyArray<unknown>) => message),
        once(child, 'exit', { signal }).then(([code, by]) => {
          throw new Error(`the server ended with ${code ?? by}`)
        }),
      ])
    } finally {
      aborted.abort()
    }
  }
  const url = String(await nextMessage())
  const command = async (name: 'begin' | 'end'): Promise<unknown> => {
    const reply = nextMessage()
    // without a callback, a server that has ended would end this process too
    child.send(name, () => undefined)
    return reply
  }
  const measuredNow = async (during: () => Promise<unknown>): Promise<Measurement> => {
    await command('begin')
    await during()
    return (await command('end')) as Measurement
  }
  // a test may give up while its measurement is still running
  let previous: Promise<unknown> = Promise.resolve()
  const whileMeasured = (during: () => Promise<unknown>): Promise<Measurement> => {
    const measurement = previous.then(() => measuredNow(during))
    previous = measurement.catch(() => undefined)
    return measurement
  }
  return {
    url,
    process: child,
    hasEnded,
    whileMeasured,
    measure: async (request) => {
      let status = 0
      const measurement = await whileMeasured(async () => {
        status = await exchange(url, request)
      })
      return { ...measurement, status }
    },
    close: async () => {
      if (hasEnded()) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}
