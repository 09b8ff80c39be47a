/** `Location` against the base URI; `fw.rest.absolute-location`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Reply } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

const api = routes({
  created: pipe(
    path('/created'),
    get(),
    query({ to: string }),
    responds(201),
    handle((input) => created(input.query.to)),
  ),
  redirected: pipe(
    path('/redirected'),
    get(),
    query({ to: string }),
    responds(204),
    handle((input): Reply<204, void> => {
      throw new Redirection(303, input.query.to)
    }),
  ),
})

/** RFC 3986, 5.2.2 */
const references: ReadonlyArray<readonly [reference: string, resolved: string]> = [
  ['a', '/library/a'],
  ['a/../b?c=d#e', '/library/b?c=d#e'],
  ['?a', '/library/?a'],
  ['/a', '/a'], // an absolute path stands below the authority
]

const elsewhere = 'https://elsewhere.test/a'

contract(
  'location',
  api,
  (test, call) => {
    for (const endpoint of ['created', 'redirected']) {
      const location = async (to: string): Promise<URL> => {
        const response = await ask(call, `GET /library/${endpoint}?to=${encodeURIComponent(to)}`)
        return new URL(response.headers.get('location') ?? '')
      }
      for (const [to, resolved] of references)
        test(`${endpoint}: ${to}`, async () => {
          const { origin, href } = await location(to)
          assert.match(origin, /^http:\/\/(service\.test|localhost:\d+)$/)
          assert.is(href, `${origin}${resolved}`)
        })
      test(`${endpoint}: an absolute one stays as it is`, async () =>
        assert.is((await location(elsewhere)).href, elsewhere))
    }
  },
  { 'fw.rest.path': '/library', 'fw.rest.absolute-location': true },
)
