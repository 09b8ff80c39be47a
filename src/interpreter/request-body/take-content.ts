/** Takes contents that are never there as a whole. */
import * as E from 'fp-ts/lib/Either.js'
import type { ContentPlan } from '../../body/content-plan.ts'
import { takeForm } from './multipart/take-form.ts'
import { takeInput } from './multipart/take-input.ts'
import { takeStream } from './multipart/take-stream.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { TakeContent } from './take.ts'
import { takeFile } from './take-file.ts'
import { takeText } from './take-text.ts'

/** Prepares taking one of the alternatives of a plan's content; `undefined` for one that is read as a whole. */
export const takeContent = (
  content: ContentPlan,
  plan: Plan,
  settings: Settings,
): TakeContent | undefined => {
  switch (content.format._tag) {
    case 'ByteStream':
      return (pieces) => (_, then) => then(E.right(pieces))
    case 'TextStream':
      return takeText
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
