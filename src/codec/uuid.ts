/**
 * A codec of UUIDs in their text form. Any version and variant passes, the nil and the max UUID too.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-4
 */
import type * as t from 'io-ts'
import { fromString } from './from-string.ts'

const form = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

const parse = (text: string): string | undefined => {
  const lower = text.toLowerCase()
  return form.test(lower) ? lower : undefined
}

/** Read in either case, lower-case when read and when written, so that equal UUIDs are equal texts. */
export const uuid: t.Type<string, string> = fromString(
  'uuid',
  parse,
  (value) => value.toLowerCase(),
  (value): value is string => typeof value === 'string' && parse(value) !== undefined,
)
