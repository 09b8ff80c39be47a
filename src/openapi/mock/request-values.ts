/** Values of requests that generated responses repeat, such as path variables and the members of request bodies. */
import type { Json } from '../../codec/json-schema.ts'
import type { Codec } from '../../codec/codec.ts'
import type { Context } from '../../endpoint/context.ts'
import type { Definition } from '../../endpoint/endpoint.ts'
import type { KnownMembers } from './codec-values.ts'
import { isPlainObject } from '../../http/platform-value.ts'
import { attemptTo } from '../schema/members.ts'

type Input = Readonly<Record<string, unknown>>

/** Returns the path variables as candidates for members in JSON: as number, as encoded value and as text. */
export const pathMembers = (
  { parameters: { path } }: Definition,
  input: Input,
  { uri }: Pick<Context, 'uri'>,
): KnownMembers => {
  const decoded = recordOf(input['path'])
  return new Map(
    Array.from(uri.pathParameters, ([name, text]) => {
      const value = decoded[name]
      const codec = path.get(name)
      const encoded = codec?.is(value) === true ? encode(codec, value) : undefined
      return [name, [value, encoded, text].filter(isScalar)] as const
    }),
  )
}

/** Returns the members of an object in the request body, and the values of form fields. */
export const bodyMembers = ({ bodies }: Definition, { body, form }: Input): KnownMembers => {
  const members = new Map<string, ReadonlyArray<Json>>()
  const codecs = bodies.flatMap(({ format }) => ('codec' in format ? (format.codec ?? []) : []))
  const codec = body === undefined ? undefined : codecs.find((one) => one.is(body))
  const encoded = codec === undefined ? undefined : encode(codec, body)
  for (const [name, value] of Object.entries({ ...recordOf(encoded), ...recordOf(form) })) {
    const text: string | undefined = isPlain(value) ? JSON.stringify(value) : undefined
    if (text !== undefined) members.set(name, [JSON.parse(text)])
  }
  return members
}

/** Whether a value is JSON, or an array or a plain object that can be serialized. */
const isPlain = (value: unknown): boolean =>
  isScalar(value) || Array.isArray(value) || isPlainObject(value)

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

/** Encodes a value. Returns `undefined` for codecs that do not encode values outside of responses, such as restricted ones. */
const encode = (codec: Codec, value: unknown): unknown => attemptTo(() => codec.encode(value))

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
