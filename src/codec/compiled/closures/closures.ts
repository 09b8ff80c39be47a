/** The back end of closures: a schema's functions, put together from those of its parts. It works everywhere. */
import * as t from 'io-ts'
import type { Codec } from '../../codec.ts'
import type { Functions, Of, Whole } from '../runtime.ts'
import { decodeBy, refused } from '../runtime.ts'
import type { DefaultSchema, Described, RefinementSchema, Test } from '../schema.ts'
import { isTest } from '../schema.ts'
import { fitting } from './fitting.ts'
import { ofList, ofSet, ofTuple } from './list.ts'
import { ofObject } from './object.ts'
import { ofRecord } from './record.ts'
import { testing } from './testing.ts'
import { ofIntersection, ofUnion } from './union.ts'

/** The functions of a schema. */
export const byClosures = ({ schema, definitions }: Described): Whole => {
  const made: Functions[] = []
  const of: Of = (part) => {
    if (isTest(part)) return ofTest(part)
    switch (part._tag) {
      case 'Recursion': {
        const { definition, codec } = part
        // looked up when it is called: all definitions are made by then
        const defined = (): Functions => made[definition] ?? codecItself(codec)
        return {
          decode: (value) => defined().decode(value),
          encode: (value) => defined().encode(value),
          is: (value) => defined().is(value),
        }
      }
      case 'Object':
        return ofObject(part, of)
      case 'Record':
        return ofRecord(part, of)
      case 'List':
        return ofList(part, of)
      case 'Tuple':
        return ofTuple(part, of)
      case 'Set':
        return ofSet(part, of)
      case 'Union':
        return ofUnion(part, of)
      case 'Intersection':
        return ofIntersection(part, of)
      case 'Refinement':
        return ofRefinement(part, of)
      case 'Default':
        return ofDefault(part, of)
      case 'Opaque':
        return codecItself(part.codec)
    }
  }
  for (const definition of definitions) made.push(of(definition))
  const functions = of(schema)
  return {
    ...functions,
    fits: fitting(schema),
    write: (value) => JSON.stringify(functions.encode(value)),
  }
}

const ofTest = (test: Test): Functions => {
  const is = testing(test)
  return { decode: (value) => (is(value) ? value : refused), encode: t.identity, is }
}

const codecItself = (codec: Codec): Functions => ({
  decode: (value) => decodeBy(codec, value),
  encode: (value): unknown => codec.encode(value),
  is: (value) => codec.is(value),
})

const ofRefinement = ({ inner, holds }: RefinementSchema, of: Of): Functions => {
  const { decode, encode, is } = of(inner)
  return {
    decode: (value) => {
      const decoded = decode(value)
      return decoded !== refused && holds(decoded) ? decoded : refused
    },
    encode,
    is: (value) => is(value) && holds(value),
  }
}

const ofDefault = ({ inner, byDefault }: DefaultSchema, of: Of): Functions => {
  const { decode, encode, is } = of(inner)
  return {
    decode: (value) => (value === undefined ? byDefault : decode(value)),
    encode,
    is,
  }
}
