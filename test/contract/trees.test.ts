/** Trees in trees: where another framework has objects that serve what is left of a path. */
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
} from '../../src/index.ts'
import { answers, ask, says, shown } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

const locator = routes({
  one: pipe(path('/resource/locator'), get('/one'), produces(text), handle(says('one'))),
  other: pipe(path('/resource'), get('/{a}/{b}'), produces(rawJson), handle(shown)),
})

const leaf = pipe(path('leaf'), get(), produces(text), handle(says('leaf')))
const parts = routes({
  list: pipe(path(''), get(), produces(text), handle(says('parts'))),
  remove: pipe(path('{part}'), del(), produces(text), handle(says('removed'))),
  deeper: pipe(routes({ leaf }), prefix('deeper')),
})

const car = pipe(routes({ parts: pipe(parts, prefix('/parts')) }), prefix('/car'))
const replace = pipe(path('/car/parts'), put(), produces(text), handle(says('replaced')))

contract('trees in trees', routes({ locator, car, replace }), (test, call) => {
  answers(test, call, [
    ['the longer prefix has it', 'GET /resource/locator/one', 'one'],
    [
      'where it has nothing a shorter one is tried',
      'GET /resource/locator/two',
      { path: { a: 'locator', b: 'two' } },
    ],
    ['a tree stands in a tree', 'GET /car/parts', 'parts'],
    ['at any depth', 'GET /car/parts/deeper/leaf', 'leaf'],
    ['beside what another tree has there', 'PUT /car/parts', 'replaced'],
    ['nothing is below a leaf', 'GET /car/parts/deeper/leaf/x', 404],
    ['the method has to be one of the leaf’s', 'POST /car/parts/deeper/leaf', 405],
    ['HEAD is derived there too', 'HEAD /car/parts', 200],
  ])

  test('and so is OPTIONS', async () => {
    const { status, headers } = await ask(call, 'OPTIONS /car/parts')
    assert.equal([status, headers.get('allow')], [204, 'GET, PUT, HEAD, OPTIONS'])
  })
})
