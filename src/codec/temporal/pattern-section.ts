/** Date patterns with optional sections, as in `HH:mm[:ss]`. */
import { defaultFields } from './calendar.ts'
import type { DateFields } from './calendar.ts'
import type { TextFormat } from './date-codec.ts'
import type { DateElement } from './date-elements.ts'

/** A part of a date pattern. */
export interface PatternPart {
  readonly element: DateElement
  /** The units of the part, as letters of `y M d E Q H h a m s S X V`. `undefined` for literals. */
  readonly letters?: string
}

/** A sequence of parts and of optional sections. */
export type PatternSection = ReadonlyArray<PatternPart | PatternSection>

const isSection = (part: PatternPart | PatternSection): part is PatternSection =>
  Array.isArray(part)

const isPart = (part: PatternPart | PatternSection): part is PatternPart => !isSection(part)

/** Creates sections from brackets. Returns `undefined` if the brackets are not balanced. */
export const nest = (
  tokens: ReadonlyArray<PatternPart | '[' | ']'>,
): PatternSection | undefined => {
  const open: Array<Array<PatternPart | PatternSection>> = [[]]
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

export const lettersOf = (parts: ReadonlyArray<PatternPart>): ReadonlyArray<string> =>
  parts.flatMap(({ letters = '' }) => Array.from(letters))

const partsOf = (section: PatternSection): ReadonlyArray<PatternPart> =>
  section.flatMap((part) => (isSection(part) ? partsOf(part) : [part]))

/** Returns the letters of the parts that are present if a section is: its own, and those of the sections around it. */
export const lettersBySection = (
  section: PatternSection,
  outer: ReadonlyArray<string> = [],
): ReadonlyArray<ReadonlyArray<string>> => {
  const letters = [...outer, ...lettersOf(section.filter(isPart))]
  return [letters, ...section.filter(isSection).flatMap((part) => lettersBySection(part, letters))]
}

const sourceOf = (section: PatternSection): string =>
  section
    .map((part) => (isSection(part) ? `(?:${sourceOf(part)})?` : `(${part.element.source})`))
    .join('')

/** Creates a text format with optional sections. `isComplete` tests the letters of the sections that a text contains. */
export const sectionFormat = (
  root: PatternSection,
  isComplete: (letters: ReadonlyArray<string>) => boolean,
): TextFormat => {
  const parts = partsOf(root)
  const expression = new RegExp(`^${sourceOf(root)}$`)
  return {
    expression,
    parse: (text) => {
      const match = expression.exec(text)
      if (match === null) return undefined
      const fields = defaultFields()
      const present = parts.filter((_, index) => match[index + 1] !== undefined)
      for (const [index, { element }] of parts.entries()) {
        const part = match[index + 1]
        if (part !== undefined) element.read(fields, part)
      }
      return isComplete(lettersOf(present)) ? fields : undefined
    },
    format: (fields) => write(root, fields, new Set()),
  }
}

/** Formats a section. Nested sections with a letter in `written` are omitted. */
const write = (section: PatternSection, fields: DateFields, written: Set<string>): string => {
  let text = ''
  for (const part of section) {
    if (!isSection(part)) {
      text += part.element.write(fields)
      lettersOf([part]).forEach((letter) => written.add(letter))
      continue
    }
    const letters = lettersOf(partsOf(part))
    if (!letters.some((letter) => written.has(letter))) text += write(part, fields, written)
  }
  return text
}
