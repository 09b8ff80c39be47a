/** The preconditions of RFC 9110, 13 as requests: the cases of `precondition-rows.ts`. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/index.ts'
import {
  evaluatePreconditions,
  fails,
  get,
  handle,
  int,
  method as operationOf,
  ok,
  path,
  produces,
  put,
  responds,
  routes,
  text,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { base, valueContract } from '../../support/contract.ts'
import type { Row } from './precondition-rows.ts'
import { rows } from './precondition-rows.ts'

const entry = pipe(path('/{row}', { row: int }), produces(text), responds(304), fails(412))

/** Evaluates the preconditions against the validators of a row. */
const respond = (row: number, context: Context) => {
  const current = rows[row]?.[3]
  return pipe(
    current === undefined
      ? evaluatePreconditions(context)
      : evaluatePreconditions(context, current),
    O.getOrElseW(() => ok('proceeds')),
  )
}

const api = routes({
  read: pipe(
    entry,
    get(),
    handle(({ path: { row } }, context) => respond(row, context)),
  ),
  search: pipe(
    entry,
    operationOf('QUERY')(),
    handle(({ path: { row } }, context) => respond(row, context)),
  ),
  change: pipe(
    entry,
    put(),
    handle(({ path: { row } }, context) => respond(row, context)),
  ),
})

const isSendable = ([, method]: Row): boolean => method !== 'OPTIONS' && method !== 'TRACE'

valueContract('preconditions', api, (test, call) =>
  table<Row>(test, rows.filter(isSendable), async (title, method, lines, _, decision) => {
    const headers = new Headers()
    for (let at = 0; at < lines.length; at += 2)
      headers.append(lines[at] ?? '', lines[at + 1] ?? '')
    const index = rows.findIndex(([other]) => other === title)
    const response = await call(new Request(`${base}/${index}`, { method, headers }))
    assert.is(response.status, decision === 'proceed' ? 200 : decision)
    const isProceeding = decision === 'proceed' && method !== 'HEAD'
    assert.is(await response.text(), isProceeding ? 'proceeds' : '')
  }),
)
