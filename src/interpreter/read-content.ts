/** Reads the content of a request: octets to the value of a body or the fields of a form. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Codec } from '../codec/codec.ts'
import { exactly } from '../codec/exact.ts'
import * as JsonText from '../codec/json-text.ts'
import { shapeOf } from '../codec/parameter.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import type { Failure, Fault } from '../http/failure.ts'
import * as Failures from '../http/failure.ts'
import * as Form from '../http/form.ts'
import * as MediaType from '../http/media-type.ts'
import * as Faults from './fault.ts'
import { fromPairs, readGroup } from './parameters.ts'
import type { ContentPlan, Plan } from './plan.ts'
import type { Settings } from './settings.ts'

/** The value of a content, given its octets and the media type that the request states, or why there is none. */
export type ReadContent = (
  octets: Uint8Array,
  stated: MediaType.MediaType | undefined,
) => E.Either<Failure, unknown>

/** Prepares reading one of the alternatives of a plan's content. */
export const readContent = (
  plan: Plan,
  { format }: ContentPlan,
  settings: Settings,
): ReadContent => {
  switch (format._tag) {
    case 'Json':
      return readJson(format.codec, settings)
    case 'RawJson':
    case 'Text':
      return readText(format._tag === 'Text' ? format.codec : undefined)
    case 'Bytes':
      return (octets) => E.right(octets)
    case 'Form':
      return readForm(plan, settings)
    case 'FormMap':
      return readFormMap(settings)
    case 'Custom':
      return readCustom(format.read ?? (() => undefined))
  }
}

const invalid = (faults: ReadonlyArray<Fault>): E.Either<Failure, unknown> =>
  E.left({ _tag: 'InvalidInput', ...Failures.reported(faults) })

const malformed = (detail: string): E.Either<Failure, unknown> =>
  invalid([{ in: 'body', pointer: '#', detail }])

const decoded = (codec: Codec, value: unknown): E.Either<Failure, unknown> => {
  try {
    const result = codec.decode(value)
    return E.isRight(result) ? result : invalid(Faults.ofBody(result.left))
  } catch (error) {
    // a recursive codec can be led deeper than the stack goes
    if (error instanceof RangeError) return malformed('it is nested too deep')
    throw error
  }
}

const readJson = (codec: Codec, settings: Settings): ReadContent => {
  const exact = exactly(
    codec,
    settings['fw.rest.jsonlib.fail-on-unknown-properties'] ? 'refuse' : 'drop',
  )
  const bounds = {
    depth: settings['fw.http.limits.max-json-depth'],
    keys: settings['fw.http.limits.max-json-keys'],
  }
  return (octets, stated) => {
    const charset = charsetOf(stated)
    if (!isWithinUtf8(charset)) return unsupported
    const value = JsonText.parse(octets, bounds)
    return E.isLeft(value) ? malformed(value.left) : decoded(exact, value.right)
  }
}

/** The charset that a request states, UTF-8 when it states none. */
const charsetOf = (stated: MediaType.MediaType | undefined): string =>
  stated === undefined
    ? 'utf-8'
    : O.getOrElse(() => 'utf-8')(MediaType.parameter(stated, 'charset'))

const isWithinUtf8 = (charset: string): boolean => charset === 'utf-8' || charset === 'us-ascii'

const unsupported: E.Either<Failure, never> = E.left({
  _tag: 'UnsupportedMediaType',
  detail: 'The charset of the content is not supported.',
  supported: ['utf-8'],
})

const textOf = (
  octets: Uint8Array,
  stated: MediaType.MediaType | undefined,
): E.Either<Failure, string> => {
  const charset = charsetOf(stated)
  try {
    return E.right(new TextDecoder(charset, { fatal: true }).decode(octets))
  } catch (error) {
    // a label that is not known is a RangeError, octets that are not of the charset a TypeError
    return error instanceof RangeError
      ? unsupported
      : E.left({
          _tag: 'InvalidInput',
          faults: [{ in: 'body', pointer: '#', detail: `the text is not ${charset}` }],
          more: false,
        })
  }
}

const readText = (codec: Codec | undefined): ReadContent => {
  const shape = codec === undefined ? undefined : shapeOf(codec)
  return (octets, stated) => {
    const text = textOf(octets, stated)
    if (E.isLeft(text) || codec === undefined || shape === undefined) return text
    return decoded(
      codec,
      text.right === '' && !shape.keepsEmpty ? undefined : shape.lift(text.right),
    )
  }
}

const pairsOf = (octets: Uint8Array, most: number): E.Either<Failure, ReadonlyArray<Form.Pair>> => {
  const text = textOf(octets, undefined)
  if (E.isLeft(text)) return text
  const pairs = Form.split(text.right)
  return pairs.length > most
    ? E.left({
        _tag: 'ContentTooLarge',
        detail: `The form has more than ${most} fields (fw.http.limits.max-parameters).`,
      })
    : E.right(pairs)
}

/** Longer values are refused, whether the operation declares their field or not. */
const tooLong = (pairs: ReadonlyArray<Form.Pair>, most: number): Failure | undefined => {
  const [name] =
    pairs.find(([, value = '']) => value.length * 3 > most && octetsOf(value) > most) ?? []
  return name === undefined
    ? undefined
    : {
        _tag: 'ContentTooLarge',
        detail: `The form field ${JSON.stringify(Form.decode(name) ?? '')} has more than ${most} octets (fw.http.limits.max-form-attribute-size).`,
      }
}

/** Octets of a value when it is decoded: an escape is one, any other character here is ASCII or was UTF-8 in the body. */
const octetsOf = (value: string): number =>
  new TextEncoder().encode(value.replaceAll(/%[\da-fA-F]{2}/g, '.')).length

const bounded = (
  octets: Uint8Array,
  stated: MediaType.MediaType | undefined,
  settings: Settings,
): E.Either<Failure, ReadonlyArray<Form.Pair>> => {
  const charset = charsetOf(stated)
  if (!isWithinUtf8(charset)) return unsupported
  const pairs = pairsOf(octets, settings['fw.http.limits.max-parameters'])
  if (E.isLeft(pairs)) return pairs
  const failure = tooLong(pairs.right, settings['fw.http.limits.max-form-attribute-size'])
  return failure === undefined ? pairs : E.left(failure)
}

const readForm = (plan: Plan, settings: Settings): ReadContent => {
  const read = readGroup(
    plan.parameters.form,
    (pairs: ReadonlyArray<Form.Pair>) => fromPairs(pairs, Form.decode),
    settings,
  )
  return (octets, stated) => {
    const pairs = bounded(octets, stated, settings)
    if (E.isLeft(pairs)) return pairs
    const fields = read(pairs.right)
    return E.isLeft(fields) ? invalid(fields.left) : fields
  }
}

const readFormMap =
  (settings: Settings): ReadContent =>
  (octets, stated) => {
    const pairs = bounded(octets, stated, settings)
    if (E.isLeft(pairs)) return pairs
    const values = Form.parse(new TextDecoder().decode(octets))
    return values === undefined ? malformed('it has a malformed percent-escape') : E.right(values)
  }

const readCustom =
  (read: (octets: Uint8Array) => unknown): ReadContent =>
  (octets) => {
    try {
      return E.right(read(octets))
    } catch (error) {
      if (isHttpError(error)) throw error
      return malformed('it cannot be read')
    }
  }
