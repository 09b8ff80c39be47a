/** What the root element of a codec is called when nobody says so. */
import { isNcName } from '../xml-names.ts'

/**
 * The first of some names that can be one. What stands before its last full stop is left out, and so is the capital that types
 * have, unless another one follows: `library.Book` is `book`, and `URL` is `URL`.
 */
export const rootName = (names: ReadonlyArray<string>): string | undefined => {
  const found = names
    .filter(isNcName)
    .map((name) => name.slice(name.lastIndexOf('.') + 1))
    .find(isNcName)
  return found === undefined || /^.\p{Lu}/u.test(found)
    ? found
    : found.slice(0, 1).toLowerCase() + found.slice(1)
}
