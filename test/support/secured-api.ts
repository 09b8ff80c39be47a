/** A tree with a blocking operation that has a secured member, in a module that workers can import. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  blocking,
  get,
  handle,
  inView,
  json,
  jsonView,
  ndjson,
  path,
  produces,
  routes,
  secureField,
  view,
  withFilter,
} from '../../src/index.ts'
import { here } from './executions.ts'
import { canary, trusting } from './secrets.ts'

/** The module itself. */
export const securedModule: string = import.meta.url

const Public = view('Public')
const User = t.type({
  place: t.string,
  secret: secureField('${role.chief:chief}')(t.string),
  note: inView(view('Internal', Public))(t.string),
})
const user = () => ({ place: here(), secret: canary, note: '' })

export const api = pipe(
  routes({
    one: pipe(
      path('/one'),
      get(),
      produces(json(User)),
      handle(() => user()),
    ),
    stream: pipe(
      path('/stream'),
      get(),
      produces(ndjson(User)),
      handle(async function* () {
        yield user()
      }),
    ),
  }),
  jsonView(Public),
  blocking,
  withFilter(trusting),
)
