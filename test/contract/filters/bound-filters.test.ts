/** Filters bound to operations by name (`bind`, `onlyFor`) or by a predicate (`onlyWhere`). */
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
} from '../../../src/index.ts'
import { sendRequest, returns } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const textAt = (word: string) =>
  pipe(path(`/${word}`), get(), produces(text), handle(returns(word)))

const bound = pipe(
  routes({
    none: textAt('none'),
    single: pipe(textAt('single'), bind('audited')),
    both: pipe(textAt('both'), bind('audited'), bind('timed')),
    tree: pipe(routes({ deep: pipe(textAt('deep'), bind('timed')) }), bind('audited')),
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

valueContract('bound filters', bound, (test, call) => {
  table<[word: string, names: string | null]>(
    test,
    [
      ['none', 'where'],
      ['single', 'audited'],
      ['both', 'audited and timed, audited'],
      ['deep', 'audited and timed, audited'],
      ['nothing', null],
    ],
    async (word, names) => {
      assert.is((await sendRequest(call, `GET /${word}`)).headers.get('X-Names'), names)
    },
  )
})

const audited = pipe(responseFilter(withHeader('X-Names', 'audited')), onlyFor('audited'))
const stop = pipe(
  preMatching(({ request }) => (request.query === 'stop' ? reply(410, 'stopped') : undefined)),
  onlyFor('audited'),
)
const boundTree = pipe(
  routes({
    one: textAt('one'),
    more: pipe(routes({ two: textAt('two') }), prefix('/more')),
  }),
  withFilter(audited, stop),
  bind('audited'),
)

valueContract('a name bound to the root applies to every response', boundTree, (test, call) => {
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
      const response = await sendRequest(call, line)
      assert.equal([response.status, response.headers.get('X-Names')], [status, 'audited'])
    },
  )
})
