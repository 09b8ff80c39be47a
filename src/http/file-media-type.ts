/** Media types of files, by their extensions. */
import type { Mime } from 'mime'

let table: Promise<Mime> | undefined

/** Loads the table of media types once. A failed attempt, for example because of too many open files, is repeated. */
export const load = (): Promise<Mime> =>
  (table ??= import('mime').then(
    (module) => module.default,
    (error: unknown) => {
      table = undefined
      throw error
    },
  ))

/** Returns the media type of a file name. Default: `application/octet-stream`. */
export const ofFileName = async (name: string): Promise<string> =>
  (await load()).getType(name) ?? 'application/octet-stream'
