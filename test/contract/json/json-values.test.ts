/** `jsonValue`, `jsonObject`, `jsonArray`, `jsonStructure` and unknown values as bodies: any JSON text is echoed unchanged. */
import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { body, handle, json, ok, path, post, produces, routes } from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { base, valueContract } from '../../support/contract.ts'
import { jsonArray, jsonObject, jsonStructure, jsonValue } from '../../../src/json.ts'

const value = json(t.unknown)
const record = json(t.record(t.string, t.unknown))
const array = json(t.array(t.unknown))
const strings = json(t.record(t.string, t.string))

const api = routes({
  value: pipe(
    path('/value'),
    post(),
    body(value),
    produces(value),
    handle((input) => ok(input.body)),
  ),
  record: pipe(
    path('/record'),
    post(),
    body(record),
    produces(record),
    handle((input) => ok(input.body)),
  ),
  array: pipe(
    path('/array'),
    post(),
    body(array),
    produces(array),
    handle((input) => ok(input.body)),
  ),
  jsonValue: pipe(
    path('/json-value'),
    post(),
    body(json(jsonValue)),
    produces(json(jsonValue)),
    handle((input) => ok(input.body)),
  ),
  jsonObject: pipe(
    path('/json-object'),
    post(),
    body(json(jsonObject)),
    produces(json(jsonObject)),
    handle((input) => ok(input.body)),
  ),
  jsonArray: pipe(
    path('/json-array'),
    post(),
    body(json(jsonArray)),
    produces(json(jsonArray)),
    handle((input) => ok(input.body)),
  ),
  member: pipe(
    path('/member'),
    post(),
    body(json(t.type({ of: jsonStructure }))),
    produces(json(t.type({ of: jsonStructure }))),
    handle((input) => ok(input.body)),
  ),
  strings: pipe(
    path('/strings'),
    post(),
    body(strings),
    produces(strings),
    handle((input) => ok(input.body)),
  ),
})

/** Excludes member names that could reach a prototype, which are rejected. */
const withoutPrototypeNames = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  arbitrary.filter((candidate) => !/"(?:__proto__|constructor)"/.test(JSON.stringify(candidate)))

valueContract('JSON values', api, (test, call) => {
  const echo = async (target: string, sent: string): Promise<readonly [number, string]> => {
    const response = await call(
      new Request(`${base}${target}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode(sent),
      }),
    )
    return [response.status, await response.text()]
  }

  table<readonly [sent: string]>(
    test,
    [
      ['null'],
      ['true'],
      ['0'],
      ['-1.5e-300'],
      ['9007199254740991'],
      ['""'],
      ['"é€😀\\u0000\\ud800"'],
      ['[]'],
      ['{}'],
      ['[null,[null],{}]'],
      ['{"":"","a":{"":null},"length":1,"toString":2,"constructor":3,"hasOwnProperty":4}'],
      ['{"b":1,"a":2,"_tag":"Right","right":1}'],
      ['{"then":1,"status":404,"entity":null}'],
    ],
    async (sent) => {
      assert.equal(await echo('/value', sent), [200, sent])
      assert.equal(await echo('/json-value', sent), [200, sent])
    },
  )
  const cases: ReadonlyArray<readonly [target: string, fc.Arbitrary<unknown>]> = [
    ['/value', fc.jsonValue({ maxDepth: 4 })],
    ['/record', fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))],
    ['/array', fc.array(fc.jsonValue({ maxDepth: 3 }))],
    ['/json-value', fc.jsonValue({ maxDepth: 4 })],
    ['/json-object', fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))],
    ['/json-array', fc.array(fc.jsonValue({ maxDepth: 3 }))],
    ['/member', fc.record({ of: fc.array(fc.jsonValue({ maxDepth: 3 })) })],
    ['/strings', fc.dictionary(fc.string(), fc.string())],
  ]
  for (const [target, values] of cases)
    test(`POST ${target} returns the JSON text unchanged`, () =>
      fc.assert(
        fc.asyncProperty(withoutPrototypeNames(values), async (sent) => {
          const written = JSON.stringify(sent)
          assert.equal(await echo(target, written), [200, written])
        }),
        { numRuns: 50 },
      ))
  test('a value of another JSON type returns 400', async () => {
    assert.is((await echo('/record', 'null'))[0], 400)
    assert.is((await echo('/array', '{}'))[0], 400)
    assert.is((await echo('/record', '[]'))[0], 400)
    assert.is((await echo('/json-object', '[]'))[0], 400)
    assert.is((await echo('/json-array', '{}'))[0], 400)
    assert.is((await echo('/json-array', 'null'))[0], 400)
    assert.is((await echo('/member', '{"of":1}'))[0], 400)
  })
})
