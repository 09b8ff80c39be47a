/** Where the engine writes what clients must not see. A logger of `pino` fits as it is. */

/** One line: members of an object, and a sentence. */
export type Log = (members: Readonly<Record<string, unknown>>, message: string) => void

export interface Logger {
  readonly trace: Log
  readonly debug: Log
  readonly info: Log
  readonly warn: Log
  readonly error: Log
}

const drop: Log = () => undefined

/** A logger that drops everything. */
export const silent: Logger = { trace: drop, debug: drop, info: drop, warn: drop, error: drop }

/** The same logger, on which no answer depends: what it throws is dropped. */
export const unfailing = (logger: Logger): Logger => {
  const guarded =
    (level: keyof Logger): Log =>
    (members, message) => {
      try {
        logger[level](members, message)
      } catch {
        // there is nobody left to tell
      }
    }
  return {
    trace: guarded('trace'),
    debug: guarded('debug'),
    info: guarded('info'),
    warn: guarded('warn'),
    error: guarded('error'),
  }
}
