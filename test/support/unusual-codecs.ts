/** Unusual codecs: opaque codecs, codecs with a wrong tag, codecs changed by copying. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { standard } from '../../src/codec/standard-schema/standard-schema.ts'

/** A copy whose `validate` is another function, as libraries make one of a codec: its tag and members are kept. */
export const altered = (codec: t.Mixed, validate: t.Mixed['validate']): t.Mixed => {
  const bare: object = Object.create(Object.getPrototypeOf(codec))
  return Object.assign(bare, codec, {
    validate,
    decode: (value: unknown) => validate(value, [{ key: '', type: codec, actual: value }]),
  })
}

/** A copy that stands in a value for what the codec refuses. */
export const withFallback = (codec: t.Mixed, value: unknown): t.Mixed =>
  altered(codec, (input, context) =>
    E.right(E.getOrElse(() => value)(codec.validate(input, context))),
  )

/** A copy that says one thing of what the codec refuses. */
export const withMessage = (codec: t.Mixed, message: string): t.Mixed =>
  altered(codec, (value, context) =>
    E.mapLeft(() => [{ value, context, message }])(codec.validate(value, context)),
  )

/** A codec without a tag that takes every object. */
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

/** A codec whose values have a class. */
export const point: t.Type<Point, unknown> = new t.Type<Point, unknown>(
  'point',
  (value): value is Point => value instanceof Point,
  (value, context) =>
    t.UnknownRecord.is(value) && 'x' in value
      ? t.success(new Point(value['x']))
      : t.failure(value, context),
  ({ x }) => ({ x }),
)

/** A codec that throws for some values. */
export const fussy: t.Type<string> = new t.Type<string>(
  'fussy',
  (value): value is string => thrown('is', value),
  (value, context) => (thrown('validate', value) ? t.success(value) : t.failure(value, context)),
  (value) => (thrown('encode', value) ? value : ''),
)

const thrown = (by: string, value: unknown): value is string => {
  if (value === by || value === '?') throw new Error(`${by} throws`)
  return typeof value === 'string'
}

/** A codec of texts that bears a tag of another kind, and perhaps the members that belong to it. */
export const tagged = (tag: string, members: object = {}): t.Mixed =>
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

/** A codec that asks a schema which trims and which says where something is wrong. */
export const trimmed: t.Mixed = standard<string, string>(
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
