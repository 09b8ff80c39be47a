/** Results of calls: declared successes, declared failures and errors. */
import * as assert from 'uvu/assert'
import { headerOf } from '../../src/client.ts'
import { called, errorIn, left, right } from '../support/clients.ts'
import { api, emma } from '../support/answers.ts'

called('answers', api, (test, calling) => {
  test('a declared success is a Right with status and headers', async () => {
    const answer = await right(calling().find({ path: { isbn: '0-13' } }))
    assert.is(answer.status, 200)
    assert.equal(answer.body, emma)
    assert.ok(answer.url.endsWith('/api/books/0-13'))
    assert.is(headerOf('Content-Type')(answer), 'application/json')
    assert.ok(Object.isFrozen(answer))
  })
  test('a decoded response is not a reply', async () => {
    const answer = await right(calling().find({ path: { isbn: '0-13' } }))
    assert.equal(Reflect.ownKeys(answer), ['status', 'headers', 'body', 'url'])
  })
  test('a declared failure is a Left with its body', async () => {
    const failure = await left(calling().find({ path: { isbn: 'none' } }))
    assert.ok('status' in failure && failure.status === 404 && !('_tag' in failure))
    assert.equal('body' in failure && failure.body, { missing: 'none' })
  })
  test('a declared failure without a body is a Left', async () => {
    const failure = await left(calling().find({ path: { isbn: 'gone' } }))
    assert.is('status' in failure && failure.status, 410)
    assert.is('body' in failure && failure.body, undefined)
  })
  test('a status above 399 declared with responds is a Right', async () => {
    const answer = await right(calling().maybe({ query: { found: 0 } }))
    assert.is(answer.status, 404)
    assert.is(answer.body, 'no')
  })
  test('an undeclared status names the operation and the problem detail', async () => {
    const error = await errorIn(calling().find({ path: { isbn: 'defect' } }))
    assert.is(error._tag, 'UndeclaredStatus')
    assert.is(error.message, 'find: undeclared status 500 Internal Server Error')
    assert.is(error.operation, 'find')
    if (error._tag !== 'UndeclaredStatus') return
    assert.is(error.status, 500)
    assert.is(error.problem?.title, 'Internal Server Error')
    assert.ok(error.content.startsWith('{"type":"about:blank"'))
  })
  test('a problem document with a declared status is not a declared failure', async () => {
    const sent = calling().numbered({ path: { n: 1 }, query: { max: 1 } })
    assert.is((await right(sent)).body, '1')
    const error = await errorIn(
      calling({ baseUrl: `${(await right(sent)).url.split('/api')[0]}/no` }).numbered({
        path: { n: 1 },
      }),
    )
    assert.is(error._tag, 'DecodeError')
    assert.is('problem' in error && error.problem?.status, 404)
  })
  test('204 results in an undefined body', async () => {
    const answer = await right(calling().remove({ path: { isbn: '1' } }))
    assert.equal([answer.status, answer.body], [204, undefined])
  })
  test('an optional body that is missing is undefined', async () => {
    const answer = await right(calling().absent())
    assert.equal([answer.status, answer.body], [204, undefined])
    assert.is((await right(calling().nullable())).body, null)
  })
  test('a response to HEAD has no body', async () => {
    const answer = await right(calling().ask())
    assert.is(answer.body, undefined)
    assert.is(headerOf('x-seen')(answer), 'yes')
  })
  test('a redirect is returned like other responses', async () => {
    const answer = await right(calling().away())
    assert.is(answer.status, 303)
    assert.is(headerOf('location')(answer), '/elsewhere')
  })
  test('a custom method is sent', async () =>
    assert.is((await right(calling().purge())).status, 204))
  test('nested route trees become nested objects', async () => {
    const answer = await right(calling().deep.deeper.status())
    assert.equal([answer.status, answer.body], [202, undefined])
  })
  test('Accept lists all declared media types with decreasing weights', async () =>
    assert.is(
      (await right(calling().pick())).body,
      'text/html, text/plain;q=0.9, application/json;q=0.8, application/problem+json',
    ))
  test('failures declared by filters and error mappers are declared failures', async () => {
    const { look } = calling().guarded
    const of = async (who: string): Promise<unknown> => {
      const failure = await left(look({ path: { who } }))
      return 'body' in failure ? [failure.status, failure.body] : failure
    }
    assert.equal(await of('nobody'), [401, 'who are you?'])
    assert.equal(await of('somebody'), [403, { missing: 'a role' }])
    assert.equal(await of('anybody'), [403, 'own'])
    assert.equal(await of('broken'), [410, { missing: 'all' }])
    const other = await errorIn(look({ path: { who: 'stranger' } }))
    assert.ok(other._tag === 'UndeclaredStatus' && other.status === 421)
    assert.is(other.content, 'undeclared')
  })
})
