/** Splits multipart bodies into parts. On runtimes other than Node.js, no package is needed. */
import { createPartParser } from '../body/multipart/part-parser.ts'
import type { MultipartSource } from '../body/multipart/read-parts.ts'
import { readParts } from '../body/multipart/read-parts.ts'
import type { SplitParts } from '../interpreter/exchange.ts'
import { multipartErrors } from '../interpreter/request-body/multipart/parts.ts'

/**
 * Creates a function that splits bodies with a parser. Only the header section of each part is buffered. `isDrained` is described in
 * {@link MultipartSource}.
 */
export const createSplitter =
  (loadParser: MultipartSource['loadParser'], isDrained: boolean): SplitParts =>
  (chunks, boundary, limits, free) =>
    readParts({ chunks, boundary, loadParser, limits, errors: multipartErrors, free, isDrained })

export const splitParts = createSplitter(() => createPartParser, false)
