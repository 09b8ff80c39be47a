/** Clients send and receive values of `nullable`, `nullish` and `date`. */
import * as assert from 'uvu/assert'
import { api, type Loan } from '../contract/parameters/null-values.ts'
import { clientContract, left, right } from '../support/clients.ts'

const loan: Loan = {
  due: new Date('2024-01-31'),
  returned: null,
  shelf: null,
  note: undefined,
  tags: ['a', null],
}

clientContract('clients send nullable, nullish and date', api, (test, createClient) => {
  for (const contentType of ['application/json', 'application/cbor'] as const)
    test(`a body of type ${contentType}`, async () => {
      const calls = createClient()
      const { body: received } = await right(
        calls.json({ body: loan }, { as: contentType, headers: { Accept: contentType } }),
      )
      assert.equal(received, loan)
    })
  test('a body in XML', async () => {
    const copy = { copies: null, lent: new Date('2024-01-31') }
    assert.equal((await right(createClient().xml({ body: copy }))).body, copy)
  })
  test('parameters', async () => {
    const calls = createClient()
    const sent = { due: null, shelf: null, note: undefined, tags: [1] }
    const { body: received } = await right(calls.query({ query: sent }))
    assert.equal(JSON.parse(received), { due: null, shelf: null, tags: [1] })
  })
  test('a text body', async () => {
    const calls = createClient()
    assert.is((await right(calls.text({ body: null }))).body, null)
    assert.equal((await right(calls.text({ body: loan.due }))).body, loan.due)
  })
  test('a response without a body is null', async () => {
    const response = await right(createClient().title({ body: '' }))
    assert.equal([response.status, response.body], [204, null])
  })
  test('null that is a default is not sent', async () => {
    const { body: received, url } = await right(
      createClient().orNull({ query: { name: null, ids: null } }),
    )
    assert.equal(JSON.parse(received), { name: null, ids: null })
    assert.is(new URL(url).search, '')
  })
  test('null without a text is an EncodeError', async () => {
    const calls = createClient()
    const detail = 'must not be null, because no text represents null'
    const sent = { due: null, shelf: null, note: null, tags: null }
    const error = await left(calls.query({ query: sent }))
    assert.equal('_tag' in error && error._tag === 'EncodeError' && error.errors, [
      { in: 'query', name: 'note', detail },
      { in: 'query', name: 'tags', detail },
    ])
    const bodyError = await left(calls.title({ body: null }))
    assert.equal('_tag' in bodyError && bodyError._tag === 'EncodeError' && bodyError.errors, [
      { in: 'body', pointer: '#', detail },
    ])
  })
})
