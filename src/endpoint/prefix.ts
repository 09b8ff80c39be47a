/** Path prefixes of trees. The variables of a prefix fill slots. */
import type { AnyCodec, RejectedTree } from '../codec/codec.ts'
import { combinator } from './internal/combinator.ts'
import type { TemplateError, VariablesOf } from './definition/template-types.ts'
import type { AnySlot, ValueOf } from './definition/slot-types.ts'
import type { BySlot } from './request-filter.ts'
import type { Fits, Routes, TreeInput, Without, Wrapper } from './routes.ts'
import { wrapTree } from './routes.ts'

/** The slots of the variables in a prefix, by variable name. */
export interface PrefixSlots {
  readonly [variable: string]:
    | AnySlot
    | RejectedSlot<'use a slot instead of a codec: create it with slot(codec)(key)'>
}

/** An alternative to a slot that no value has. TypeScript selects it for a codec, so that the error message ends in `Remedy`. */
export interface RejectedSlot<Remedy extends string> extends AnyCodec {
  readonly decode: unknown
  readonly encode: unknown
  readonly key: Remedy
  readonly _tag: 'Slot'
}

/**
 * The input that the variables of a prefix add to client calls. This is a member of the type parameter `E` of a tree,
 * and exists only at compile time.
 */
export interface PrefixInput<V> {
  readonly _tag: 'PrefixInput'
  readonly path: V
}

/** The template, or an error message if a variable has no slot. */
type Declared<P extends string, V> = [TemplateError<P>] extends [never]
  ? [VariablesOf<P>] extends [keyof V]
    ? P
    : `the variable {${Exclude<VariablesOf<P>, keyof V>}} has no slot: pass { ${Exclude<VariablesOf<P>, keyof V>}: … }`
  : P extends `${string}/${'*' | '**'}`
    ? 'a prefix applies to all paths below it: remove /*'
    : TemplateError<P>

/** Error messages for slots that the variables in a template cannot fill. */
type Fillable<P extends string, V> = {
  readonly [K in keyof V]: K extends VariablesOf<P>
    ? V[K] extends { readonly codec: unknown }
      ? unknown
      : string extends ValueOf<V[K]>
        ? unknown
        : 'the slot has no codec: create it with slot(codec)(key)'
    : string extends K
      ? unknown
      : `the prefix has no variable {${K & string}}`
}

/** A function that adds a literal prefix to a tree. */
export interface AddPrefix {
  <T, R, E>(
    api: Routes<T, R, E> | RejectedTree<'apply prefix to a tree: routes({ … })'>,
  ): Routes<T, R, E>
}

/** A function that adds a prefix with variables to a tree. The slots in `V` are no longer unresolved. */
export interface FillSlots<V> {
  <T, R, E>(
    api:
      | (Routes<T, R, E> & Fits<BySlot<V>, R>)
      | RejectedTree<'apply prefix to a tree: routes({ … })'>,
  ): Routes<T, Without<R, BySlot<V>>, E | PrefixInput<V>>
}

/** The result of {@link prefix}: a function that adds the prefix to a tree. */
export type PrefixStep<V> = keyof V extends never ? AddPrefix : FillSlots<V>

/**
 * Adds a path prefix to all endpoints in the tree. Exactly one slash separates the prefix from the path.
 *
 * Each variable in the prefix fills a slot, whose value handlers and filters in the tree read with `needs`. A slot
 * created by `slot(codec)` decodes the variable. A slot without a codec must accept strings. A value that the codec
 * rejects results in a 404 response, before any request filter runs.
 *
 * Typed clients have the variables in their `path` input. A variable without a slot is a configuration error
 * (`FW-PARAM-001`), and so is a variable that occurs again below the prefix (`FW-ROUTE-005`).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, needs, path, prefix, produces, routes, slot, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Tenant = slot(int)('tenant')
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   needs({ tenant: Tenant }),
 *   produces(text),
 *   handle(({ needs: { tenant } }) => `Hello, tenant ${tenant}`),
 * )
 * const api = pipe(routes({ hello }), prefix('/t/{tenant}', { tenant: Tenant }), prefix('api'))
 * const send = inMemory(api)
 *
 * assert.equal(await (await send('http://localhost/api/t/7/hello')).text(), 'Hello, tenant 7')
 * assert.equal((await send('http://localhost/api/t/seven/hello')).status, 404)
 * ```
 */
export const prefix = combinator(
  'prefix',
  'Routes',
  <const P extends string, const V extends PrefixSlots = {}>(
    template: Declared<P, V>,
    slots?: V & Fillable<P, V>,
  ): PrefixStep<V> => {
    const wrapper: Wrapper = Object.freeze(
      slots === undefined
        ? { _tag: 'Prefix', path: template }
        : {
            _tag: 'Prefix',
            path: template,
            slots: new Map<string, AnySlot>(Object.entries(slots)),
          },
    )
    return <T, R, E>(api: TreeInput): Routes<T, R, E> => wrapTree(api, wrapper)
  },
)
