/** Properties of the application, for handlers and filters. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  get,
  handle,
  path,
  produces,
  requestFilter,
  routes,
  text,
  withFilter,
} from '../../src/index.ts'
import * as assert from 'uvu/assert'
import { answers, ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

const api = pipe(
  routes({
    tell: pipe(
      path('/{name}'),
      get(),
      produces(text),
      handle(({ path: { name } }, { application }) => application.property(name) ?? 'nothing'),
    ),
  }),
  withFilter(
    requestFilter(({ application, response }) =>
      response.addHeader('X-Owner', application.property('app.owner') ?? 'nobody'),
    ),
  ),
)

contract(
  'context.application.property',
  api,
  (test, call) => {
    answers(test, call, [
      ['as given', 'GET /app.name', 'library'],
      ['with expressions resolved', 'GET /app.greeting', 'library of nobody'],
      ['empty', 'GET /app.empty', ''],
      ['given as undefined', 'GET /app.none', 'nothing'],
      ['a setting that is given', 'GET /fw.rest.conversion-failure', 'jakarta'],
      ['a setting by its default, as a file would have it', 'GET /fw.http.read-timeout', '1m'],
      ['what nothing has', 'GET /app.nothing', 'nothing'],
      ['what every object has', 'GET /toString', 'nothing'],
    ])
    test('is the same in a filter, and each time', async () => {
      for (let turn = 0; turn < 3; turn++)
        assert.is((await ask(call, 'GET /app.name')).headers.get('X-Owner'), 'kew')
    })
  },
  {
    properties: {
      'app.name': 'library',
      'app.owner': 'kew',
      'app.greeting': '${app.name} of ${app.lender:nobody}',
      'app.empty': '',
      'app.none': undefined,
    },
    'fw.rest.conversion-failure': 'jakarta',
  },
)
