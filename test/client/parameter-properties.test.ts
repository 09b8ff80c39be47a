/**
 * Properties of parameters and JSON bodies: for arbitrary codecs and values, the handler receives the values of the caller, and the
 * caller receives the values of the handler. A value that has no text is an `EncodeError`, and no request is sent.
 */
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyDecodedResponse, ClientError, Fetch, Lists } from '../../src/client.ts'
import { client } from '../../src/client.ts'
import type { UnhandledEndpoint, ParameterGroup } from '../../src/endpoint/endpoint.ts'
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
import { environments } from './environments.ts'
import { describe } from '../support/describe.ts'
import { withoutUndefined } from './json-cases.ts'
import { isDecodedAsMissing, parameter, single, variable } from './parameter-sample.ts'
import { difference } from '../support/same-value.ts'
import type { Sample } from '../support/sample.ts'
import { instance, sample } from '../support/sample.ts'

/** Whether a call succeeded. `false` for an `EncodeError`: the value has no text. Throws for other failures. */
const isEncodable = (
  result: E.Either<ClientError | AnyDecodedResponse, AnyDecodedResponse>,
): boolean => {
  if (E.isRight(result)) return true
  if ('_tag' in result.left && result.left._tag === 'EncodeError') return false
  throw new Error(JSON.stringify(result.left))
}

/** A codec with values, and the path template of their operation. */
interface Case {
  readonly sample: Sample
  readonly values: ReadonlyArray<unknown>
  readonly template: string
}

const casesOf = (
  samples: fc.Arbitrary<Sample>,
  templates: ReadonlyArray<string> = ['/of'],
): fc.Arbitrary<Case> =>
  fc.tuple(samples, fc.constantFrom(...templates)).chain(([chosen, template]) =>
    fc.array(chosen.value, { minLength: 1, maxLength: 6 }).map((values) => ({
      sample: chosen,
      values,
      template,
      [fc.toStringMethod]: () => `${chosen.codec.name} in ${template}: ${fc.stringify(values)}`,
    })),
  )

describe('parameters of arbitrary codecs are decoded to the same values', (test) => {
  const groups: ReadonlyArray<
    readonly [group: ParameterGroup, cases: fc.Arbitrary<Case>, title?: string]
  > = [
    ['query', casesOf(parameter)],
    ['matrix', casesOf(parameter, ['/of', '/', '/of/it'])],
    ['header', casesOf(parameter)],
    ['cookie', casesOf(parameter)],
    ['form', casesOf(parameter)],
    [
      'path',
      casesOf(variable, [
        '/{it}',
        '/of/{it}/end',
        '/pre-{it}',
        '/{it}.json',
        '/{it:.+}',
        '/of/{it:[^.]+}.x',
      ]),
    ],
    ['path', casesOf(single, ['/{it}']), 'a path segment'],
  ]
  for (const [group, cases, title = `${group} parameters`] of groups)
    for (const [name, run, runs] of environments)
      test(`${title}, ${name}`, async () => {
        const count = { sent: 0, all: 0 }
        await fc.assert(
          fc.asyncProperty(cases, async ({ sample: { codec }, values, template }) => {
            const seen: unknown[] = []
            const { definition } = pipe(path(group === 'path' ? '/' : template), produces(text))
            const declared = makeEndpoint({
              ...addParameters(definition, group, [['it', codec]]),
              method: group === 'form' ? 'POST' : 'GET',
              template,
            }) as unknown as UnhandledEndpoint<{
              readonly path: {}
              readonly method: 'GET'
              readonly produces: { readonly _A: string }
            }>
            const operation = pipe(
              declared,
              handle((input) => {
                seen.push(Reflect.get(Reflect.get(input, group) as object, 'it'))
                return 'read'
              }),
            )
            await run(routes({ operation }), async (call) => {
              for (const value of values) {
                seen.length = 0
                count.all++
                if (isEncodable(await call('operation')({ [group]: { it: value } })())) {
                  count.sent++
                  assert.is(seen.length, 1)
                  const message = difference(
                    seen[0],
                    isDecodedAsMissing(value, codec) ? undefined : value,
                    'it',
                  )
                  if (message !== undefined) throw new Error(message)
                } else assert.is(seen.length, 0, 'no request is sent')
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
})

describe('parameters of all groups in one operation', (test) => {
  const kinds = ['path', 'matrix', 'query', 'header', 'cookie', 'form'] as const
  const groups = fc.tuple(...kinds.map((kind) => instance(kind === 'path' ? single : parameter)))
  for (const [name, run, runs] of environments)
    test(`are decoded to the same values, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(groups, async (instances) => {
          const seen: unknown[] = []
          const codecsAt = (index: number) => ({
            it: instances[index]?.codec as t.Type<unknown, string>,
          })
          const operation = pipe(
            path('/of/{it}/end', codecsAt(0)),
            post(),
            matrix(codecsAt(1)),
            query(codecsAt(2)),
            header(codecsAt(3)),
            cookie(codecsAt(4)),
            form(codecsAt(5)),
            produces(text),
            handle((input) => {
              for (const kind of kinds) seen.push(input[kind].it)
              return 'read'
            }),
          )
          await run(routes({ operation }), async (call) => {
            const input = Object.fromEntries(
              kinds.map((kind, index) => [kind, { it: instances[index]?.value }]),
            )
            const isSent = isEncodable(await call('operation')(input)())
            if (!isSent) assert.is(seen.length, 0)
            // other values are generated until enough have been sent
            fc.pre(isSent)
            const expected = instances.map(({ codec, value }) =>
              isDecodedAsMissing(value, codec) ? undefined : value,
            )
            const message = difference(seen, expected, 'it')
            if (message !== undefined) throw new Error(message)
          })
        }),
        { numRuns: runs },
      ))
})

/** Whether JSON can represent a value: no element is `undefined`. */
const isJson = ({
  codec,
  value,
}: {
  readonly codec: t.Mixed
  readonly value: unknown
}): boolean => {
  const encoded = JSON.stringify(codec.encode(value)) as string | undefined
  const decoded = codec.decode(encoded === undefined ? undefined : JSON.parse(encoded))
  if (E.isLeft(decoded)) return false
  return isDeepStrictEqual(withoutUndefined(decoded.right), withoutUndefined(value))
}

describe('JSON bodies of arbitrary codecs are decoded to the same values', (test) => {
  for (const [name, run, runs] of environments)
    test(`bodies, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(instance(sample).filter(isJson), async ({ codec, value }) => {
          const seen: unknown[] = []
          const operation = pipe(
            path('/'),
            post(),
            body(json(codec as t.Type<unknown>)),
            produces(json(codec as t.Type<unknown>)),
            handle((input) => {
              seen.push(input.body)
              // a decoded `attempt` is an `Either`, which would count as a declared result
              return ok(input.body)
            }),
          )
          await run(routes({ operation }), async (call) => {
            const result = await call('operation')({ body: value })()
            if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
            assert.equal(withoutUndefined(seen[0]), withoutUndefined(value))
            assert.equal(withoutUndefined(result.right.body), withoutUndefined(value))
          })
        }),
        { numRuns: runs },
      ))
})

/** Functions that return the values of the parameter `it` from a query, by list format. */
const parsers: Readonly<Record<Lists, (search: string) => ReadonlyArray<string>>> = {
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
    test(`${lists}: all values are read in order`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.string({ unit: fc.constantFrom('a', ',', '&', '=', '+', ' ', '%', '#', '[', 'é') }),
            {
              maxLength: 4,
            },
          ),
          async (values) => {
            const queries: string[] = []
            const fetch: Fetch = async (url) => {
              queries.push(new URL(url).search)
              return new Response('')
            }
            const { find } = client(api, { baseUrl: 'http://service.test', lists, fetch })
            assert.ok(E.isRight(await find({ query: { it: values } })()))
            assert.equal(queries.map(parsers[lists]), [values])
          },
        ),
      ))
})
