/** `limits({ parsedBodySize })`, and `limits({ bodySize })` without `parsedBodySize`. */
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
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'
import { exceeded, letters, note, binary, problem, postRequest } from './sized-bodies.ts'

const Note = t.type({ a: t.string }, 'Note')
const done = (): void => undefined
const postTo = (target: string) => pipe(path(target), post())

const jsonOperation = (target: string) => pipe(postTo(target), body(json(Note)), handle(done))

const overridden = pipe(
  routes({
    tree: jsonOperation('/tree'),
    resource: pipe(
      path('/resource'),
      limits({ parsedBodySize: 200 }),
      post(),
      body(json(Note)),
      handle(done),
    ),
    operation: pipe(jsonOperation('/operation'), limits({ parsedBodySize: '2K' })),
    both: pipe(jsonOperation('/both'), limits({ bodySize: 4000, parsedBodySize: 3000 })),
    smaller: pipe(jsonOperation('/smaller'), limits({ bodySize: 50 })),
    inner: pipe(routes({ tree: jsonOperation('/inner') }), limits({ parsedBodySize: 60 })),
  }),
  limits({ parsedBodySize: 100 }),
)

const larger = pipe(
  routes({
    raised: jsonOperation('/raised'),
    file: pipe(postTo('/file'), body(fileBody), handle(done)),
    restricted: pipe(jsonOperation('/restricted'), limits({ parsedBodySize: 300 })),
    part: pipe(
      postTo('/part'),
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
    table<readonly [target: string, limit: number, setting?: string]>(
      test,
      [
        ['/tree', 100],
        ['/resource', 200],
        ['/operation', 2048],
        ['/both', 3000],
        ['/smaller', 50, 'bodySize'],
        ['/inner', 60],
      ],
      async (target, limit, setting = 'parsedBodySize') => {
        assert.is((await call(postRequest(target, 'application/json', note(limit)))).status, 204)
        const response = await call(postRequest(target, 'application/json', note(limit + 1)))
        assert.equal(await problem(response), exceeded(limit, setting))
      },
    ),
  { 'fw.http.limits.max-parsed-body-size': 80 },
)

contract(
  'limits: bodySize without parsedBodySize',
  larger,
  (test, call) => {
    test('bodySize applies to parsed bodies', async () => {
      assert.is((await call(postRequest('/raised', 'application/json', note(20_000)))).status, 204)
      assert.equal(
        await problem(await call(postRequest('/raised', 'application/json', note(20_001)))),
        exceeded(20_000, 'bodySize'),
      )
      assert.is((await call(postRequest('/file', binary, letters(20_000)))).status, 204)
    })
    test('bodySize does not apply to parsed bodies if parsedBodySize is given', async () =>
      assert.equal(
        await problem(await call(postRequest('/restricted', 'application/json', note(301)))),
        exceeded(300, 'parsedBodySize'),
      ))
    test('bodySize applies to the parts of a form', async () => {
      const large = encodeMultipart(encodePart('a', letters(10_000)))
      assert.is((await call(postRequest('/part', multipartType, large))).status, 204)
    })
  },
  { 'fw.http.limits.max-parsed-body-size': 80 },
)
