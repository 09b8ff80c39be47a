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
import { successBody, environments } from './environments.ts'
import { describe } from '../support/describe.ts'
import { single } from './parameter-sample.ts'
import { difference } from '../support/same-value.ts'
import { instance } from '../support/sample.ts'
import { normalizeAbsent, xmlSample } from '../support/xml-sample.ts'
import { unicodeString } from '../support/unicode-string.ts'

/** An operation that returns the request body and records it in `seen`. */
const echo = (representation: AnyRepresentation) => {
  const seen: unknown[] = []
  const typed = representation as Representation<unknown, 'text/plain'>
  return {
    seen,
    api: routes({
      echo: pipe(
        path('/'),
        post(),
        body(typed),
        produces(typed),
        handle((input) => {
          seen.push(input.body)
          return ok(input.body)
        }),
      ),
    }),
  }
}

const assertSame = (actual: unknown, expected: unknown, location: string): void => {
  const message = difference(actual, expected, location)
  if (message !== undefined) throw new Error(message)
}

/** Converts bytes to an array of numbers, because they may be instances of several classes. */
const comparable = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value)

/** Texts without a leading byte order mark, which decoders remove (WHATWG Encoding, 6). */
const textsWithoutBom = unicodeString.filter(
  (value) => value.isWellFormed() && !value.startsWith('\ufeff'),
)

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

const bufferedRepresentations: ReadonlyArray<
  readonly [name: string, representation: AnyRepresentation, values: fc.Arbitrary<unknown>]
> = [
  ['text', text, textsWithoutBom],
  ['html', html, textsWithoutBom],
  ['bytes', bytes, fc.uint8Array({ maxLength: 300 })],
  ['raw JSON', rawJson, fc.json()],
  ['form maps', formMap, maps],
  [
    'lossless JSON',
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

describe('buffered bodies are decoded to the same values in both directions', (test) => {
  for (const [name, run, runs] of environments) {
    for (const [kind, representation, values] of bufferedRepresentations)
      test(`${kind}, ${name}`, () => {
        const { api, seen } = echo(representation)
        return run(api, (call) =>
          fc.assert(
            fc.asyncProperty(values, async (value) => {
              seen.length = 0
              const received = await successBody(call('echo')({ body: value }))
              assertSame(seen.map(comparable), [comparable(value)], 'seen')
              assertSame(comparable(received), comparable(value), 'received')
            }),
            { numRuns: runs },
          ),
        )
      })
    test(`XML, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(instance(xmlSample), async ({ codec, value }) => {
          const { api, seen } = echo(xml(codec as t.Type<unknown>))
          await run(api, async (call) => {
            const received = await successBody(call('echo')({ body: value }))
            // attributes come before elements
            assert.equal(normalizeAbsent(seen), normalizeAbsent([value]))
            assert.equal(normalizeAbsent(received), normalizeAbsent(value))
          })
        }),
        { numRuns: runs },
      ))
    test(`scalars as text, ${name}`, async () => {
      const count = { sent: 0, all: 0 }
      await fc.assert(
        fc.asyncProperty(instance(single), async ({ codec, value }) => {
          const { api, seen } = echo(codec as unknown as AnyRepresentation)
          await run(api, async (call) => {
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
              assertSame(seen, [value], 'seen')
              assertSame(result.right.body, value, 'received')
            }
          })
        }),
        { numRuns: runs },
      )
      assert.ok(
        count.sent * 3 > count.all || count.all < 100,
        `${count.sent} of ${count.all} were sent`,
      )
    })
    test(`HAL resources and collections, ${name}`, () => {
      let current: ReadonlyArray<t.TypeOf<typeof Entity>> = []
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
          handle(() => halCollection(current, 'entities')),
        ),
      })
      return run(api, (call) =>
        fc.assert(
          fc.asyncProperty(fc.array(entities, { maxLength: 4 }), async (values) => {
            current = values
            assertSame(await successBody(call('all')()), values, 'received')
            for (const value of values) {
              seen.length = 0
              assertSame(await successBody(call('one')({ body: value })), value, 'received')
              assertSame(seen, [value], 'seen')
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
            [...input.queryMap].map(([key, texts]): [string, string[]] => [key, [...texts]]),
          ),
        ),
      })
      return run(api, (call) =>
        fc.assert(
          fc.asyncProperty(maps, async (map) =>
            assertSame(await successBody(call('map')({ queryMap: map })), [...map], 'seen'),
          ),
          { numRuns: runs },
        ),
      )
    })
  }
})
