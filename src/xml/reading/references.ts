/**
 * Resolves references in character data and attribute values: the five predefined entities and character references.
 *
 * Other entities do not exist, because document type declarations are rejected.
 *
 * @see https://www.w3.org/TR/xml/#sec-references
 */
import { isCharacter } from '../xml-names.ts'

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['apos', "'"],
  ['quot', '"'],
])

/** Replaces the references in a text, in one pass. Returns `undefined` for an invalid reference. */
export const resolveReferences = (text: string): string | undefined => {
  let result = ''
  let from = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at)
    if (end === -1) return undefined
    const character = resolveReference(text.slice(at + 1, end))
    if (character === undefined) return undefined
    result += text.slice(from, at) + character
    from = end + 1
  }
  return result + text.slice(from)
}

const special = /[\t\n&]/

/** Normalizes the raw value of an attribute: literal white space becomes spaces (XML, 3.3.3). */
export const normalizeAttribute = (written: string): string | undefined =>
  special.test(written) ? resolveReferences(written.replace(/[\t\n]/g, ' ')) : written

const decimal = /^#[0-9]+$/
const hexadecimal = /^#x[0-9A-Fa-f]+$/

const resolveReference = (name: string): string | undefined => {
  if (!name.startsWith('#')) return entities.get(name)
  const point = decimal.test(name)
    ? Number(name.slice(1))
    : hexadecimal.test(name)
      ? Number(`0${name.slice(1)}`)
      : 0
  return isCharacter(point) ? String.fromCodePoint(point) : undefined
}
