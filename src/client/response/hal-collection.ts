/** Collections in HAL: the elements, which stand in `_embedded` under a name of their own. */
import * as t from 'io-ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { children, unwrap } from '../../codec/structure/codec-structure.ts'

type Format = Extract<BodyPlan['format'], { readonly _tag: 'Hal' }>

const collections = new Set(['ArrayType', 'ReadonlyArrayType', 'SetType'])

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Takes the JSON of a collection's elements out of the document around it; `undefined` where the codec is of one entity. */
export const collectionOf = ({
  codec,
  collection,
}: Format): ((bytes: Uint8Array) => Uint8Array) | undefined => {
  const inner = unwrap(codec)
  const isCollection = [
    inner,
    ...(inner._tag === 'UnionType' ? children(inner).map(unwrap) : []),
  ].some(({ _tag }) => collections.has(_tag ?? ''))
  if (!isCollection) return undefined
  return (bytes) => {
    const elements = embedded(bytes, collection)
    return elements === undefined ? bytes : encoder.encode(JSON.stringify(elements))
  }
}

/** Under the name that was declared, or the only one that there is: a service may have chosen another for this answer. */
const embedded = (bytes: Uint8Array, name: string): unknown => {
  try {
    const document: unknown = JSON.parse(decoder.decode(bytes))
    if (!t.UnknownRecord.is(document)) return undefined
    const { _embedded: inside } = document
    if (!t.UnknownRecord.is(inside)) return '_links' in document ? [] : undefined
    const own = Object.hasOwn(inside, name) ? inside[name] : undefined
    if (own !== undefined) return own
    const [only, ...others] = Object.values(inside)
    return others.length === 0 ? only : undefined
  } catch {
    return undefined
  }
}
