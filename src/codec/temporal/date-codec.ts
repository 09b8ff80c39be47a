/** Codecs of dates and times: a kind of value in a text format. The kind is a member of the codec, so that `dateFormat` can replace the format. */
import type * as t from 'io-ts'
import { dayOfWeek } from './calendar.ts'
import { type DateFields, defaultFields } from './date-fields.ts'
import type { TextFormat } from './text-format.ts'
import { fromString } from '../from-string.ts'

/** The properties of a kind of value that text formats need. */
export interface DateKind<A> {
  readonly name: string
  /** The letters that a pattern must contain: one letter of each element. */
  readonly requires: ReadonlyArray<string>
  /** The optional letters of a pattern. */
  readonly allows: string
  readonly is: t.Is<A>
  /** Returns `undefined` for fields without a valid date or time. */
  readonly fromFields: (fields: DateFields) => A | undefined
  /** Sets the fields that the kind has. */
  readonly toFields: (fields: DateFields, value: A) => void
}

/** A codec of dates or times as texts. */
export interface DateCodec<A> extends t.Type<A, string> {
  readonly kind: DateKind<A>
}

/** Creates the codec of a kind of value in its standard format. */
export const dateCodec = <A>(kind: DateKind<A>, standard: TextFormat): DateCodec<A> =>
  Object.assign(withFormat(kind, standard, kind.name), { kind })

/** Creates a codec of a kind of value in the given format. */
export const withFormat = <A>(
  { fromFields, toFields, is }: DateKind<A>,
  { parse, format }: TextFormat,
  name: string,
): t.Type<A, string> =>
  fromString(
    name,
    (text) => {
      const fields = parse(text)
      if (fields === undefined) return undefined
      const value = fromFields(fields)
      return value === undefined || hasMatchingWeekday(fields) ? value : undefined
    },
    (value) => {
      const fields = defaultFields()
      toFields(fields, value)
      return format(fields)
    },
    is,
  )

/** Whether the weekday, if there is one, matches the date. */
const hasMatchingWeekday = (fields: DateFields): boolean =>
  fields.dayOfWeek === undefined || dayOfWeek(fields) === fields.dayOfWeek
