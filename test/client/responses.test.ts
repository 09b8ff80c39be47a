/** Answers as a program sees them: what is on the right, and what is on the left. */
import * as assert from 'uvu/assert'
import { headerOf } from '../../src/client.ts'
import { called, errorIn, left, right } from '../support/clients.ts'
import { api, emma } from '../support/answers.ts'

called('answers', api, (test, calling) => {
  test('a success is on the right, with its head', async () => {
    const answer = await right(calling().find({ path: { isbn: '0-13' } }))
    assert.is(answer.status, 200)
    assert.equal(answer.body, emma)
    assert.ok(answer.url.endsWith('/api/books/0-13'))
    assert.is(headerOf('Content-Type')(answer), 'application/json')
    assert.ok(Object.isFrozen(answer))
  })
  test('an answer bears nothing of a reply', async () => {
    const answer = await right(calling().find({ path: { isbn: '0-13' } }))
    assert.equal(Reflect.ownKeys(answer), ['status', 'headers', 'body', 'url'])
  })
  test('a declared failure is on the left, with its content', async () => {
    const failure = await left(calling().find({ path: { isbn: 'none' } }))
    assert.ok('status' in failure && failure.status === 404 && !('_tag' in failure))
    assert.equal('body' in failure && failure.body, { missing: 'none' })
  })
  test('a declared failure without content', async () => {
    const failure = await left(calling().find({ path: { isbn: 'gone' } }))
    assert.is('status' in failure && failure.status, 410)
    assert.is('body' in failure && failure.body, undefined)
  })
  test('a status of 400 or more that is declared as a response is on the right', async () => {
    const answer = await right(calling().maybe({ query: { found: 0 } }))
    assert.is(answer.status, 404)
    assert.is(answer.body, 'no')
  })
  test('an undeclared status says which operation, and what it was told', async () => {
    const error = await errorIn(calling().find({ path: { isbn: 'defect' } }))
    assert.is(error._tag, 'UndeclaredStatus')
    assert.is(error.message, 'find: undeclared status 500 Internal Server Error')
    assert.is(error.operation, 'find')
    if (error._tag !== 'UndeclaredStatus') return
    assert.is(error.status, 500)
    assert.is(error.problem?.title, 'Internal Server Error')
    assert.ok(error.content.startsWith('{"type":"about:blank"'))
  })
  test('a problem under a declared status is no declared failure', async () => {
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
  test('204 has no content', async () => {
    const answer = await right(calling().remove({ path: { isbn: '1' } }))
    assert.equal([answer.status, answer.body], [204, undefined])
  })
  test('nothing where there might have been something', async () => {
    const answer = await right(calling().absent())
    assert.equal([answer.status, answer.body], [204, undefined])
    assert.is((await right(calling().nullable())).body, null)
  })
  test('an answer to HEAD has a head only', async () => {
    const answer = await right(calling().ask())
    assert.is(answer.body, undefined)
    assert.is(headerOf('x-seen')(answer), 'yes')
  })
  test('a redirection is an answer like others', async () => {
    const answer = await right(calling().away())
    assert.is(answer.status, 303)
    assert.is(headerOf('location')(answer), '/elsewhere')
  })
  test('a method of one’s own', async () => assert.is((await right(calling().purge())).status, 204))
  test('trees within trees', async () => {
    const answer = await right(calling().deep.deeper.status())
    assert.equal([answer.status, answer.body], [202, undefined])
  })
  test('everything that is declared is accepted, the first with the greatest weight', async () =>
    assert.is(
      (await right(calling().pick())).body,
      'text/html, text/plain;q=0.9, application/json;q=0.8, application/problem+json',
    ))
  test('answers that filters and mappers declare are failures, and no others', async () => {
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
