/** `fw.rest.absolute-location`: `Location` headers resolved against the base URI. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Reply } from '../../../src/index.ts'
import {
  Redirection,
  created,
  get,
  handle,
  path,
  query,
  responds,
  routes,
  string,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'

const api = routes({
  created: pipe(
    path('/created'),
    get(),
    query({ target: string }),
    responds(201),
    handle((input) => created(input.query.target)),
  ),
  redirected: pipe(
    path('/redirected'),
    get(),
    query({ target: string }),
    responds(204),
    handle((input): Reply<204, void> => {
      throw new Redirection(303, input.query.target)
    }),
  ),
})

/** RFC 3986, 5.2.2 */
const references: ReadonlyArray<readonly [reference: string, resolved: string]> = [
  ['a', '/library/a'],
  ['a/../b?c=d#e', '/library/b?c=d#e'],
  ['?a', '/library/?a'],
  ['/a', '/a'],
]

const absolute = 'https://other.test/a'

contract(
  'fw.rest.absolute-location',
  api,
  (test, call) => {
    for (const endpoint of ['created', 'redirected']) {
      const locationOf = async (reference: string): Promise<URL> => {
        const response = await sendRequest(
          call,
          `GET /library/${endpoint}?target=${encodeURIComponent(reference)}`,
        )
        return new URL(response.headers.get('location') ?? '')
      }
      for (const [reference, resolved] of references)
        test(`${endpoint}: ${reference} resolves to ${resolved}`, async () => {
          const { origin, href } = await locationOf(reference)
          assert.match(origin, /^http:\/\/(service\.test|127\.0\.0\.1:\d+)$/)
          assert.is(href, `${origin}${resolved}`)
        })
      test(`${endpoint}: an absolute URI is sent unchanged`, async () =>
        assert.is((await locationOf(absolute)).href, absolute))
    }
  },
  { 'fw.rest.path': '/library', 'fw.rest.absolute-location': true },
)

contract(
  'a relative Location without fw.rest.absolute-location',
  api,
  (test, call) => {
    for (const endpoint of ['created', 'redirected'])
      for (const [reference] of [...references, [absolute]])
        test(`${endpoint}: ${reference} is sent unchanged`, async () => {
          const line = `GET /library/${endpoint}?target=${encodeURIComponent(reference)}`
          const { headers } = await sendRequest(call, line)
          assert.is(headers.get('location'), reference)
        })
  },
  { 'fw.rest.path': '/library' },
)
