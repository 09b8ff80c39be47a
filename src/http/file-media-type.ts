/** Media types of files, by the extensions of their names. */
import type { Mime } from 'mime'

let known: Promise<Mime> | undefined

/** Loads the table once. A failure, such as too many open files, is not remembered. */
export const load = (): Promise<Mime> =>
  (known ??= import('mime').then(
    (module) => module.default,
    (error: unknown) => {
      known = undefined
      throw error
    },
  ))

/** The registered media type; `application/octet-stream` where the extension says nothing. */
export const ofFileName = async (name: string): Promise<string> =>
  (await load()).getType(name) ?? 'application/octet-stream'
