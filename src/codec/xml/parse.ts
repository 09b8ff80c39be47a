/**
 * Reads XML: what is well-formed, and nothing else. `fast-xml-parser` builds the tree, but only of texts that pass checks of our own,
 * because what it takes and refuses is another language: two roots, undeclared prefixes and unknown entities pass.
 *
 * FIGURES
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Element } from './element.ts'
import { treeOf } from './tree.ts'
import { wellFormed } from './well-formed.ts'

/** The root element of a document whose elements stand at most so deep inside each other, or in words why there is none. */
export const parse = (text: string, depth: number): E.Either<string, Element> => {
  const checked = wellFormed(text, depth)
  return E.isLeft(checked)
    ? checked
    : E.tryCatch(
        () => treeOf(checked.right),
        () => 'it cannot be read',
      )
}
