/** Calls of operations below prefixes with variables. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  int,
  needs,
  path,
  plainDate,
  prefix,
  produces,
  routes,
  segments,
  slot,
  string,
  text,
} from '../../src/index.ts'
import { clientContract, errorIn, right } from '../support/clients.ts'

const Tenant = slot(int)('tenant')
const Day = slot(plainDate)('day')
const Folder = slot(segments(string))('folder')
const Code = slot<string>()('code')

const read = pipe(
  path('/read/{name}'),
  get(),
  needs({ tenant: Tenant, day: Day, folder: Folder, code: Code }),
  produces(text),
  handle(({ path: { name }, needs: { tenant, day, folder, code } }) =>
    [tenant, day.month, ...folder, code, name].join('|'),
  ),
)
const api = pipe(
  routes({ nested: pipe(routes({ read }), prefix('/{day}', { day: Day })) }),
  prefix('/in/{folder}/x-{code:[a-z]+}', { folder: Folder, code: Code }),
  prefix('/t/{tenant}', { tenant: Tenant }),
)

clientContract('calls below prefixes with variables', api, (test, createClient) => {
  const decoded = plainDate.decode('2026-02-03')
  if (E.isLeft(decoded)) throw new Error('invalid date')
  const values = { tenant: 7, day: decoded.right, folder: ['a', 'b/c'], code: 'xyz', name: 'n/m' }

  test('pass the variables of all prefixes in the path', async () => {
    const { body, url } = await right(createClient().nested.read({ path: values }))
    assert.is(body, '7|2|a|b/c|xyz|n/m')
    assert.match(url, '/t/7/in/a/b%2Fc/x-xyz/2026-02-03/read/n%2Fm')
  })
  test('a value that does not match its codec or its expression is rejected before sending', async () => {
    const invalid = { ...values, tenant: 1.5, code: 'XYZ' }
    const error = await errorIn(createClient().nested.read({ path: invalid }))
    assert.is(error._tag, 'EncodeError')
    assert.equal(
      error._tag === 'EncodeError' && error.errors.map((detail) => [detail.in, detail.name]),
      [['path', 'tenant']],
    )
    const unmatched = await errorIn(
      createClient().nested.read({ path: { ...values, code: 'XYZ' } }),
    )
    assert.equal(
      unmatched._tag === 'EncodeError' &&
        unmatched.errors.map((detail) => [detail.in, detail.name]),
      [['path', 'code']],
    )
  })
})
