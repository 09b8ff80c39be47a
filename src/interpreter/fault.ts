/** Puts the errors of io-ts into words: where, and what was expected. The value that was refused is not repeated. */
import type * as t from 'io-ts'
import type { Fault } from '../http/failure.ts'
import { core, isCodec } from '../codec/structure.ts'
import * as JsonPointer from '../http/json-pointer.ts'

/** No more errors than this are looked at: a large body against a union can have hundreds of thousands. */
const mostSeen = 1000

/** A place in a value, and what was expected there. */
interface Seen {
  readonly path: ReadonlyArray<string>
  /** Names of codecs, which read on from "has to be". */
  readonly expected: ReadonlySet<string>
  /** What codecs say by themselves. */
  readonly sentences: ReadonlySet<string>
  readonly missing: boolean
}

/** The faults of a parameter: one, whatever its structure. */
export const ofParameter = (place: Pick<Fault, 'in' | 'name'>, errors: t.Errors): Fault => {
  const seen = gather(errors)
  return {
    ...place,
    detail: sentence({
      expected: new Set(seen.flatMap(({ expected }) => [...expected])),
      sentences: new Set(seen.flatMap(({ sentences }) => [...sentences])),
      missing: seen.every(({ missing }) => missing),
    }),
  }
}

/** The faults of a body, one for each place. */
export const ofBody = (errors: t.Errors): ReadonlyArray<Fault> =>
  gather(errors).map((seen) => ({
    in: 'body',
    pointer: JsonPointer.format(seen.path),
    detail: sentence(seen),
  }))

const sentence = ({ expected, sentences, missing }: Omit<Seen, 'path'>): string => {
  if (sentences.size > 0) return [...sentences].join('; ')
  // what is there has to be what is declared; that it may be missing helps nobody
  const names = [...expected].filter((name) => name !== 'undefined')
  return `${missing ? 'is required' : 'has to be'}: ${names.join(' or ')}`
}

const gather = (errors: t.Errors): ReadonlyArray<Seen> => {
  const byPlace = new Map<string, Seen>()
  for (const { context, message, value } of errors.slice(0, mostSeen)) {
    const path = pathOf(context)
    const key = JSON.stringify(path)
    const before = byPlace.get(key)
    const name = message === undefined ? [context.at(-1)?.type.name ?? ''] : []
    byPlace.set(key, {
      path,
      expected: new Set([...(before?.expected ?? []), ...name]),
      sentences: new Set([
        ...(before?.sentences ?? []),
        ...(message === undefined ? [] : [message]),
      ]),
      missing: value === undefined,
    })
  }
  return [...byPlace.values()]
}

/** The keys on the way to an error, without the positions that io-ts notes for members of unions and intersections. */
const pathOf = (context: t.Context): ReadonlyArray<string> =>
  context.flatMap(({ key }, index) => {
    const parent = context[index - 1]
    return parent === undefined || notesPositions(parent.type) ? [] : [key]
  })

/** A wrapper leaves no entry of its own, so it stands where its union or intersection does. */
const notesPositions = (type: t.ContextEntry['type']): boolean => {
  if (!isCodec(type)) return false
  const { _tag } = core(type)
  return _tag === 'UnionType' || _tag === 'IntersectionType'
}
