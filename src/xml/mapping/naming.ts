/** Gives names to elements and attributes, and notes what is wrong with a codec on the way. */
import type { QName } from '../xml-names.ts'
import { isNcName } from '../xml-names.ts'
import { noName } from './objections.ts'
import type { DeclaredName } from '../../codec/structure/xml-type.ts'

export class Naming {
  readonly #prefixes = new Map<string, string>()
  readonly #mistakes = new Set<string>()

  /** The prefixes that are wanted, by namespace. */
  get prefixes(): ReadonlyMap<string, string> {
    return this.#prefixes
  }

  get mistakes(): ReadonlyArray<string> {
    return [...this.#mistakes]
  }

  wrong(where: string, what: string): void {
    this.#mistakes.add(`${where}: ${what}`)
  }

  /** The name that is wanted, of which the place has what is left out. */
  named(wanted: DeclaredName, place: QName, where: string): QName {
    const { namespace = place.namespace, local = place.local, prefix } = wanted
    if (!isNcName(local)) this.wrong(where, noName(local))
    if (prefix !== undefined && namespace !== '') {
      for (const [other, taken] of this.#prefixes)
        if (taken === prefix && other !== namespace)
          this.wrong(where, `the prefix ${prefix} is wanted for two namespaces`)
      this.#prefixes.set(namespace, this.#prefixes.get(namespace) ?? prefix)
    }
    return { namespace, local }
  }
}
