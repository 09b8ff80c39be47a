/** Properties of buffered bodies: values arrive unchanged in each representation. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal, halCollection } from '../../src/hal.ts'
import type { AnyRepresentation } from '../../src/endpoint/representation.ts'
import type { Representation } from '../../src/index.ts'
import {
  bigint,
  body,
  bytes,
  decimal,
  formMap,
  get,
  handle,
  html,
  json,
  list,
  ok,
  path,
  post,
  produces,
  queryMap,
  rawJson,
  routes,
  string,
  text,
} from '../../src/index.ts'
import { lossless } from '../../src/json.ts'
import { xml } from '../../src/xml.ts'
import { answered, ways } from '../support/client-ways.ts'
import { describe } from '../support/describe.ts'
import { single } from '../support/parameter-sample.ts'
import { difference } from '../support/same-value.ts'
import { instance } from '../support/sample.ts'
import { there, xmlSample } from '../support/xml-sample.ts'

/** An operation that returns what it is sent, and what it was sent. */
const echo = (representation: AnyRepresentation) => {
  const seen: unknown[] = []
  const one = representation as Representation<unknown, 'text/plain'>
  return {
    seen,
    api: routes({
      echo: pipe(
        path('/'),
        post(),
        body(one),
        produces(one),
        handle((input) => {
          seen.push(input.body)
          return ok(input.body)
        }),
      ),
    }),
  }
}

const same = (got: unknown, sent: unknown, place: string): void => {
  const found = difference(got, sent, place)
  if (found !== undefined) throw new Error(found)
}

/** Octets come in arrays of several classes. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value)

/** A mark in front of a text is none of it (WHATWG Encoding, 6). */
const unmarked = fc
  .string({ unit: 'binary' })
  .filter((one) => one.isWellFormed() && !one.startsWith('\ufeff'))

const words = fc.string({
  unit: fc.constantFrom(
    'a',
    'é',
    '😀',
    ' ',
    '+',
    '&',
    '=',
    '%',
    ';',
    '#',
    '\r',
    '\n',
    '"',
    '\ufeff',
  ),
})
const maps = fc
  .array(fc.tuple(words, fc.array(words, { minLength: 1, maxLength: 3 })), { maxLength: 4 })
  .map((pairs) => new Map(pairs))

const wholes: ReadonlyArray<
  readonly [name: string, representation: AnyRepresentation, values: fc.Arbitrary<unknown>]
> = [
  ['text', text, unmarked],
  ['html', html, unmarked],
  ['octets', bytes, fc.uint8Array({ maxLength: 300 })],
  ['JSON that is text already', rawJson, fc.json()],
  ['maps of fields', formMap, maps],
  [
    'JSON with every digit',
    lossless(json(t.type({ big: bigint, exact: decimal }))),
    fc.record(
      {
        big: fc.bigInt(),
        exact: fc.record(
          { unscaled: fc.bigInt(), scale: fc.integer({ min: -30, max: 30 }) },
          { noNullPrototype: true },
        ),
      },
      { noNullPrototype: true },
    ),
  ],
]

const Entity = t.type({ name: t.string, pages: t.union([t.null, t.number]), tags: list(string) })
const entities = fc.record(
  {
    name: fc.string({ unit: 'grapheme' }),
    pages: fc.option(fc.integer()),
    tags: fc.array(fc.string(), { maxLength: 3 }),
  },
  { noNullPrototype: true },
)

describe('buffered bodies in both directions', (test) => {
  for (const [name, way, runs] of ways) {
    for (const [kind, representation, values] of wholes)
      test(`${kind}, ${name}`, () => {
        const { api, seen } = echo(representation)
        return way(api, (call) =>
          fc.assert(
            fc.asyncProperty(values, async (value) => {
              seen.length = 0
              const got = await answered(call('echo')({ body: value }))
              same(seen.map(plain), [plain(value)], 'seen')
              same(plain(got), plain(value), 'got')
            }),
            { numRuns: runs },
          ),
        )
      })
    test(`XML, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(instance(xmlSample), async ({ codec, value }) => {
          const { api, seen } = echo(xml(codec as t.Type<unknown>))
          await way(api, async (call) => {
            const got = await answered(call('echo')({ body: value }))
            // attributes come before elements
            assert.equal(there(seen), there([value]))
            assert.equal(there(got), there(value))
          })
        }),
        { numRuns: runs },
      ))
    test(`scalars as text, ${name}`, async () => {
      const count = { sent: 0, all: 0 }
      await fc.assert(
        fc.asyncProperty(instance(single), async ({ codec, value }) => {
          const { api, seen } = echo(codec as unknown as AnyRepresentation)
          await way(api, async (call) => {
            count.all++
            const result = await call('echo')({ body: value })()
            if (E.isLeft(result)) {
              assert.ok(
                '_tag' in result.left && result.left._tag === 'EncodeError',
                JSON.stringify(result.left),
              )
              assert.equal(seen, [])
            } else {
              count.sent++
              same(seen, [value], 'seen')
              same(result.right.body, value, 'got')
            }
          })
        }),
        { numRuns: runs },
      )
      assert.ok(count.sent * 3 > count.all, `${count.sent} of ${count.all} were sent`)
    })
    test(`HAL, entities and collections, ${name}`, () => {
      let given: ReadonlyArray<t.TypeOf<typeof Entity>> = []
      const seen: unknown[] = []
      const api = routes({
        one: pipe(
          path('/one'),
          post(),
          body(hal(Entity)),
          produces(hal(Entity)),
          handle((input) => {
            seen.push(input.body)
            return input.body
          }),
        ),
        all: pipe(
          path('/all'),
          get(),
          produces(hal(list(Entity))),
          handle(() => halCollection(given, 'entities')),
        ),
      })
      return way(api, (call) =>
        fc.assert(
          fc.asyncProperty(fc.array(entities, { maxLength: 4 }), async (values) => {
            given = values
            same(await answered(call('all')()), values, 'got')
            for (const value of values) {
              seen.length = 0
              same(await answered(call('one')({ body: value })), value, 'got')
              same(seen, [value], 'seen')
            }
          }),
          { numRuns: runs },
        ),
      )
    })
    test(`query maps, ${name}`, () => {
      const api = routes({
        map: pipe(
          path('/'),
          get(),
          queryMap,
          produces(json(t.array(t.tuple([t.string, t.array(t.string)])))),
          handle((input) =>
            [...input.queryMap].map(([key, all]): [string, string[]] => [key, [...all]]),
          ),
        ),
      })
      return way(api, (call) =>
        fc.assert(
          fc.asyncProperty(maps, async (map) =>
            same(await answered(call('map')({ queryMap: map })), [...map], 'seen'),
          ),
          { numRuns: runs },
        ),
      )
    })
  }
})
