/** Splits multipart bodies into parts with busboy. */
import { createPartParser } from '../../body/multipart/part-parser.ts'
import type { CreateParser } from '../../body/multipart/read-parts.ts'
import { createSplitter } from '../../interpreter/request-body/multipart/parts.ts'
import type { SplitParts } from '../../interpreter/exchange.ts'

/**
 * Imports busboy, which only programs that read multipart bodies need.
 *
 * In an ES module created by esbuild, busboy cannot require `stream`, and in a bundle for pages, busboy is an empty module. The parser of
 * the other runtimes replaces it there, which accepts and rejects the same bodies.
 */
export const loadParser = async (): Promise<CreateParser> => {
  try {
    return (await import('./busboy-parser.ts')).createBusboyParser
  } catch (error) {
    if (/Dynamic require of|is not a function/.test(String(error))) return createPartParser
    throw error
  }
}

/** Returns a function that splits bodies. The first body imports busboy. */
export const partSplitter = (): SplitParts => {
  let createParser: CreateParser | undefined
  // a failed import is not kept, so that the next body can succeed
  return createSplitter(async () => (createParser ??= await loadParser()), true)
}
