/**
 * Decodes a large value in steps, so that other work can run between two steps.
 *
 * The parts of the value are decoded first: arrays and sets in slices of their elements, records likewise, and the members of
 * other values one by one. The interpreter then decodes the whole value with these results, so a value decoded in steps has the
 * same result and the same errors as a value decoded at once.
 */
import * as t from 'io-ts'
import { maxReportedErrors } from '../../http/failure.ts'
import { isPlain } from '../structure/undeclared-members.ts'
import type { DecodingCost, LargeValues } from './decoding-cost.ts'
import { DecodedParts } from './decoded-parts.ts'
import type { CheckedElements, Progress } from './decoded-parts.ts'
import { interpretDecode } from './interpreted-back-end.ts'
import { isBranching, recursionMemo } from './recursion-memo.ts'
import type { Location } from './runtime.ts'
import { isObject, passesTest, rejected } from './runtime.ts'
import type * as S from './schema.ts'
import { isTest } from './schema.ts'

/** A computation in steps. Each call to `next` performs one step. */
export type Steps<A> = Generator<undefined, A, undefined>

/**
 * The default cost of one step (`decoding-cost.ts`). Each step decodes 256 dates or 4,096 numbers, for example, which takes about
 * 0.5 ms or 0.05 ms.
 */
export const defaultStepCost = 4096

/** What decoding in steps requires from a compiled codec. */
export interface Divisible extends S.SchemaWithDefinitions {
  readonly cost: DecodingCost
  readonly progress: Progress
  /** Returns the compiled decoder for a slice of the elements of an array, or of the values of a record. */
  readonly sliceDecoderOf: (schema: Collection) => SliceDecoder
}

/** A schema for values that can have any number of parts. */
export type Collection = S.ListSchema | S.SetSchema | S.RecordSchema

/** Decodes arrays with the schema `list`. */
export interface SliceDecoder {
  readonly list: S.ListSchema
  readonly decode: (slice: unknown) => unknown
}

/** Decodes one value in steps. */
export interface SteppedDecoding {
  /** Returns the decoded value, or `rejected` if the value is invalid. */
  readonly decode: () => Steps<unknown>
  /** Collects a limited number of errors for a rejected value. */
  readonly collect: (at: Location) => Steps<unknown>
}

/** The result of decoding the elements of an array, up to the last one that is required. */
interface DecodedElements {
  /** The decoded elements. The array itself if no element has changed. */
  readonly values: ReadonlyArray<unknown>
  readonly checked: CheckedElements
}

/**
 * Returns the functions that decode a value. Returns `undefined` if the value does not cost more than one step. `stepCost` is the
 * maximum cost of one step.
 */
export const decodeLargeValue = (
  { schema: root, definitions, cost, progress, sliceDecoderOf }: Divisible,
  input: unknown,
  stepCost: number,
): SteppedDecoding | undefined => {
  const { spendOf, fixedCost } = cost
  const large: LargeValues = { threshold: stepCost / 2, values: new Set() }
  if (!isObjectOrArray(input) || spendOf(root)(input, stepCost, large) >= 0) return undefined
  /** The cost of the current step up to now. */
  let spent = 0
  /** Adds the cost of the next operation. Returns whether that operation must be left to the next step. */
  const endsStep = (next: number): boolean => {
    const isFull = spent > 0 && spent + next > stepCost
    spent = isFull ? next : spent + next
    return isFull
  }
  const parts = new DecodedParts()
  const interpret = interpretDecode(definitions, progress, undefined, parts)
  /** Whether the invalid parts of rejected values are decoded too, because errors are collected. */
  let isThorough = false

  const restAfter = (schema: S.Schema, value: object, rest: number): number =>
    large.values.has(value) ? -1 : spendOf(schema)(value, rest, large)

  /** Decodes a part and stores the result. Parts of fixed cost are not stored, because decoding them again is cheap. */
  function* decodePart(schema: S.Schema, value: object): Steps<unknown> {
    if (fixedCost(schema) !== undefined) return interpret(schema, value)
    if (schema._tag === 'Recursion') return yield* divide(schema, value)
    const known = parts.get(schema, value)
    if (
      known?.result !== undefined &&
      (known.result !== rejected || known.isThorough || !isThorough)
    )
      return known.result
    const rest = restAfter(schema, value, stepCost)
    let result: unknown
    if (rest >= 0) {
      if (endsStep(stepCost - rest)) yield
      result = interpret(schema, value)
    } else {
      result = yield* divide(schema, value)
      if (endsStep(stepCost / 16)) yield
    }
    parts.set(schema, value, { ...parts.get(schema, value), result, isThorough })
    return result
  }

  /** Decodes the parts of a value, and then the value. */
  function* divide(schema: S.Schema, value: object): Steps<unknown> {
    switch (schema._tag) {
      case 'List':
      case 'Set':
        return t.UnknownArray.is(value) ? yield* divideArray(schema, value) : rejected
      case 'Record':
        if (isObject(value) && isPlain(value)) yield* decodeMemberValues(schema, value)
        break
      case 'Object':
        if (!isObject(value) || !isPlain(value)) break
        if (!isThorough && schema.members.some((member) => failsTest(member, value)))
          return rejected
        yield* decodeParts(
          schema.members.flatMap(({ schema: of, key, hidden }) =>
            hidden ? [] : [[of, value[key]] as const],
          ),
        )
        break
      case 'Tuple':
        if (t.UnknownArray.is(value))
          yield* decodeParts(schema.elements.map((of, index) => [of, value[index]]))
        break
      case 'Union':
        yield* decodeAlternatives(schema, value)
        break
      case 'Intersection':
        for (const member of schema.members)
          if ((yield* decodePart(member, value)) === rejected && !isThorough) return rejected
        break
      case 'Refinement':
      case 'Default':
      case 'Attempt':
        yield* decodePart(schema.inner, value)
        break
      case 'Opaque':
        if (schema.decodes !== undefined) yield* decodePart(schema.decodes, value)
        break
      case 'Recursion': {
        const definition = definitions[schema.definition]
        return definition === undefined
          ? interpret(schema, value)
          : yield* decodePart(definition, value)
      }
      default:
    }
    return interpret(schema, value)
  }

  /** Decodes the parts whose cost depends on their value, as soon as the parts are too large for one step. */
  function* decodeParts(
    all: ReadonlyArray<readonly [schema: S.Schema, value: unknown]>,
  ): Steps<undefined> {
    let rest = stepCost
    for (const [schema, value] of all) {
      if (!isObjectOrArray(value) || fixedCost(schema) !== undefined) continue
      rest = restAfter(schema, value, rest)
      if (rest < 0 && (yield* decodePart(schema, value)) === rejected && !isThorough) return
    }
  }

  function* decodeAlternatives({ members, tag }: S.UnionSchema, value: object): Steps<undefined> {
    const isSelected = (_: S.Schema, index: number): boolean => {
      const test = tag?.tests[index]
      return (
        tag === undefined || (test !== undefined && passesTest(test, Reflect.get(value, tag.key)))
      )
    }
    for (const member of members.filter(isSelected))
      if ((yield* decodePart(member, value)) !== rejected || tag !== undefined) return
  }

  function* divideArray(
    schema: S.ListSchema | S.SetSchema,
    value: ReadonlyArray<unknown>,
  ): Steps<unknown> {
    const first = parts.get(schema, value)?.checked?.invalid[0]
    const { values, checked } = yield* decodeElements(schema, value, first)
    parts.set(schema, value, { result: undefined, isThorough, checked })
    if (checked.invalid.length > 0) return rejected
    // only an array with invalid elements is decoded again, and none of them is invalid any longer
    if (first !== undefined) return interpret(schema, value)
    return schema._tag === 'Set' ? new Set(schema.arrange(values)) : values
  }

  /** Decodes the values of a record like the elements of an array. The interpreter then decodes the record with the results. */
  function* decodeMemberValues(
    schema: S.RecordSchema,
    record: Readonly<Record<string, unknown>>,
  ): Steps<undefined> {
    const keys = Object.keys(record).filter(
      (key) => key !== '__proto__' && passesTest(schema.domain, key),
    )
    const { values, checked } = yield* decodeElements(
      schema,
      keys.map((key) => record[key]),
    )
    const invalid = new Set(checked.invalid)
    const members = new Map(
      keys
        .slice(0, checked.end)
        .map((key, index) => [key, invalid.has(index) ? rejected : values[index]] as const),
    )
    parts.set(schema, record, { result: undefined, isThorough, members })
  }

  /** Decodes elements, from index `first` to the end or to the last invalid element that is required. */
  function* decodeElements(
    schema: Collection,
    value: ReadonlyArray<unknown>,
    first = 0,
  ): Steps<DecodedElements> {
    const { list, decode: decodeSlice } = sliceDecoderOf(schema)
    const { element } = list
    const invalid: number[] = []
    const maxInvalid = isThorough ? maxReportedErrors + 1 : 1
    let result: unknown[] | undefined
    let index = first
    let end = first
    while (index < value.length && invalid.length < maxInvalid) {
      if (index === end) end = endOfSlice(element, value, index)
      const from = value[index]
      if (index === end && isObjectOrArray(from)) {
        const to = yield* decodePart(element, from)
        if (to === rejected) invalid.push(index)
        else if (to !== from) {
          result ??= value.slice()
          result[index] = to
        }
        index++
        end = index
        continue
      }
      end = Math.max(end, index + 1)
      if (endsStep(stepCost)) yield
      const slice = value.slice(index, end)
      const decoded = decodeSlice(slice)
      if (t.UnknownArray.is(decoded)) {
        if (decoded !== slice) {
          result ??= value.slice()
          copyChanges(slice, decoded, result, index)
        }
        index = end
      } else {
        // the rest of the slice is decoded in the next step
        index += progress.checkedElements(slice, list)?.invalid[0] ?? 0
        invalid.push(index)
        index++
      }
    }
    return { values: result ?? value, checked: { invalid, end: index } }
  }

  /** Returns the index after the elements that one step can decode. Returns `from` if one element is too large for a step. */
  const endOfSlice = (element: S.Schema, value: ReadonlyArray<unknown>, from: number): number => {
    const fixed = fixedCost(element)
    if (fixed !== undefined)
      return Math.min(value.length, from + Math.max(1, Math.floor(stepCost / fixed)))
    if (large.values.has(value[from])) return from
    const spend = spendOf(element)
    let end = from
    for (let rest = stepCost; end < value.length; end++) {
      rest = spend(value[end], rest, large)
      if (rest < 0) break
    }
    return end
  }

  return {
    decode: () => decodePart(root, input),
    *collect(at) {
      isThorough = true
      yield* decodePart(root, input)
      const memo = isBranching(definitions) ? recursionMemo() : undefined
      return interpretDecode(definitions, progress, memo, parts)(root, input, at)
    },
  }
}

const isObjectOrArray = (value: unknown): value is object =>
  typeof value === 'object' && value !== null

/** Copies the elements that decoding has changed. Engines optimize this loop only outside of a generator function. */
const copyChanges = (
  slice: ReadonlyArray<unknown>,
  decoded: ReadonlyArray<unknown>,
  to: unknown[],
  start: number,
): void => {
  for (let at = 0; at < slice.length; at++)
    if (decoded[at] !== slice[at]) to[start + at] = decoded[at]
}

/** Whether a member is certainly rejected. Tests are cheap, so they are made before the parts of an object are decoded. */
const failsTest = (
  { schema, key, required, hidden }: S.Member,
  object: Readonly<Record<string, unknown>>,
): boolean => {
  const value = hidden ? undefined : object[key]
  return isTest(schema) && (required || value !== undefined) && !passesTest(schema, value)
}
