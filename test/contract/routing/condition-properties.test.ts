/** `context.application.property` in handlers and filters. */
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
} from '../../../src/index.ts'
import * as assert from 'uvu/assert'
import { testRequests, sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'

const api = pipe(
  routes({
    property: pipe(
      path('/{name}'),
      get(),
      produces(text),
      handle(({ path: { name } }, { application }) => application.property(name) ?? 'undefined'),
    ),
  }),
  withFilter(
    requestFilter(({ application, response }) =>
      response.addHeader('X-Owner', application.property('app.owner') ?? 'unknown'),
    ),
  ),
)

contract(
  'context.application.property',
  api,
  (test, call) => {
    testRequests(test, call, [
      ['a property', 'GET /app.name', 'library'],
      ['a property with expressions', 'GET /app.greeting', 'library of everyone'],
      ['an empty property', 'GET /app.empty', ''],
      ['a property with the value undefined', 'GET /app.none', 'undefined'],
      ['a configured setting', 'GET /fw.rest.conversion-failure', 'jakarta'],
      ['the default of a setting, in the notation of a file', 'GET /fw.http.read-timeout', '1m'],
      ['an unknown property', 'GET /app.nothing', 'undefined'],
      ['the name of an Object.prototype member', 'GET /toString', 'undefined'],
    ])
    test('a filter receives the same value for each request', async () => {
      for (let turn = 0; turn < 3; turn++)
        assert.is((await sendRequest(call, 'GET /app.name')).headers.get('X-Owner'), 'kew')
    })
  },
  {
    properties: {
      'app.name': 'library',
      'app.owner': 'kew',
      'app.greeting': '${app.name} of ${app.lender:everyone}',
      'app.empty': '',
      'app.none': undefined,
    },
    'fw.rest.conversion-failure': 'jakarta',
  },
)
