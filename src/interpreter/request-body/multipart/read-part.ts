/** Reads structured parts: by the reader of the declared type, whatever media type the part itself states. */
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

/** A part that was gathered. */
export interface BufferedPart {
  readonly part: Part
  readonly bytes: Uint8Array
}

/** What is wrong with a part, and the error that said so, if there is one. */
export interface InvalidPart {
  readonly errors: ReadonlyArray<ValidationError>
  readonly cause: unknown
}

/** The value of a part. It rejects with an `HttpError` that a reader of the application's own throws. */
export type ReadPart = (
  gathered: BufferedPart,
  context: Context,
) => Promise<E.Either<InvalidPart, unknown>>

/** Prepares reading; interceptors see whole bodies only. */
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
        (taken) => resolve(E.right(taken)),
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

/** Throws what is too large: that is no matter of one part. */
const unreadable =
  ({ name }: Part) =>
  (failure: RequestFailure): InvalidPart => {
    if (failure._tag === 'ContentTooLarge')
      throw multipartTooLarge(`The part ${JSON.stringify(name)} cannot be read. ${failure.detail}`)
    return {
      errors:
        'errors' in failure
          ? failure.errors.map((fault) => ({ ...fault, in: 'form', name }))
          : [{ in: 'form', name, detail: 'its charset is not supported' }],
      cause: causeOf(failure),
    }
  }
