/** A text form: elements in a row, compiled once into one anchored expression and a list of writers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { DateElement } from './element.ts'
import { type DateFields, unsaid } from './fields.ts'

export interface DateForm {
  /** Reads the whole text; `none` when it has another form. */
  readonly parse: (text: string) => O.Option<DateFields>
  readonly format: (fields: DateFields) => string
}

/** `ignoreCase` is for reading only. */
export const form = (
  elements: ReadonlyArray<DateElement>,
  { ignoreCase = false }: { readonly ignoreCase?: boolean } = {},
): DateForm => {
  const source = elements.map((element) => `(${element.source})`).join('')
  const expression = new RegExp(`^${source}$`, ignoreCase ? 'i' : '')
  return {
    parse: (text) =>
      pipe(
        O.fromNullable(expression.exec(text)),
        O.map((match) =>
          elements.reduce(
            (fields, { read }, index) => read(fields, match[index + 1] ?? ''),
            unsaid,
          ),
        ),
      ),
    format: (fields) => elements.map(({ write }) => write(fields)).join(''),
  }
}
