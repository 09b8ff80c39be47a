/**
 * What a client sends the server reads, for arbitrary values of arbitrary codecs: the handler gets exactly what the caller passed,
 * in every kind of parameter and in JSON, and the caller exactly what the handler returned. What no text can say is not sent.
 */
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyAnswer, ClientError, Fetch, Lists } from '../../src/client.ts'
import { client } from '../../src/client.ts'
import type { Endpoint, ParameterGroup } from '../../src/endpoint/endpoint.ts'
import { makeEndpoint, addParameters } from '../../src/endpoint/endpoint.ts'
import {
  body,
  cookie,
  form,
  get,
  handle,
  header,
  json,
  list,
  matrix,
  ok,
  path,
  post,
  produces,
  query,
  routes,
  text,
} from '../../src/index.ts'
import { ways } from '../support/client-ways.ts'
import { describe } from '../support/describe.ts'
import { isNothing, parameter, single, variable } from '../support/parameter-sample.ts'
import { difference } from '../support/same-value.ts'
import type { Sample } from '../support/sample.ts'
import { instance, sample } from '../support/sample.ts'

/** What a parameter codec cannot say of a value in any text is said before anything is sent. */
const isSayable = (result: E.Either<ClientError | AnyAnswer, AnyAnswer>): boolean => {
  if (E.isRight(result)) return true
  if ('_tag' in result.left && result.left._tag === 'EncodeError') return false
  throw new Error(JSON.stringify(result.left))
}

interface Case {
  readonly sample: Sample
  readonly values: ReadonlyArray<unknown>
  readonly template: string
}

const caseOf = (
  samples: fc.Arbitrary<Sample>,
  templates: ReadonlyArray<string> = ['/of'],
): fc.Arbitrary<Case> =>
  fc.tuple(samples, fc.constantFrom(...templates)).chain(([one, template]) =>
    fc.array(one.value, { minLength: 1, maxLength: 6 }).map((values) => ({
      sample: one,
      values,
      template,
      [fc.toStringMethod]: () => `${one.codec.name} in ${template}: ${fc.stringify(values)}`,
    })),
  )

describe('parameters sent by a client are decoded to the same values', (test) => {
  const groups: ReadonlyArray<readonly [group: ParameterGroup, cases: fc.Arbitrary<Case>]> = [
    ['query', caseOf(parameter)],
    ['matrix', caseOf(parameter, ['/of', '/', '/of/it'])],
    ['header', caseOf(parameter)],
    ['cookie', caseOf(parameter)],
    ['form', caseOf(parameter)],
    [
      'path',
      caseOf(variable, [
        '/{it}',
        '/of/{it}/end',
        '/pre-{it}',
        '/{it}.json',
        '/{it:.+}',
        '/of/{it:[^.]+}.x',
      ]),
    ],
    ['path', caseOf(single, ['/{it}'])],
  ]
  const sayable = new Map<string, { sent: number; all: number }>()
  for (const [group, cases] of groups)
    for (const [name, way, runs] of ways)
      test(`${group} parameters, ${name} (${runs})`, async () => {
        const count = { sent: 0, all: 0 }
        sayable.set(`${group} ${name}`, count)
        await fc.assert(
          fc.asyncProperty(cases, async ({ sample: { codec }, values, template }) => {
            const seen: unknown[] = []
            const { definition } = pipe(path(group === 'path' ? '/' : template), produces(text))
            const declared = makeEndpoint({
              ...addParameters(definition, group, [['it', codec]]),
              method: group === 'form' ? 'POST' : 'GET',
              template,
            }) as unknown as Endpoint<{
              readonly path: {}
              readonly method: 'GET'
              readonly produces: { readonly _A: string }
            }>
            const one = pipe(
              declared,
              handle((input) => {
                seen.push(Reflect.get(Reflect.get(input, group) as object, 'it'))
                return 'read'
              }),
            )
            await way(routes({ one }), async (call) => {
              for (const value of values) {
                seen.length = 0
                count.all++
                if (isSayable(await call('one')({ [group]: { it: value } })())) {
                  count.sent++
                  assert.is(seen.length, 1)
                  const found = difference(
                    seen[0],
                    isNothing(value, codec) ? undefined : value,
                    'it',
                  )
                  if (found !== undefined) throw new Error(found)
                } else assert.is(seen.length, 0, 'it was sent all the same')
              }
            })
          }),
          { numRuns: runs },
        )
        assert.ok(count.sent * 3 > count.all, `${count.sent} of ${count.all} were sent`)
      })
})

describe('an operation with parameters of every kind', (test) => {
  const kinds = ['path', 'matrix', 'query', 'header', 'cookie', 'form'] as const
  const groups = fc.tuple(...kinds.map((kind) => instance(kind === 'path' ? single : parameter)))
  for (const [name, way, runs] of ways)
    test(`parameters are decoded separately, ${name}`, async () => {
      let sent = 0
      await fc.assert(
        fc.asyncProperty(groups, async (given) => {
          const seen: unknown[] = []
          const of = (at: number) => ({ it: given[at]?.codec as t.Type<unknown, string> })
          const one = pipe(
            path('/of/{it}/end', of(0)),
            post(),
            matrix(of(1)),
            query(of(2)),
            header(of(3)),
            cookie(of(4)),
            form(of(5)),
            produces(text),
            handle((input) => {
              for (const kind of kinds) seen.push(input[kind].it)
              return 'read'
            }),
          )
          await way(routes({ one }), async (call) => {
            const input = Object.fromEntries(
              kinds.map((kind, at) => [kind, { it: given[at]?.value }]),
            )
            if (!isSayable(await call('one')(input)())) return assert.is(seen.length, 0)
            sent++
            const meant = given.map(({ codec, value }) =>
              isNothing(value, codec) ? undefined : value,
            )
            const found = difference(seen, meant, 'it')
            if (found !== undefined) throw new Error(found)
          })
        }),
        { numRuns: 4 * runs },
      )
      assert.ok(sent > runs / 4, `${sent} were sent`)
    })
})

/** A value without members that are `undefined`, which JSON leaves out. */
const said = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(said)
  if (value instanceof Set) return [...value].map(said)
  if (!t.UnknownRecord.is(value)) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, said(one)]])),
  )
}

/** Whether JSON can say a value: not one with an element that is `undefined`. */
const isJson = ({
  codec,
  value,
}: {
  readonly codec: t.Mixed
  readonly value: unknown
}): boolean => {
  const written = JSON.stringify(codec.encode(value)) as string | undefined
  const read = codec.decode(written === undefined ? undefined : JSON.parse(written))
  if (E.isLeft(read)) return false
  return isDeepStrictEqual(said(read.right), said(value))
}

describe('JSON bodies are decoded to the same values in both directions', (test) => {
  for (const [name, way, runs] of ways)
    test(`bodies, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(instance(sample).filter(isJson), async ({ codec, value }) => {
          const seen: unknown[] = []
          const one = pipe(
            path('/'),
            post(),
            body(json(codec as t.Type<unknown>)),
            produces(json(codec as t.Type<unknown>)),
            handle((input) => {
              seen.push(input.body)
              // an attempt is an `Either`, which a handler returns for something else
              return ok(input.body)
            }),
          )
          await way(routes({ one }), async (call) => {
            const result = await call('one')({ body: value })()
            if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
            assert.equal(said(seen[0]), said(value))
            assert.equal(said(result.right.body), said(value))
          })
        }),
        { numRuns: runs },
      ))
})

/** What a plain service reads of a query: the texts of `it`, however they travel. */
const readings: Readonly<Record<Lists, (search: string) => ReadonlyArray<string>>> = {
  repeat: (search) => new URLSearchParams(search).getAll('it'),
  comma: (search) =>
    search === '' ? [] : search.replace('?it=', '').split(',').map(decodeURIComponent),
  brackets: (search) => {
    const pairs = new URLSearchParams(search)
    return [...pairs.getAll('it'), ...pairs.getAll('it[]')]
  },
}

describe('query lists read by a plain service', (test) => {
  const api = routes({
    find: pipe(path('/'), get(), query({ it: list(t.string) }), produces(text)),
  })
  for (const lists of ['repeat', 'comma', 'brackets'] as const)
    test(lists, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.string({ unit: fc.constantFrom('a', ',', '&', '=', '+', ' ', '%', '#', '[', 'é') }),
            {
              maxLength: 4,
            },
          ),
          async (values) => {
            const asked: string[] = []
            const fetch: Fetch = async (url) => {
              asked.push(new URL(url).search)
              return new Response('')
            }
            const { find } = client(api, { baseUrl: 'http://service.test', lists, fetch })
            assert.ok(E.isRight(await find({ query: { it: values } })()))
            assert.equal(asked.map(readings[lists]), [values])
          },
        ),
      ),
    )
})
