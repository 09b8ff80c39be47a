/** A text form: a sequence of elements, compiled once into an anchored expression and a list of writers. */
import type { DateElement } from './date-elements.ts'
import { type DateFields, defaultFields } from './date-fields.ts'

export interface DateForm {
  /** Reads the whole text; `undefined` if it does not have this form. */
  readonly parse: (text: string) => DateFields | undefined
  readonly format: (fields: DateFields) => string
}

/** Compiles elements into a form. `ignoreCase` applies to parsing. */
export const form = (
  elements: ReadonlyArray<DateElement>,
  { ignoreCase = false }: { readonly ignoreCase?: boolean } = {},
): DateForm => {
  const source = elements
    .map((element) => `(${element.read ? '' : '?:'}${element.source})`)
    .join('')
  const expression = new RegExp(`^${source}$`, ignoreCase ? 'i' : '')
  const readers = elements.flatMap(({ read }) => read ?? [])
  return {
    parse: (text) => {
      const match = expression.exec(text)
      if (match === null) return undefined
      const fields = defaultFields()
      readers.forEach((read, index) => read(fields, match[index + 1] ?? ''))
      return fields
    },
    format: (fields) => {
      let text = ''
      for (const { write } of elements) text += write(fields)
      return text
    },
  }
}
