/** Text formats for dates and times: sequences of elements with optional sections, as in the pattern `HH:mm[:ss]`. */
import { defaultFields } from './calendar.ts'
import type { DateFields } from './calendar.ts'
import type { DateElement } from './date-elements.ts'

/** Parses and formats dates and times. */
export interface TextFormat {
  /** Matches all texts that represent a date or time, and texts such as `2024-02-30`, whose date or time does not exist. */
  readonly expression: RegExp
  /** Parses text. Returns `undefined` unless the whole text matches the format. */
  readonly parse: (text: string) => DateFields | undefined
  readonly format: (fields: DateFields) => string
}

/** A sequence of elements and of optional sections. */
export type PatternSection = ReadonlyArray<DateElement | PatternSection>

const isSection = (part: DateElement | PatternSection): part is PatternSection =>
  Array.isArray(part)

const isElement = (part: DateElement | PatternSection): part is DateElement => !isSection(part)

/** Creates sections from brackets. Returns `undefined` if the brackets are not balanced. */
export const nest = (
  tokens: ReadonlyArray<DateElement | '[' | ']'>,
): PatternSection | undefined => {
  const open: Array<Array<DateElement | PatternSection>> = [[]]
  for (const token of tokens) {
    const section = open.at(-1)
    if (token === '[') open.push([])
    else if (token === ']') {
      const closed = open.pop()
      const parent = open.at(-1)
      if (closed === undefined || parent === undefined) return undefined
      parent.push(closed)
    } else section?.push(token)
  }
  return open.length === 1 ? open[0] : undefined
}

export const lettersOf = (elements: ReadonlyArray<DateElement>): ReadonlyArray<string> =>
  elements.flatMap(({ letters = '' }) => Array.from(letters))

const elementsOf = (section: PatternSection): ReadonlyArray<DateElement> =>
  section.flatMap((part) => (isSection(part) ? elementsOf(part) : [part]))

/** Returns the letters of the parts that are present if a section is: its own, and those of the sections around it. */
export const lettersBySection = (
  section: PatternSection,
  outer: ReadonlyArray<string> = [],
): ReadonlyArray<ReadonlyArray<string>> => {
  const letters = [...outer, ...lettersOf(section.filter(isElement))]
  return [letters, ...section.filter(isSection).flatMap((part) => lettersBySection(part, letters))]
}

const sourceOf = (section: PatternSection): string =>
  section.map((part) => (isSection(part) ? `(?:${sourceOf(part)})?` : `(${part.source})`)).join('')

/**
 * Creates a text format from a sequence of elements, of which some can be in optional sections. `isComplete` tests the letters of the
 * sections that a text contains.
 */
export const textFormat = (
  root: PatternSection,
  isComplete?: (letters: ReadonlyArray<string>) => boolean,
): TextFormat => {
  const elements = elementsOf(root)
  const expression = new RegExp(`^${sourceOf(root)}$`)
  return {
    expression,
    parse: (text) => {
      const match = expression.exec(text)
      if (match === null) return undefined
      const fields = defaultFields()
      let letters = ''
      for (const [index, element] of elements.entries()) {
        const part = match[index + 1]
        if (part === undefined) continue
        element.read(fields, part)
        if (element.letters !== undefined) letters += element.letters
      }
      return isComplete?.(Array.from(letters)) === false ? undefined : fields
    },
    format: (fields) => write(root, fields, new Set()),
  }
}

/** Formats a section. Nested sections with a letter in `written` are omitted. */
const write = (section: PatternSection, fields: DateFields, written: Set<string>): string => {
  let text = ''
  for (const part of section)
    if (!isSection(part)) {
      text += part.write(fields)
      if (part.letters !== undefined) for (const letter of part.letters) written.add(letter)
    } else if (!lettersOf(elementsOf(part)).some((letter) => written.has(letter)))
      text += write(part, fields, written)
  return text
}
