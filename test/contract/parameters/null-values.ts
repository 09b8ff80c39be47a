/** Operations that return values of `nullable`, `nullish` and `date`. Used by the tests of servers and clients. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { cbor } from '../../../src/cbor.ts'
import {
  body,
  cookie,
  date,
  form,
  get,
  handle,
  header,
  int,
  json,
  list,
  matrix,
  nullable,
  nullish,
  ok,
  path,
  post,
  produces,
  query,
  rawJson,
  routes,
  sse,
  string,
  withDefault,
} from '../../../src/index.ts'
import { xml, xmlAttribute } from '../../../src/xml.ts'
import { inputAsJson } from '../../support/send-request.ts'

const members = {
  due: date,
  returned: nullable(date),
  shelf: nullish(int),
  note: nullish(string),
  tags: nullable(list(nullable(string))),
}
export const Loan = t.type(members, 'Loan')
export type Loan = t.TypeOf<typeof Loan>
const Copy = t.type({ copies: nullable(int), lent: xmlAttribute()(nullable(date)) }, 'Copy')

const parameters = {
  due: nullable(date),
  shelf: nullish(int),
  note: nullish(string),
  tags: nullable(list(int)),
}

export const api = routes({
  json: pipe(
    path('/json'),
    post(),
    body(json(Loan), cbor(Loan)),
    produces(json(Loan), cbor(Loan)),
    handle((input) => input.body),
  ),
  xml: pipe(
    path('/xml'),
    post(),
    body(xml(Copy)),
    produces(xml(Copy)),
    handle((input) => input.body),
  ),
  query: pipe(
    path('/query'),
    get(),
    query(parameters),
    produces(rawJson),
    handle((input) => inputAsJson(input.query)),
  ),
  kinds: pipe(
    path('/kinds/{day}', { day: date }),
    post(),
    header({ day: nullable(date) }),
    cookie({ day: nullable(date) }),
    matrix({ day: nullable(date) }),
    form({ day: nullable(date) }),
    produces(rawJson),
    handle((input) => inputAsJson(input)),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(nullable(date)),
    produces(nullable(date)),
    handle((input) => ok(input.body)),
  ),
  title: pipe(
    path('/title'),
    post(),
    body(nullable(string)),
    produces(nullable(string)),
    handle((input) =>
      input.body === 'nothing' ? ok(null) : input.body === '' ? null : input.body,
    ),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(nullable(int))),
    handle(() => [1, null]),
  ),
  orNull: pipe(
    path('/or-null'),
    get(),
    query({
      name: withDefault(nullable(string), null),
      ids: withDefault(nullable(list(int)), null),
    }),
    produces(rawJson),
    handle((input) => inputAsJson(input.query)),
  ),
})
