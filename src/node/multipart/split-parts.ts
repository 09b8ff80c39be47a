/** Splits multipart bodies into parts with busboy. */
import { createPartParser } from '../../body/multipart/part-parser.ts'
import type { CreateParser } from '../../body/multipart/read-parts.ts'
import { createSplitter } from '../../interpreter/request-body/multipart/parts.ts'
import { codeOf } from '../../http/platform-value.ts'
import type { SplitParts } from '../../interpreter/exchange.ts'

/**
 * Imports the parser that uses busboy, which only programs that read multipart bodies need.
 *
 * Where busboy is not a function, the parser of the other runtimes replaces it, which accepts and rejects the same bodies: in bundles for
 * pages, busboy is an empty module, and in ES modules created by esbuild, it cannot require `stream`.
 */
export const loadParser = async (): Promise<CreateParser> =>
  typeof (await importBusboy()) === 'function'
    ? (await import('./busboy-parser.ts')).createBusboyParser
    : createPartParser

/** Returns the export of busboy, or `undefined` if busboy throws an error when it is loaded. */
const importBusboy = async (): Promise<unknown> => {
  try {
    return (await import('busboy')).default
  } catch (error) {
    // Node.js did not find or read the module, for example because too many files are open
    if (codeOf(error) !== undefined) throw error
    return undefined
  }
}

/** Returns a function that splits bodies. The first body imports busboy. */
export const partSplitter = (): SplitParts => {
  let createParser: CreateParser | undefined
  // a failed import is not kept, so that the next body can succeed
  return createSplitter(async () => (createParser ??= await loadParser()), true)
}
