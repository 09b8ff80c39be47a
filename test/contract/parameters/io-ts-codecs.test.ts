/**
 * The codecs of io-ts in each place: a value round-trips between a client and the handler, or the tree is rejected with a configuration
 * error. A codec that is accepted at start and fails for each value is a defect.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { client } from '../../../src/client.ts'
import {
  atLeast,
  described,
  nullable,
  optional,
  set,
  strict,
  tupleWithRest,
  withDefault,
} from '../../../src/index.ts'
import { lossless } from '../../../src/json.ts'
import { inMemory } from '../../../src/testing.ts'
import { xml } from '../../../src/xml.ts'
import { describe, sampled } from '../../support/describe.ts'
import { pipe, untyped, withoutType } from '../routing/untyped.ts'

interface Place {
  /** Creates an operation that passes the value to `receive`, or returns `value`. */
  readonly operation: (codec: unknown, receive: (value: unknown) => void, value: unknown) => unknown
  /** The input of the call, or `undefined` if the value is in the response. */
  readonly input?: (value: unknown) => unknown
  readonly isStream?: boolean
  readonly wrap?: (tree: unknown) => unknown
}

const parameter = (
  group: 'query' | 'header' | 'cookie' | 'matrix' | 'form',
  method: 'get' | 'post' = 'get',
): Place => ({
  operation: (codec, receive) =>
    pipe(
      untyped.path('/p'),
      untyped[method](),
      untyped[group]({ v: codec }),
      untyped.handle((input: Record<string, { v: unknown }>) => receive(input[group]?.v)),
    ),
  input: (value) => ({ [group]: { v: value } }),
})

const request = (represent: (codec: unknown) => unknown): Place => ({
  operation: (codec, receive) =>
    pipe(
      untyped.path('/p'),
      untyped.post(),
      untyped.body(represent(codec)),
      untyped.handle((input: { body: unknown }) => receive(input.body)),
    ),
  input: (value) => ({ body: value }),
})

const response = (represent: (codec: unknown) => unknown, isStream = false): Place => ({
  operation: (codec, _, value) =>
    pipe(
      untyped.path('/p'),
      untyped.get(),
      untyped.produces(represent(codec)),
      untyped.handle(() => (isStream ? [value] : value)),
    ),
  isStream,
})

const places: Readonly<Record<string, Place>> = {
  path: {
    operation: (codec, receive) =>
      pipe(
        untyped.path('/p/{v}', { v: codec }),
        untyped.get(),
        untyped.handle((input: { path: { v: unknown } }) => receive(input.path.v)),
      ),
    input: (value) => ({ path: { v: value } }),
  },
  query: parameter('query'),
  header: parameter('header'),
  cookie: parameter('cookie'),
  matrix: parameter('matrix'),
  form: parameter('form', 'post'),
  text: request((codec) => codec),
  jsonBody: request((codec) => untyped.json(codec)),
  jsonResult: response((codec) => untyped.json(codec)),
  losslessBody: { ...request((codec) => untyped.json(codec)), wrap: withoutType(lossless) },
  losslessResult: { ...response((codec) => untyped.json(codec)), wrap: withoutType(lossless) },
  xmlBody: request((codec) => withoutType(xml)(codec)),
  xmlResult: response((codec) => withoutType(xml)(codec)),
  stream: response((codec) => untyped.jsonStream(codec), true),
  events: response((codec) => untyped.sse(untyped.json(codec)), true),
}

const parameters = ['path', 'query', 'header', 'cookie', 'matrix', 'form']
const jsonPlaces = ['jsonBody', 'jsonResult', 'losslessBody', 'losslessResult', 'stream', 'events']
const parametersAndText = [...parameters, 'text']
const scalarPlaces = [...parameters, 'text', ...jsonPlaces, 'xmlBody', 'xmlResult']
const all = Object.keys(places)

/**
 * A codec, a value, and the places where the value round-trips. The codec is rejected at start in all other places, except for those where it has
 * other values.
 */
type Row = readonly [
  title: string,
  codec: unknown,
  value: unknown,
  works: ReadonlyArray<string>,
  others?: ReadonlyArray<string>,
]

const Positive = t.brand(
  t.bigint,
  (n): n is t.Branded<bigint, { readonly Positive: symbol }> => n > 0n,
  'Positive',
)
interface ChainValue {
  readonly n: bigint
  readonly next?: ChainValue
}
const Chain: t.Type<ChainValue> = t.recursion('Chain', (self) =>
  t.intersection([t.type({ n: t.bigint }), t.partial({ next: self })]),
)
const big = 9_007_199_254_740_993n
const exceptXml = all.filter((place) => !place.startsWith('xml'))
const lists = ['query', 'header', 'cookie', 'matrix', 'form', ...jsonPlaces]

const rows: ReadonlyArray<Row> = [
  ['string', t.string, 'a', scalarPlaces],
  ['number', t.number, 1.5, scalarPlaces],
  ['Int', t.Int, 5, scalarPlaces],
  ['boolean', t.boolean, true, scalarPlaces],
  ['bigint', t.bigint, big, scalarPlaces],
  ['a negative bigint', t.bigint, -big, scalarPlaces],
  ['null', t.null, null, scalarPlaces],
  [
    'unknown',
    t.unknown,
    { a: { b: 'c' } },
    [...jsonPlaces, 'xmlBody', 'xmlResult'],
    parametersAndText,
  ],
  ['an unknown scalar', t.unknown, 'a', exceptXml, ['xmlBody', 'xmlResult']],
  ['any', t.any, 'a', exceptXml],
  ['never', t.never, 1, []],
  ['Function', t.Function, () => 1, []],
  ['object', t.object, { a: 'b' }, jsonPlaces],
  ['UnknownRecord', t.UnknownRecord, { a: 'b' }, [...jsonPlaces, 'xmlBody', 'xmlResult']],
  ['UnknownArray', t.UnknownArray, ['a'], jsonPlaces],
  ['a string literal', t.literal('a'), 'a', exceptXml],
  ['a number literal', t.literal(1), 1, exceptXml],
  ['a boolean literal', t.literal(true), true, scalarPlaces],
  ['keyof', t.keyof({ a: null, b: null }), 'a', exceptXml],
  ['keyof digits', t.keyof({ 1: null, 2: null }), '1', exceptXml],
  ['keyof without keys', t.keyof({}), 'a', []],
  ['a union of numbers', t.union([t.literal(1), t.literal(2)]), 2, exceptXml],
  ['a union of types', t.union([t.bigint, t.string]), 5n, scalarPlaces],
  ['a union with never', withoutType(t.union)([t.never, t.number]), 5, exceptXml],
  ['a union of never', withoutType(t.union)([t.never, t.Function]), 5, []],
  ['a nullable bigint', nullable(t.bigint), 5n, scalarPlaces],
  ['an optional bigint', optional(t.bigint), 5n, scalarPlaces],
  ['a bigint with a default value', withDefault(t.bigint, 1n), 5n, scalarPlaces],
  ['a described bigint', described('d')(t.bigint), 5n, scalarPlaces],
  ['a bounded bigint', atLeast(1)(t.bigint), 5n, scalarPlaces],
  ['a refined bigint', t.refinement(t.bigint, (n) => n > 0n, 'positive'), 5n, scalarPlaces],
  ['a branded bigint', Positive, 5n, scalarPlaces],
  ['a readonly bigint', t.readonly(t.bigint), 5n, scalarPlaces],
  ['a list', t.array(t.bigint), [5n], lists],
  ['a readonly list', t.readonlyArray(t.number), [5], lists],
  ['a set', set(t.bigint), new Set([5n]), lists],
  ['a tuple', t.tuple([t.string, t.bigint]), ['a', 5n], jsonPlaces],
  ['a tuple with further elements', tupleWithRest([t.string], t.bigint), ['a', 5n], jsonPlaces],
  [
    'an optional tuple with further elements',
    optional(tupleWithRest([t.string], t.string)),
    ['a', 'b'],
    jsonPlaces,
  ],
  ['a tuple with never', withoutType(t.tuple)([t.string, t.never]), ['a', 5n], []],
  ['an optional tuple', optional(t.tuple([t.string, t.string])), ['a', 'b'], jsonPlaces],
  ['an object', t.type({ a: t.bigint }), { a: 5n }, jsonPlaces],
  ['a partial object', t.partial({ a: t.bigint }), { a: 5n }, jsonPlaces],
  ['a strict object', t.strict({ a: t.bigint }), { a: 5n }, jsonPlaces],
  ['an exact object', t.exact(t.type({ a: t.bigint })), { a: 5n }, jsonPlaces],
  ['a readonly object', t.readonly(t.type({ a: t.bigint })), { a: 5n }, jsonPlaces],
  ['an object that rejects members', strict(t.type({ a: t.bigint })), { a: 5n }, jsonPlaces],
  ['an object with a list', t.type({ a: t.array(t.bigint) }), { a: [5n] }, jsonPlaces],
  [
    'an object with undefined',
    t.type({ a: t.undefined, b: t.string }),
    { a: undefined, b: 'c' },
    jsonPlaces,
  ],
  ['an object with never', withoutType(t.type)({ a: t.never }), { a: 1 }, []],
  ['an object without a member', withoutType(t.partial)({ a: t.never }), {}, jsonPlaces],
  ['an object with a function', t.type({ a: t.Function }), { a: () => 1 }, []],
  ['a record', t.record(t.string, t.bigint), { a: 5n }, jsonPlaces],
  ['a record of literals', t.record(t.keyof({ a: null }), t.number), { a: 5 }, jsonPlaces],
  [
    'an intersection',
    t.intersection([t.type({ a: t.bigint }), t.type({ b: t.string })]),
    { a: 5n, b: 'c' },
    jsonPlaces,
  ],
  ['a recursive codec', Chain, { n: 1n, next: { n: 2n } }, [...jsonPlaces, 'xmlBody', 'xmlResult']],
]

type Result = E.Either<{ readonly message: string }, { readonly body: unknown }>

const calls = (tree: unknown, fetch: unknown): ((input: unknown) => () => Promise<Result>) => {
  const created: { readonly call: (input: unknown) => () => Promise<Result> } = withoutType(client)(
    tree,
    {
      baseUrl: 'http://localhost',
      fetch,
    },
  )
  return created.call
}

/** Returns the value that arrives, or the code of the configuration error. */
const send = async (
  { operation, input, isStream = false, wrap = (tree) => tree }: Place,
  codec: unknown,
  value: unknown,
): Promise<unknown> => {
  let received: unknown = 'nothing'
  const call = operation(
    codec,
    (one) => {
      received = one
    },
    value,
  )
  const tree = wrap(untyped.routes({ call }))
  let fetch
  try {
    fetch = withoutType(inMemory)(tree)
  } catch (error) {
    return /FW-[A-Z]+-\d+/.exec(String(error))?.[0] ?? error
  }
  const result: E.Either<{ readonly message: string }, { readonly body: unknown }> = await calls(
    tree,
    fetch,
  )(input?.(value) ?? {})()
  if (E.isLeft(result)) return result.left.message
  if (input !== undefined) return received
  if (!isStream) return result.right.body
  for await (const element of result.right.body as AsyncIterable<unknown>)
    return t.type({ data: t.unknown, name: t.string }).is(element) ? element.data : element
  return 'no element'
}

describe('codecs of io-ts', (test) => {
  for (const [at, [title, codec, value, works, others = []]] of rows.entries())
    for (const [, [name, place]] of sampled(
      Object.entries(places).filter(([key]) => !others.includes(key)),
      at,
    ))
      test(`${title} in ${name} ${works.includes(name) ? 'round-trips' : 'is rejected at start'}`, async () => {
        const actual = await send(place, codec, value)
        if (works.includes(name)) assert.equal(actual, value)
        else assert.match(String(actual), /^FW-(?:PARAM|MEDIA|XML)-\d+$/)
      })
})
