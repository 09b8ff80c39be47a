/** Errors for text with characters that XML documents cannot contain, not even as character references (XML, 2.2). */
import { illegalCharacterIndex } from '../xml-names.ts'
import { isObject } from '../../http/platform-value.ts'

/** Returns the message of the error for a character. `place` is the location of the text, such as ` at /title`. */
export const illegalTextMessage = (character: string, place = ''): string => {
  const point = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return `invalid text${place}: XML does not allow U+${point}, so remove it or use another format`
}

/**
 * Returns a function that writes values as `write` does. If it fails because of an illegal character, the error names the member as a JSON
 * Pointer.
 *
 * The value is only searched after a failure, because the functions that escape text do not know its location.
 */
export const withPointers =
  (write: (value: unknown) => string) =>
  (value: unknown): string => {
    try {
      return write(value)
    } catch (cause) {
      const found = findIllegalText(value, '')
      if (found === undefined) throw cause
      throw new TypeError(illegalTextMessage(found.character, found.place), { cause })
    }
  }

/** Finds the first text with an illegal character. */
const findIllegalText = (
  value: unknown,
  pointer: string,
): { readonly character: string; readonly place: string } | undefined => {
  if (typeof value === 'string') {
    const at = illegalCharacterIndex(value)
    const place = pointer === '' ? '' : ` at ${pointer}`
    return at === -1 ? undefined : { character: value.charAt(at), place }
  }
  if (!isObject(value)) return undefined
  for (const [name, member] of Object.entries(value)) {
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1')
    const found = findIllegalText(member, `${pointer}/${token}`)
    if (found !== undefined) return found
  }
  return undefined
}
