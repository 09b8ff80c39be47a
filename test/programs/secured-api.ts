/** A route tree of blocking operations with restricted members, in a module that workers can import. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  blocking,
  fails,
  get,
  handle,
  inView,
  json,
  jsonView,
  mapError,
  ndjson,
  path,
  produces,
  reply,
  routes,
  secureField,
  text,
  view,
  withFilter,
  withMapper,
} from '../../src/index.ts'
import { hal } from '../../src/hal.ts'
import { lossless } from '../../src/json.ts'
import { currentThread } from '../support/executions.ts'
import { canary, headerAuthentication } from '../support/secrets.ts'

/** The URL of this module. */
export const securedModule: string = import.meta.url

const Public = view('Public')
const User = t.type({
  place: t.string,
  secret: secureField('${role.chief:chief}')(t.string),
  note: inView(view('Internal', Public))(t.string),
})
const user = () => ({ place: currentThread(), secret: canary, note: '' })

class Lost extends Error {}

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
    failing: pipe(
      path('/failing'),
      get(),
      fails(409, json(User)),
      handle(() => E.left(user())),
    ),
    mapped: pipe(
      path('/mapped'),
      get(),
      produces(text),
      handle(() => {
        throw new Lost()
      }),
    ),
    inHal: pipe(
      path('/hal'),
      get(),
      produces(hal(User)),
      handle(() => user()),
    ),
    exact: pipe(
      path('/exact'),
      get(),
      lossless,
      produces(json(User)),
      handle(() => user()),
    ),
  }),
  withMapper(mapError(Lost, { fails: { 410: json(User) } }, () => reply(410, user()))),
  jsonView(Public),
  blocking,
  withFilter(headerAuthentication),
)
