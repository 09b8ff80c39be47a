/** The errors of an operation that something around it has to map. */
import type { Endpoint } from './endpoint.ts'
import { define } from './endpoint.ts'
import type { Add } from './internal/declaration-errors.ts'

export interface Tagged {
  readonly _tag: string
}

/** Errors by their tags; what one tag has of several shapes is any of them. */
export type ByTag<X extends Tagged> = { readonly [One in X as One['_tag']]: One }

/**
 * Says which tagged errors the handler returns as a `Left`. They are not answers: a mapper around the operation makes one of
 * each, see `mapTagged`, and the compiler sees to it that there is one for every tag.
 */
export const raises =
  <X extends Tagged>() =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, 'raises', ByTag<X>>> =>
    define(definition)
