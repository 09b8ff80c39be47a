/** Results of calls: declared successes, declared failures and errors. */
import * as assert from 'uvu/assert'
import { headerOf } from '../../src/client.ts'
import { clientContract, errorIn, left, right } from '../support/clients.ts'
import { api, emma } from './response-kinds.ts'

clientContract('results of calls', api, (test, createClient) => {
  test('a declared success is a Right with status and headers', async () => {
    const response = await right(createClient().find({ path: { isbn: '0-13' } }))
    assert.is(response.status, 200)
    assert.equal(response.body, emma)
    assert.ok(response.url.endsWith('/api/books/0-13'))
    assert.is(headerOf('Content-Type')(response), 'application/json')
    assert.ok(Object.isFrozen(response))
  })
  test('a decoded response is not a reply', async () => {
    const response = await right(createClient().find({ path: { isbn: '0-13' } }))
    assert.equal(Reflect.ownKeys(response), ['status', 'headers', 'body', 'url'])
  })
  test('a declared failure is a Left with its body', async () => {
    const failure = await left(createClient().find({ path: { isbn: 'none' } }))
    assert.ok('status' in failure && failure.status === 404 && !('_tag' in failure))
    assert.equal('body' in failure && failure.body, { missing: 'none' })
  })
  test('a declared failure without a body is a Left', async () => {
    const failure = await left(createClient().find({ path: { isbn: 'gone' } }))
    assert.is('status' in failure && failure.status, 410)
    assert.is('body' in failure && failure.body, undefined)
  })
  test('a status above 399 declared with responds is a Right', async () => {
    const response = await right(createClient().lookup({ query: { found: 0 } }))
    assert.is(response.status, 404)
    assert.is(response.body, 'no')
  })
  test('the error of an undeclared status contains the operation and the problem document', async () => {
    const error = await errorIn(createClient().find({ path: { isbn: 'defect' } }))
    assert.is(error._tag, 'UndeclaredStatus')
    assert.is(error.message, 'find: undeclared status 500 Internal Server Error')
    assert.is(error.operation, 'find')
    if (error._tag !== 'UndeclaredStatus') return
    assert.is(error.status, 500)
    assert.is(error.problem?.title, 'Internal Server Error')
    assert.ok(error.text.startsWith('{"type":"about:blank"'))
  })
  test('a problem document with a declared status results in a DecodeError', async () => {
    const call = createClient().numbered({ path: { n: 1 }, query: { max: 1 } })
    assert.is((await right(call)).body, '1')
    const error = await errorIn(
      createClient({ baseUrl: `${(await right(call)).url.split('/api')[0]}/no` }).numbered({
        path: { n: 1 },
      }),
    )
    assert.is(error._tag, 'DecodeError')
    assert.is('problem' in error && error.problem?.status, 404)
  })
  test('a 204 response has an undefined body', async () => {
    const response = await right(createClient().remove({ path: { isbn: '1' } }))
    assert.equal([response.status, response.body], [204, undefined])
  })
  test('a missing optional body is undefined, a missing nullable body is null', async () => {
    const response = await right(createClient().absent())
    assert.equal([response.status, response.body], [204, undefined])
    assert.is((await right(createClient().nullable())).body, null)
  })
  test('the value of the only declared response is a Right with its status', async () => {
    const response = await right(createClient().accepted({ path: { found: true } }))
    assert.equal([response.status, response.body], [202, emma])
  })
  test('a missing optional body of the only declared response is a 204 response', async () => {
    const response = await right(createClient().accepted({ path: { found: false } }))
    assert.equal([response.status, response.body], [204, undefined])
  })
  test('a response to HEAD has no body', async () => {
    const response = await right(createClient().probe())
    assert.is(response.body, undefined)
    assert.is(headerOf('x-probe')(response), 'yes')
  })
  test('a redirect is returned like other responses', async () => {
    const response = await right(createClient().redirect())
    assert.is(response.status, 303)
    assert.is(headerOf('location')(response), '/elsewhere')
  })
  test('an operation with a custom method sends that method', async () =>
    assert.is((await right(createClient().purge())).status, 204))
  test('an operation of a nested route tree is a member of a nested object', async () => {
    const response = await right(createClient().deep.deeper.status())
    assert.equal([response.status, response.body], [202, undefined])
  })
  test('Accept lists all declared media types with decreasing weights', async () =>
    assert.is(
      (await right(createClient().pick())).body,
      'text/html, text/plain;q=0.9, application/json;q=0.8, application/problem+json',
    ))
  test('failures that filters and error mappers declare are decoded', async () => {
    const { find } = createClient().guarded
    const failureOf = async (caller: string): Promise<unknown> => {
      const failure = await left(find({ path: { caller } }))
      return 'body' in failure ? [failure.status, failure.body] : failure
    }
    assert.equal(await failureOf('anonymous'), [401, 'no credentials'])
    assert.equal(await failureOf('reader'), [403, { missing: 'a role' }])
    assert.equal(await failureOf('ann'), [403, 'no loans'])
    assert.equal(await failureOf('broken'), [410, { missing: 'all' }])
    const undeclared = await errorIn(find({ path: { caller: 'unknown' } }))
    assert.ok(undeclared._tag === 'UndeclaredStatus' && undeclared.status === 421)
    assert.is(undeclared.text, 'undeclared')
  })
})
