/** Resolves names of elements and attributes. */
import type { QName } from '../xml-names.ts'
import { isNcName } from '../xml-names.ts'
import { noName } from './mapping-errors.ts'
import type { DeclaredName } from '../../codec/structure/xml-type.ts'

/** Resolves declared names, and collects preferred prefixes and configuration errors. */
export class NameResolver {
  readonly #prefixes = new Map<string, string>()
  readonly #errors = new Set<string>()

  /** The preferred prefixes, by namespace. */
  get prefixes(): ReadonlyMap<string, string> {
    return this.#prefixes
  }

  get errors(): ReadonlyArray<string> {
    return [...this.#errors]
  }

  /** Adds a configuration error. */
  report(path: string, error: string): void {
    this.#errors.add(`${path}: ${error}`)
  }

  /** Completes a declared name with the parts of an inherited one. */
  resolve(declared: DeclaredName, inherited: QName, path: string): QName {
    const { namespace = inherited.namespace, local = inherited.local, prefix } = declared
    if (!isNcName(local)) this.report(path, noName(local))
    if (prefix !== undefined && namespace !== '') {
      for (const [other, otherPrefix] of this.#prefixes)
        if (otherPrefix === prefix && other !== namespace)
          this.report(path, `prefix ${prefix} is declared for two namespaces`)
      this.#prefixes.set(namespace, this.#prefixes.get(namespace) ?? prefix)
    }
    return { namespace, local }
  }
}

/**
 * Derives the default name of the root element from the first valid name.
 *
 * Removes everything up to the last full stop, and lowers the first letter unless another capital follows: `library.Book`
 * becomes `book`, `URL` stays `URL`.
 */
export const defaultRootName = (names: ReadonlyArray<string>): string | undefined => {
  const found = names
    .filter(isNcName)
    .map((name) => name.slice(name.lastIndexOf('.') + 1))
    .find(isNcName)
  return found === undefined || /^.\p{Lu}/u.test(found)
    ? found
    : found.slice(0, 1).toLowerCase() + found.slice(1)
}
