/** The input of handlers, and the type of functions that read it from a request. */
import type * as E from 'fp-ts/lib/Either.js'
import type { ValidationError } from '../../http/failure.ts'

/** The input of a handler, while it is built. */
export type HandlerInput = Record<string, unknown>

/** Reads a part of the input, or returns validation errors. */
export type ReadInput<A, B = HandlerInput> = (
  from: A,
) => E.Either<ReadonlyArray<ValidationError>, B>
