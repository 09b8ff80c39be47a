/**
 * Contradictions at the level of types. A step that would declare something a second time adds a `mistake` instead, and
 * `handle` refuses it: in a pipe, the message stands at the step before. A constraint on the step itself would show it
 * where it is, but then two such steps could not be put together with `flow`, and parameter containers are made that way.
 */
import type { Endpoint } from '../endpoint.ts'

/** `S` with `Added` under the key `G`, or with a mistake when `G` has one of its names already. */
export type Add<S, G extends string, Added> = S &
  (G extends keyof S ? Again<S[G], G, Added> : Record<G, Added>)
// Mistakes are keys: as values of one key, two of them would make `never` of it, and of all that was declared.
type Again<B, G extends string, Added> = keyof B & keyof Added extends never
  ? Record<G, Added>
  : { readonly mistake: Record<`${G} declares ${Name<keyof B & keyof Added>} twice`, never> }

type Name<K> = K extends string | number ? `"${K}"` : never

/** Adds a group of parameters. */
export type AddTo<G extends string, Added> = <S>(
  endpoint: Endpoint<S>,
) => Endpoint<Add<S, G, Added>>

/** `S` with `Value` under the key `G`, whatever stood there. */
export type Override<S, G extends string, Value> = G extends keyof S
  ? { readonly [K in keyof S as K extends G ? never : K]: S[K] } & Record<G, Value>
  : S & Record<G, Value>

/** What `handle` asks of the declarations: `unknown` when all is well, otherwise the sentence that the compiler shows. */
export type Ready<S> = S extends { readonly mistake: infer Mistakes }
  ? keyof Mistakes
  : S extends { readonly method: string }
    ? unknown
    : 'the endpoint has no method yet: say get(), post(), put(), patch(), del() or method(…)'
