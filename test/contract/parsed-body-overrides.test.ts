/** `limits({ parsedBodySize })`, and `limits({ bodySize })` without it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  fileBody,
  form,
  handle,
  json,
  limits,
  optional,
  path,
  post,
  routes,
  string,
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { field, formOf, multipart } from '../support/multipart.ts'
import { exceeded, letters, note, octets, problem, sent } from '../support/sized-bodies.ts'

const Note = t.type({ a: t.string }, 'Note')
const done = (): void => undefined
const to = (at: string) => pipe(path(at), post())

const noted = (at: string) => pipe(to(at), body(json(Note)), handle(done))

const overridden = pipe(
  routes({
    tree: noted('/tree'),
    resource: pipe(
      path('/resource'),
      limits({ parsedBodySize: 200 }),
      post(),
      body(json(Note)),
      handle(done),
    ),
    operation: pipe(noted('/operation'), limits({ parsedBodySize: '2K' })),
    both: pipe(noted('/both'), limits({ bodySize: 4000, parsedBodySize: 3000 })),
    smaller: pipe(noted('/smaller'), limits({ bodySize: 50 })),
    inner: pipe(routes({ tree: noted('/inner') }), limits({ parsedBodySize: 60 })),
  }),
  limits({ parsedBodySize: 100 }),
)

const larger = pipe(
  routes({
    raised: noted('/raised'),
    file: pipe(to('/file'), body(fileBody), handle(done)),
    restricted: pipe(noted('/restricted'), limits({ parsedBodySize: 300 })),
    part: pipe(
      to('/part'),
      form({ a: optional(string) }),
      handle(done),
      limits({ formAttributeSize: '1M' }),
    ),
  }),
  limits({ bodySize: 20_000 }),
)

contract(
  'limits: parsedBodySize',
  overridden,
  (test, call) =>
    table<readonly [to: string, most: number, setting?: string]>(
      test,
      [
        ['/tree', 100],
        ['/resource', 200],
        ['/operation', 2048],
        ['/both', 3000],
        ['/smaller', 50, 'max-body-size'],
        ['/inner', 60],
      ],
      async (at, limit, setting = 'max-parsed-body-size') => {
        assert.is((await call(sent(at, 'application/json', note(limit)))).status, 204)
        const response = await call(sent(at, 'application/json', note(limit + 1)))
        assert.equal(await problem(response), exceeded(limit, setting))
      },
    ),
  { 'fw.http.limits.max-parsed-body-size': 80 },
)

contract(
  'limits: bodySize without parsedBodySize',
  larger,
  (test, call) => {
    test('also applies to bodies that are parsed as a whole', async () => {
      assert.is((await call(sent('/raised', 'application/json', note(20_000)))).status, 204)
      assert.equal(
        await problem(await call(sent('/raised', 'application/json', note(20_001)))),
        exceeded(20_000, 'max-body-size'),
      )
      assert.is((await call(sent('/file', octets, letters(20_000)))).status, 204)
    })
    test('is not used for parsed bodies where parsedBodySize is given', async () =>
      assert.equal(
        await problem(await call(sent('/restricted', 'application/json', note(301)))),
        exceeded(300, 'max-parsed-body-size'),
      ))
    test('also applies to the parts of a form', async () => {
      const large = formOf(field('a', letters(10_000)))
      assert.is((await call(sent('/part', multipart, large))).status, 204)
    })
  },
  { 'fw.http.limits.max-parsed-body-size': 80 },
)
