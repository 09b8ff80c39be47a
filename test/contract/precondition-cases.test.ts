/** The conditions of RFC 9110, 13 as requests. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Context } from '../../src/index.ts'
import {
  evaluatePreconditions,
  fails,
  get,
  handle,
  int,
  ok,
  path,
  produces,
  put,
  responds,
  routes,
  text,
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'
import type { Row } from '../support/precondition-cases.ts'
import { rows } from '../support/precondition-cases.ts'

const entry = pipe(path('/{row}', { row: int }), produces(text), responds(304), fails(412))

/** What is there now as a row has it: one that knows of nothing asks without an argument. */
const answered = (row: number, context: Context) => {
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
    handle(({ path: { row } }, context) => answered(row, context)),
  ),
  change: pipe(
    entry,
    put(),
    handle(({ path: { row } }, context) => answered(row, context)),
  ),
})

const isAsked = ([, method]: Row): boolean => method !== 'OPTIONS' && method !== 'TRACE'

contract('conditions', api, (test, call) =>
  table<Row>(test, rows.filter(isAsked), async (title, method, fields, _, decided) => {
    const headers = new Headers()
    for (let at = 0; at < fields.length; at += 2)
      headers.append(fields[at] ?? '', fields[at + 1] ?? '')
    const index = rows.findIndex(([other]) => other === title)
    const response = await call(new Request(`${base}/${index}`, { method, headers }))
    assert.is(response.status, decided === 'proceed' ? 200 : decided)
    const isProceeding = decided === 'proceed' && method !== 'HEAD'
    assert.is(await response.text(), isProceeding ? 'proceeds' : '')
  }),
)
