/**
 * References in character data and attribute values: the five entities that every document has, and characters by number.
 * There are no others, because no document type declaration is read.
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

/** A text with its references replaced; `undefined` when one of them is none. One pass, whatever their number. */
export const dereferenced = (text: string): string | undefined => {
  let result = ''
  let from = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at)
    if (end === -1) return undefined
    const character = referenced(text.slice(at + 1, end))
    if (character === undefined) return undefined
    result += text.slice(from, at) + character
    from = end + 1
  }
  return result + text.slice(from)
}

const special = /[\t\n&]/

/** The value of an attribute as it is written: white space that is no reference is a space (XML, 3.3.3). */
export const attributeValue = (written: string): string | undefined =>
  special.test(written) ? dereferenced(written.replace(/[\t\n]/g, ' ')) : written

const decimal = /^#[0-9]+$/
const hexadecimal = /^#x[0-9A-Fa-f]+$/

const referenced = (name: string): string | undefined => {
  if (!name.startsWith('#')) return entities.get(name)
  const point = decimal.test(name)
    ? Number(name.slice(1))
    : hexadecimal.test(name)
      ? Number(`0${name.slice(1)}`)
      : 0
  return isCharacter(point) ? String.fromCodePoint(point) : undefined
}
