/** Checks values before they are sent, where the settings ask for it: what a program in JavaScript, or a cast, lets through. */
import { unwrapHal } from '../../endpoint/hal.ts'
import type { ContentPlan } from '../../body/content-plan.ts'
import type { Write } from './deferred-response.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

/** A way to write values that throws a `TypeError` for one which is not of the declared type. */
export const checkingResults = (
  { format, contentType }: ContentPlan,
  settings: Settings,
  write: Write,
): Write => {
  const codec =
    format._tag === 'Json' ||
    format._tag === 'Text' ||
    format._tag === 'Xml' ||
    format._tag === 'Hal'
      ? format.codec
      : undefined
  if (codec === undefined || !settings['fw.rest.check-results']) return write
  return (value, asking) => {
    if (!codec.is(format._tag === 'Hal' ? unwrapHal(value) : value))
      throw new TypeError(`what is sent as ${contentType} has to be: ${codec.name}`)
    return write(value, asking)
  }
}
