/** `limits({ parameters })` on operations, resources and route trees. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  cookie,
  form,
  formMap,
  get,
  handle,
  limits,
  list,
  matrix,
  path,
  post,
  produces,
  query,
  queryMap,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { sendRequest, validationErrorsOf, returns } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const many = { a: list(string) }
const few = pipe(path('/few'), limits({ parameters: 2 }), produces(text))

const api = pipe(
  routes({
    ofSetting: pipe(path('/setting'), get(), query(many), produces(text), handle(returns('read'))),
    inner: pipe(
      routes({
        ofTree: pipe(path('/tree'), get(), query(many), produces(text), handle(returns('read'))),
        query: pipe(few, get('/query'), query(many), handle(returns('read'))),
        map: pipe(few, get('/map'), queryMap, handle(returns('read'))),
        matrix: pipe(few, get('/matrix'), matrix(many), handle(returns('read'))),
        cookie: pipe(few, get('/cookie'), cookie(many), handle(returns('read'))),
        form: pipe(few, post('/form'), form(many), handle(returns('read'))),
        formMap: pipe(few, post('/form-map'), body(formMap), handle(returns('read'))),
        many: pipe(
          few,
          get('/many'),
          limits({ parameters: 9 }),
          query(many),
          handle(returns('read')),
        ),
      }),
      limits({ parameters: 5 }),
    ),
  }),
  // limits of other kinds do not change the number of parameters
  limits({ bodySize: '1K' }),
)

const pairs = (count: number, separator: string): string =>
  Array.from({ length: count }, (_, index) => (index === 0 ? 'a=1' : `b${index}=1`)).join(separator)

const formWith = (count: number): RequestInit => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: pairs(count, '&'),
})

type Row = readonly [
  name: string,
  limit: number,
  status: number,
  line: (count: number) => string,
  init?: (count: number) => RequestInit,
]

const inQuery = (target: string) => (count: number) => `GET ${target}?${pairs(count, '&')}`

valueContract(
  'limits({ parameters })',
  api,
  (test, call) => {
    table<Row>(
      test,
      [
        ['the setting', 3, 400, inQuery('/setting')],
        ['a tree', 5, 400, inQuery('/tree')],
        ['a resource', 2, 400, inQuery('/few/query')],
        ['an operation', 9, 400, inQuery('/few/many')],
        ['a query map', 2, 400, inQuery('/few/map')],
        ['matrix parameters', 2, 400, (count) => `GET /few/matrix;${pairs(count, ';')}`],
        [
          'cookies',
          2,
          400,
          () => 'GET /few/cookie',
          (count) => ({ headers: { cookie: pairs(count, '; ') } }),
        ],
        ['a form', 2, 413, () => 'POST /few/form', formWith],
        ['a form map', 2, 413, () => 'POST /few/form-map', formWith],
      ],
      async (_, limit, status, line, init) => {
        const statusOf = async (count: number): Promise<number> =>
          (await sendRequest(call, line(count), init?.(count))).status
        assert.is(await statusOf(limit), 200)
        assert.is(await statusOf(limit + 1), status)
      },
    )
    test('the validation error names the limit', async () => {
      const response = await sendRequest(call, inQuery('/few/query')(3))
      assert.equal(await validationErrorsOf(response), [
        ['query', undefined, 'must have at most 2 parameters (limits({ parameters }))'],
      ])
    })
  },
  { 'fw.http.limits.max-parameters': 3 },
)
