/**
 * How a server comes to its end, step by step:
 *
 * ```text
 * fw.shutdown.delay     everything goes on, but the application knows, and says that it is not ready
 * fw.shutdown.grace     every answer is the last one on its connection, until no connection is left
 * fw.shutdown.timeout   no new connections; those that were accepted are answered first, idle ones are closed once they were
 *                       quiet for up to half a second, busy ones are waited for, and cut at the end of it
 * fw.shutdown.timeout   the application gives back what it owns
 * ```
 */
import { setMaxListeners } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { trackConnections, drain } from './graceful-shutdown.ts'

export class GracefulShutdown {
  readonly #settings: Settings
  readonly #logger: Logger
  readonly #onClose: () => unknown
  readonly #begun = new AbortController()
  #isLast = false
  #cut = 0
  #end: () => void = () => undefined
  /** Resolves when nothing is left to be done, be it well or not. */
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.#end = resolve
  })

  constructor(settings: Settings, logger: Logger, onClose: () => unknown) {
    this.#settings = settings
    this.#logger = logger
    this.#onClose = onClose
    // every stream that is open may listen
    setMaxListeners(0, this.#begun.signal)
  }

  /** Aborts when the first step begins. */
  get signal(): AbortSignal {
    return this.#begun.signal
  }

  /** Whether an answer is the last one on its connection. */
  get isClosing(): boolean {
    return this.#isLast
  }

  /** The number of connections that were still busy when their time was over, and were cut. */
  get destroyedConnections(): number {
    return this.#cut
  }

  /** Milliseconds that each part of the end may take: `fw.shutdown.timeout`. */
  get deadline(): number {
    return this.#settings['fw.shutdown.timeout']
  }

  /** Stops a server; every call gives the same promise. It has to be there before the first connection is. */
  closeFunction(server: Server): () => Promise<void> {
    const connections = trackConnections(server)
    const run = async (): Promise<void> => {
      const { deadline } = this
      const { 'fw.shutdown.delay': delay, 'fw.shutdown.grace': grace } = this.#settings
      this.#begun.abort()
      if (delay > 0) await wait(delay)
      this.#isLast = true
      this.#cut = await drain(server, connections, { grace, deadline })
      if (this.#cut > 0)
        this.#logger.warn({ connections: this.#cut }, 'Connections were cut to stop.')
      await within(deadline, this.#onClose)
    }
    let stopped: Promise<void> | undefined
    return () => (stopped ??= run().finally(this.#end))
  }
}

/** Runs what must be over after so many milliseconds. */
const within = async (most: number, run: () => unknown): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`onClose still runs after ${most} ms`)), most)
  })
  try {
    await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}
