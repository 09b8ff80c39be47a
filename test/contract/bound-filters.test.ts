/** Filters for some operations. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  bind,
  get,
  handle,
  onlyFor,
  onlyWhere,
  path,
  preMatching,
  prefix,
  produces,
  reply,
  responseFilter,
  routes,
  text,
  withFilter,
  withHeader,
} from '../../src/index.ts'
import { ask, says } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const say = (word: string) => pipe(path(`/${word}`), get(), produces(text), handle(says(word)))

const binding = pipe(
  routes({
    none: say('none'),
    one: pipe(say('one'), bind('audited')),
    both: pipe(say('both'), bind('audited'), bind('timed')),
    tree: pipe(routes({ inside: pipe(say('inside'), bind('timed')) }), bind('audited')),
  }),
  withFilter(
    pipe(responseFilter(withHeader('X-Names', 'audited')), onlyFor('audited')),
    pipe(responseFilter(withHeader('X-Names', 'audited and timed')), onlyFor('audited', 'timed')),
    pipe(
      responseFilter(withHeader('X-Names', 'where')),
      onlyWhere(({ template }) => template.startsWith('/n')),
    ),
  ),
)

contract('filters for some operations', binding, (test, call) => {
  table<[string, string | null]>(
    test,
    [
      ['none', 'where'],
      ['one', 'audited'],
      ['both', 'audited and timed, audited'],
      ['inside', 'audited and timed, audited'],
      ['nothing', null],
    ],
    async (word, names) => {
      assert.is((await ask(call, `GET /${word}`)).headers.get('X-Names'), names)
    },
  )
})

const audited = pipe(responseFilter(withHeader('X-Names', 'audited')), onlyFor('audited'))
const stopping = pipe(
  preMatching(({ request }) => (request.query === 'stop' ? reply(410, 'stopped') : undefined)),
  onlyFor('audited'),
)
const everywhere = pipe(
  routes({ one: say('one'), more: pipe(routes({ two: say('two') }), prefix('/more')) }),
  withFilter(audited, stopping),
  bind('audited'),
)

contract('a name for the whole tree', everywhere, (test, call) => {
  table<[line: string, status: number]>(
    test,
    [
      ['GET /one', 200],
      ['GET /more/two', 200],
      ['GET /nothing', 404],
      ['PUT /one', 405],
      ['GET /one?stop', 410],
    ],
    async (line, status) => {
      const response = await ask(call, line)
      assert.equal([response.status, response.headers.get('X-Names')], [status, 'audited'])
    },
  )
})
