/** Takes contents that are never there as a whole. */
import * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../endpoint/context.ts'
import type { Failure } from '../http/failure.ts'
import type * as MediaType from '../http/media-type.ts'
import type { ContentPlan } from './content-plan.ts'
import type { Exchange } from './exchange.ts'
import type { Intake } from './intake.ts'
import { takeForm } from './multipart/take-form.ts'
import { takeInput } from './multipart/take-input.ts'
import { takeStream } from './multipart/take-stream.ts'
import type { Pending } from './pending.ts'
import type { Plan } from './plan.ts'
import type { Settings } from './settings.ts'
import { takeFile } from './take-file.ts'

/** What a content comes to that is taken as it comes. What goes wrong is told as it is: an `HttpError` has its status. */
export type TakeContent = (
  pieces: Intake,
  stated: MediaType.MediaType | undefined,
  exchange: Exchange,
) => Pending<Context, E.Either<Failure, unknown>>

/** Prepares taking one of the alternatives of a plan's content; `undefined` for one that is read as a whole. */
export const takeContent = (
  content: ContentPlan,
  plan: Plan,
  settings: Settings,
): TakeContent | undefined => {
  switch (content.format._tag) {
    case 'ByteStream':
      return (pieces) => (_, then) => then(E.right(pieces))
    case 'FileBody':
      return takeFile(content, settings)
    case 'MultipartForm':
      return takeForm(plan, settings)
    case 'MultipartInput':
      return takeInput(settings)
    case 'MultipartStream':
      return takeStream(settings)
    default:
      return undefined
  }
}
