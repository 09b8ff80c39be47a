/** What an operation needs from its surroundings. */
import type { Endpoint } from './endpoint.ts'
import { contradicted, define } from './endpoint.ts'
import type { Add } from './mistaken.ts'
import type { AnySlot } from './slot.ts'

/**
 * Asks for slots: `needs({ books: Books })` arrives in the handler's input as `needs.books`. `provide` or a filter fills
 * them; a unit test passes what it likes.
 */
export const needs =
  <N extends { readonly [local: string]: AnySlot }>(slots: N) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, 'needs', N>> =>
    define({
      ...Object.keys(slots)
        .filter((name) => definition.needs.has(name))
        .reduce(
          (sofar, name) => contradicted(sofar, `the need "${name}" is declared twice`),
          definition,
        ),
      needs: new Map([...definition.needs, ...Object.entries(slots)]),
    })
