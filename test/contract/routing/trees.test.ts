/** Nested route trees, with overlapping prefixes and derived methods. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  del,
  get,
  handle,
  path,
  prefix,
  produces,
  put,
  rawJson,
  routes,
  text,
} from '../../../src/index.ts'
import { testRequests, sendRequest, returns, inputAsJson } from '../../support/send-request.ts'
import { valueContract } from '../../support/contract.ts'

const locator = routes({
  literal: pipe(path('/resource/locator'), get('/one'), produces(text), handle(returns('one'))),
  variables: pipe(path('/resource'), get('/{a}/{b}'), produces(rawJson), handle(inputAsJson)),
})

const leaf = pipe(path('leaf'), get(), produces(text), handle(returns('leaf')))
const parts = routes({
  list: pipe(path(''), get(), produces(text), handle(returns('parts'))),
  remove: pipe(path('{part}'), del(), produces(text), handle(returns('removed'))),
  deeper: pipe(routes({ leaf }), prefix('deeper')),
})

const car = pipe(routes({ parts: pipe(parts, prefix('/parts')) }), prefix('/car'))
const replace = pipe(path('/car/parts'), put(), produces(text), handle(returns('replaced')))

valueContract('nested route trees', routes({ locator, car, replace }), (test, call) => {
  testRequests(test, call, [
    ['the longer of two matching prefixes', 'GET /resource/locator/one', 'one'],
    [
      'a shorter prefix if the longer one does not match',
      'GET /resource/locator/two',
      { path: { a: 'locator', b: 'two' } },
    ],
    ['a tree in a tree', 'GET /car/parts', 'parts'],
    ['a deeply nested tree', 'GET /car/parts/deeper/leaf', 'leaf'],
    ['a method that another tree adds to the path', 'PUT /car/parts', 'replaced'],
    ['a path below an operation', 'GET /car/parts/deeper/leaf/x', 404],
    ['a method that is not declared', 'POST /car/parts/deeper/leaf', 405],
    ['HEAD of a nested operation', 'HEAD /car/parts', 200],
  ])

  test('OPTIONS lists the methods of all trees', async () => {
    const { status, headers } = await sendRequest(call, 'OPTIONS /car/parts')
    assert.equal([status, headers.get('allow')], [204, 'GET, PUT, HEAD, OPTIONS'])
  })
})
