/** Takes contents that are never there as a whole. */
import * as E from 'fp-ts/lib/Either.js'
import type { BodyPlan } from '../../body/content-plan.ts'
import { multipartFormReader } from './multipart/take-form.ts'
import { multipartInputReader } from './multipart/take-input.ts'
import { multipartStreamReader } from './multipart/take-stream.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { ReadStream } from './take.ts'
import { readToFile } from './take-file.ts'
import { readTextStream } from './take-text.ts'

/** Prepares taking one of the alternatives of a plan's content; `undefined` for one that is read as a whole. */
export const streamReader = (
  content: BodyPlan,
  plan: Plan,
  settings: Settings,
): ReadStream | undefined => {
  switch (content.format._tag) {
    case 'ByteStream':
      return (pieces) => (_, then) => then(E.right(pieces))
    case 'TextStream':
      return readTextStream
    case 'FileBody':
      return readToFile(content, settings)
    case 'MultipartForm':
      return multipartFormReader(plan, settings)
    case 'MultipartInput':
      return multipartInputReader(settings)
    case 'MultipartStream':
      return multipartStreamReader(settings)
    default:
      return undefined
  }
}
