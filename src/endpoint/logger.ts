/** Where a program writes what clients must not see. A logger of `pino` fits as it is. */

/** One line: members of an object, and a sentence. */
export type Log = (members: Readonly<Record<string, unknown>>, message: string) => void

export interface Logger {
  readonly trace: Log
  readonly debug: Log
  readonly info: Log
  readonly warn: Log
  readonly error: Log
  /**
   * A logger of the same place whose lines carry these members and which writes from this level on. Where there is none, the
   * members are put into each line.
   */
  readonly child?: (
    members: Readonly<Record<string, unknown>>,
    options: { readonly level: string },
  ) => Logger
}
