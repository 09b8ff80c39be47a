/** What a handler is given, and what reads it off a request. */
import type * as E from 'fp-ts/lib/Either.js'
import type { ValidationError } from '../../http/failure.ts'

/** A handler's input, while it is put together. */
export type HandlerInput = Record<string, unknown>

/** Reads a part of a handler's input, or says what is wrong with it. */
export type ReadInput<A, B = HandlerInput> = (
  from: A,
) => E.Either<ReadonlyArray<ValidationError>, B>
