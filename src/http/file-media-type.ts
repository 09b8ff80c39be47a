/** Determines the media type of a file from its file name extension. */
import type { Mime } from 'mime'

let table: Promise<Mime> | undefined

/**
 * Loads and caches the media type table. If loading fails, for example because too many files are open, the next call tries
 * again.
 */
export const load = (): Promise<Mime> =>
  (table ??= import('mime').then(
    (module) => module.default,
    (error: unknown) => {
      table = undefined
      throw error
    },
  ))

/** Returns the media type for a file name, or `application/octet-stream` if the extension is unknown. */
export const ofFileName = async (name: string): Promise<string> =>
  (await load()).getType(name) ?? 'application/octet-stream'
