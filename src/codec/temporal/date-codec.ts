/**
 * Creates codecs for dates and times. A codec combines a type of value, such as an instant, with a text format. It has a
 * description of the type as a property, from which `dateFormat` creates a codec with another format.
 */
import { quarterOf } from './date-elements.ts'
import type { TextFormat } from './text-format.ts'
import { type DateFields, defaultFields, dayOfWeek, setDayOfYear } from './calendar.ts'
import type * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { fromString } from '../from-string.ts'
import { isRegExp } from '../../http/platform-value.ts'

/** A kind of date or time value, with the properties and functions required by text formats. */
export interface DateKind<A> {
  readonly name: string
  /** Groups of pattern letters. A pattern must contain at least one letter from each group. */
  readonly requires: ReadonlyArray<string>
  /** The letters that are optional in a pattern. */
  readonly allows: string
  readonly is: t.Is<A>
  /** Creates a value from fields. Returns `undefined` if the fields do not represent a valid date or time. */
  readonly fromFields: (fields: DateFields) => A | undefined
  /** Sets the fields that represent the value. */
  readonly toFields: (fields: DateFields, value: A) => void
}

/** A codec with a property that contains the expression of its text format. */
export interface TextExpression {
  readonly expression: RegExp
}

export const hasTextExpression = (codec: Codec): codec is Codec & TextExpression =>
  'expression' in codec && isRegExp(codec.expression)

/** A codec for dates or times. Values are encoded as text. */
export interface DateCodec<A> extends t.Type<A, string> {
  readonly kind: DateKind<A>
}

/** Creates a codec that encodes a kind of value in its standard text format. */
export const dateCodec = <A>(kind: DateKind<A>, standard: TextFormat): DateCodec<A> =>
  Object.assign(withFormat(kind, standard, kind.name), { kind })

/** Creates a codec for a kind of value in the given text format. */
export const withFormat = <A>(
  { fromFields, toFields, is }: DateKind<A>,
  { parse, format, expression }: TextFormat,
  name: string,
): t.Type<A, string> & TextExpression => {
  const codec = fromString(
    name,
    (text) => {
      const fields = parse(text)
      return fields !== undefined && isConsistent(fields) ? fromFields(fields) : undefined
    },
    (value) => {
      const fields = defaultFields()
      toFields(fields, value)
      return format(fields)
    },
    is,
  )
  return Object.assign(codec, { expression })
}

/** Converts the day of the year to a month and day. Returns whether the year has this day, and the weekday and quarter match the date. */
const isConsistent = (fields: DateFields): boolean =>
  (fields.dayOfYear === undefined || setDayOfYear(fields, fields.dayOfYear)) &&
  (fields.dayOfWeek === undefined || dayOfWeek(fields) === fields.dayOfWeek) &&
  (fields.quarter === undefined || quarterOf(fields) === fields.quarter)
