/**
 * A codec of dates or times: a kind of value in a text form. The kind stays visible on the codec, so that the same values
 * can be given another form (`pattern.ts`).
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { DateFields } from './fields.ts'
import type { DateForm } from './form.ts'
import { fromString } from '../from-string.ts'
import { temporal } from './temporal.ts'

/** What text forms need to know of a kind of value. */
export interface DateKind<A> {
  readonly name: string
  /** The letters of a pattern without which there is no value; of each member one letter must be there. */
  readonly needs: ReadonlyArray<string>
  /** The other letters that a pattern may have. */
  readonly takes: string
  readonly is: t.Is<A>
  /** `none` when there is no such date or time. */
  readonly fromFields: (fields: DateFields) => O.Option<A>
  readonly toFields: (value: A) => DateFields
}

export interface DateCodec<A> extends t.Type<A, string> {
  readonly kind: DateKind<A>
}

/** The codec of a kind of value in its standard form. */
export const dateCodec = <A>(kind: DateKind<A>, standard: DateForm): DateCodec<A> =>
  Object.assign(inForm(kind, standard, kind.name), { kind })

/** A codec of a kind of value in the form given. */
export const inForm = <A>(
  { fromFields, toFields, is }: DateKind<A>,
  { parse, format }: DateForm,
  name: string,
): t.Type<A, string> =>
  fromString(
    name,
    (text) =>
      pipe(
        parse(text),
        O.chain((fields) =>
          pipe(
            fromFields(fields),
            O.filter(() => fallsOnItsWeekday(fields)),
          ),
        ),
        O.toUndefined,
      ),
    (value) => format(toFields(value)),
    is,
  )

/** The fields make a possible date: this is asked after `fromFields`. */
const fallsOnItsWeekday = (fields: DateFields): boolean =>
  fields.dayOfWeek === undefined || temporal().PlainDate.from(fields).dayOfWeek === fields.dayOfWeek
