/** Validation of values before they are sent, enabled by `fw.rest.check-results`: it finds what JavaScript or a cast lets through. */
import { bodyFormat } from '../../body/body-formats.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { WriteBody } from './deferred-response.ts'

/** Returns `write`, or a function that throws a `TypeError` for a value that its codec rejects. */
export const validatingWriter = (
  { format, contentType }: BodyPlan,
  settings: Settings,
  write: WriteBody,
): WriteBody => {
  const { codec, accepts, isStreamed } = bodyFormat(format)
  if (codec === undefined || isStreamed || format._tag === 'Provider') return write
  if (!settings['fw.rest.check-results']) return write
  return (value, asking) => {
    if (!accepts(value))
      throw new TypeError(`invalid result: the value sent as ${contentType} must be ${codec.name}`)
    return write(value, asking)
  }
}
