/** Where operations stand: prefixes, the application's root, slashes, escapes and matrix parameters in paths. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  del,
  encoded,
  get,
  handle,
  int,
  matrix,
  optional,
  path,
  prefix,
  produces,
  rawJson,
  routes,
  segments,
  string,
  text,
} from '../../src/index.ts'
import { answerTo, ask, shown } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'

const named = (name: string) => handle<{ readonly path: {} }>(() => name)

const own = path('users/{user}/')
const api = routes({
  root: pipe(path(''), get(), produces(text), handle(() => 'root')),
  loose: pipe(path('loose/'), get('end'), produces(text), handle(() => 'loose')),
  slashed: pipe(path('/slashed/'), get('/'), produces(text), handle(() => 'slashed')),
  user: pipe(own, get(), produces(rawJson), handle(shown)),
  orders: pipe(own, get('/orders/{order}', { order: int }), produces(rawJson), handle(shown)),
})
