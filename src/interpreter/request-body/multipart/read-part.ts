/** Reads structured parts with the reader of the declared type, whatever media type the part has. */
import type { Context } from '../../../endpoint/context.ts'
import type { RequestFailure, ValidationError } from '../../../http/failure.ts'
import { causeOf } from '../../../body/read-body.ts'
import type { BodyPlan } from '../../../body/body-plan.ts'
import type { Plan } from '../../../compiler/plan.ts'
import { isBuiltIn } from '../../../body/entity/select-body-plan.ts'
import { entityReaders } from '../read-entity.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { failureOf } from '../../errors/failure-error.ts'
import type { Part } from './parts.ts'
import { multipartTooLarge } from './multipart-limits.ts'
import * as E from 'fp-ts/lib/Either.js'

/** A part whose body is buffered. */
export interface BufferedPart {
  readonly part: Part
  readonly bytes: Uint8Array
}

/** The validation errors of a part, and the error that caused them, if any. */
export interface InvalidPart {
  readonly errors: ReadonlyArray<ValidationError>
  readonly cause: unknown
}

/** Reads the value of a part. Rejects with `HttpError`s that an application's reader throws. */
export type ReadPart = (
  buffered: BufferedPart,
  context: Context,
) => Promise<E.Either<InvalidPart, unknown>>

/** Returns the reader of a part. Reader interceptors do not run for parts, only for whole bodies. */
export const partReader = (content: BodyPlan, plan: Plan, settings: Settings): ReadPart => {
  const entities = { ...plan.chain.entities, readerInterceptors: [] }
  const bare = { ...plan, bodies: [content], chain: { ...plan.chain, entities } }
  const [read] = entityReaders(bare, settings)
  return async ({ part, bytes }, context) => {
    const value = read?.(bytes, isBuiltIn(content) ? part.mediaType : undefined)
    if (typeof value !== 'function') return E.mapLeft(unreadable(part))(value ?? E.right(undefined))
    return new Promise((resolve, reject) => {
      value(
        context,
        (partValue) => resolve(E.right(partValue)),
        (error) => {
          const failure = failureOf(error)
          if (failure === undefined) reject(error)
          else if (failure._tag === 'ContentTooLarge') reject(error)
          else resolve(E.left({ ...unreadable(part)(failure), cause: error }))
        },
      )
    })
  }
}

/** Converts a failure to validation errors of the form. Throws 413, which concerns the whole body. */
const unreadable =
  ({ name }: Part) =>
  (failure: RequestFailure): InvalidPart => {
    if (failure._tag === 'ContentTooLarge')
      throw multipartTooLarge(`Invalid part ${JSON.stringify(name)}. ${failure.detail}`)
    return {
      errors:
        'errors' in failure
          ? failure.errors.map((fault) => ({ ...fault, in: 'form', name }))
          : [{ in: 'form', name, detail: 'unsupported charset' }],
      cause: causeOf(failure),
    }
  }
