/** Unusual codecs: opaque codecs, codecs with a wrong tag, and modified copies of codecs. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { fromStandardSchema } from '../../src/codec/standard-schema/standard-schema.ts'

/** Copies a codec with another `validate`, as some libraries do. The copy keeps the tag and the members. */
export const withValidate = (codec: t.Mixed, validate: t.Mixed['validate']): t.Mixed => {
  const copy: object = Object.create(Object.getPrototypeOf(codec))
  return Object.assign(copy, codec, {
    validate,
    decode: (value: unknown) => validate(value, [{ key: '', type: codec, actual: value }]),
  })
}

/** Copies a codec. The copy decodes invalid values to a fixed value. */
export const withFallback = (codec: t.Mixed, value: unknown): t.Mixed =>
  withValidate(codec, (input, context) =>
    E.right(E.getOrElse(() => value)(codec.validate(input, context))),
  )

/** Copies a codec. The copy reports invalid values with a fixed message. */
export const withMessage = (codec: t.Mixed, message: string): t.Mixed =>
  withValidate(codec, (value, context) =>
    E.mapLeft(() => [{ value, context, message }])(codec.validate(value, context)),
  )

/** An opaque codec of all objects. */
export const anyObject: t.Type<object> = new t.Type<object>(
  'anyObject',
  (value): value is object => typeof value === 'object' && value !== null,
  (value, context) =>
    typeof value === 'object' && value !== null ? t.success(value) : t.failure(value, context),
  t.identity,
)

export class Point {
  readonly x: unknown
  constructor(x: unknown) {
    this.x = x
  }
}

/** An opaque codec that decodes to instances of a class. */
export const point: t.Type<Point, unknown> = new t.Type<Point, unknown>(
  'point',
  (value): value is Point => value instanceof Point,
  (value, context) =>
    t.UnknownRecord.is(value) && 'x' in value
      ? t.success(new Point(value['x']))
      : t.failure(value, context),
  ({ x }) => ({ x }),
)

/** A codec whose functions throw for some values. */
export const throwingCodec: t.Type<string> = new t.Type<string>(
  'fussy',
  (value): value is string => isString('is', value),
  (value, context) => (isString('validate', value) ? t.success(value) : t.failure(value, context)),
  (value) => (isString('encode', value) ? value : ''),
)

/** Throws for the name of the calling function and for `?`. */
const isString = (caller: string, value: unknown): value is string => {
  if (value === caller || value === '?') throw new Error(`${caller} throws`)
  return typeof value === 'string'
}

/** A codec of strings with the tag, and optionally the members, of another kind of codec. */
export const mistagged = (tag: string, members: object = {}): t.Mixed =>
  Object.assign(
    new t.Type<string, string>(
      `false ${tag}`,
      (value): value is string => typeof value === 'string',
      (value, context) =>
        typeof value === 'string' ? t.success(value.trim()) : t.failure(value, context),
      (value) => `${value} `,
    ),
    { _tag: tag },
    members,
  )

/** A codec from a Standard Schema that trims strings and reports the path of an error. */
export const trimmed: t.Mixed = fromStandardSchema<string, string>(
  {
    '~standard': {
      version: 1,
      vendor: 'trimmed',
      validate: (value) =>
        typeof value === 'string'
          ? { value: value.trim() }
          : { issues: [{ message: 'has to be a text', path: ['here', 0] }] },
    },
  },
  (value) => value,
)
