/** What a caller gave, as the parts of a request take it: a member of a group at a time, and whatever is wrong is noted. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Group, Parameters } from '../../endpoint/endpoint.ts'
import type { ParameterShape } from '../../codec/parameter.ts'
import { shapeOf } from '../../codec/parameter.ts'
import type { Fault } from '../../http/failure.ts'
import { textsOf } from './parameter-text.ts'

/** The input of a call. Its types are for the compiler; programs in JavaScript give what they like. */
export type Input = Readonly<Record<string, unknown>>

/** The texts of one parameter. */
export interface Given {
  /** The name in the request. */
  readonly name: string
  readonly shape: ParameterShape
  readonly texts: ReadonlyArray<string>
}

/** What is wrong is added to the faults, and its parameter left out. */
export type Gather = (input: Input, faults: Fault[]) => ReadonlyArray<Given>

/** Prepares the texts of a group, in the order in which its parameters were declared. */
export const gathering = (
  group: Group,
  codecs: Parameters,
  nameOf: (key: string) => string = (key) => key,
): Gather => {
  if (codecs.size === 0) return nothing
  const parameters = Array.from(codecs, ([key, codec]) => {
    const shape = shapeOf(codec)
    return { key, name: nameOf(key), shape, read: textsOf(codec, shape) }
  })
  return (input, faults) => {
    const values = membersOf(input, group)
    let given: Given[] | undefined
    for (const { key, name, shape, read } of parameters) {
      const texts = read(Object.hasOwn(values, key) ? values[key] : undefined)
      if (E.isLeft(texts)) faults.push({ in: group, name, detail: texts.left })
      else if (texts.right.length > 0) {
        const one = { name, shape, texts: texts.right }
        // an array that is empty at first takes room for 17
        if (given === undefined) given = [one]
        else given.push(one)
      }
    }
    return given ?? none
  }
}

const nothing: Gather = () => none
const none: ReadonlyArray<Given> = Object.freeze([])

/** The members of a group that was given; none when it was not. */
export const membersOf = (input: Input, group: string): Input => {
  const values = Object.hasOwn(input, group) ? input[group] : undefined
  return t.UnknownRecord.is(values) ? values : noMembers
}

const noMembers: Input = Object.freeze({})
