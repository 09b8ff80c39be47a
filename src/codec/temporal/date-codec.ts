/**
 * A codec of dates or times: a kind of value in a text form. The kind is a member of the codec, so that the same values can
 * be given another form (`pattern.ts`).
 */
import type * as t from 'io-ts'
import { dayOfWeek } from './calendar.ts'
import { type DateFields, defaultFields } from './date-fields.ts'
import type { DateForm } from './text-format.ts'
import { fromString } from '../from-string.ts'

/** The properties of a kind of value that its text forms use. */
export interface DateKind<A> {
  readonly name: string
  /** The letters that a pattern must contain: one of each member. */
  readonly needs: ReadonlyArray<string>
  /** The other letters that a pattern may contain. */
  readonly takes: string
  readonly is: t.Is<A>
  /** Returns `undefined` if there is no such date or time. */
  readonly fromFields: (fields: DateFields) => A | undefined
  /** Sets the members that the kind has. */
  readonly toFields: (fields: DateFields, value: A) => void
}

export interface DateCodec<A> extends t.Type<A, string> {
  readonly kind: DateKind<A>
}

/** The codec of a kind of value in its standard form. */
export const dateCodec = <A>(kind: DateKind<A>, standard: DateForm): DateCodec<A> =>
  Object.assign(inForm(kind, standard, kind.name), { kind })

/** A codec of a kind of value in the given form. */
export const inForm = <A>(
  { fromFields, toFields, is }: DateKind<A>,
  { parse, format }: DateForm,
  name: string,
): t.Type<A, string> =>
  fromString(
    name,
    (text) => {
      const fields = parse(text)
      if (fields === undefined) return undefined
      const value = fromFields(fields)
      return value === undefined || hasItsWeekday(fields) ? value : undefined
    },
    (value) => {
      const fields = defaultFields()
      toFields(fields, value)
      return format(fields)
    },
    is,
  )

/** Whether the weekday, if any, is that of the date. */
const hasItsWeekday = (fields: DateFields): boolean =>
  fields.dayOfWeek === undefined || dayOfWeek(fields) === fields.dayOfWeek
