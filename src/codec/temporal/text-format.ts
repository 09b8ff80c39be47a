/** Text formats of dates and times: a sequence of elements, compiled once to an anchored regular expression. */
import type { DateElement } from './date-elements.ts'
import { type DateFields, defaultFields } from './date-fields.ts'

/** Parses and formats dates and times. */
export interface TextFormat {
  /** Parses the whole text. Returns `undefined` if it does not match. */
  readonly parse: (text: string) => DateFields | undefined
  readonly format: (fields: DateFields) => string
}

/** Compiles elements to a format. `ignoreCase` applies to parsing. */
export const textFormat = (
  elements: ReadonlyArray<DateElement>,
  { ignoreCase = false }: { readonly ignoreCase?: boolean } = {},
): TextFormat => {
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
