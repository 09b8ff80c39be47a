import * as t from 'io-ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  example,
  fails,
  get,
  int,
  json,
  list,
  path,
  produces,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { mockServer } from '../../../src/openapi.ts'
import { inMemory } from '../../../src/testing.ts'
import type { Routes } from '../../../src/endpoint/routes.ts'
import { describe } from '../../support/describe.ts'

const Missing = t.type({ id: int, reason: string }, 'Missing')

const origin = 'http://localhost'

const sender = <T, R, E>(tree: Routes<T, R, E>) => {
  const send = inMemory(mockServer(tree))
  return (target: string, init?: RequestInit) => send(`${origin}${target}`, init)
}

const jsonOf = async (response: Promise<Response>): Promise<unknown> => (await response).json()

const memberOf = (value: unknown, name: string): unknown =>
  t.UnknownRecord.is(value) ? value[name] : undefined

describe('responses of mock servers: examples and the Prefer header', (test) => {
  const emma = { id: 1, title: 'Emma' }
  const Short = t.type({ id: int, title: string }, 'Short')
  const tree = routes({
    find: pipe(
      path('/books/{id}', { id: int }),
      get(),
      produces(json(Short)),
      fails(404, json(Missing)),
      example('emma', emma),
      example('persuasion', { id: 2, title: 'Persuasion' }),
      example('gone', { id: 3, reason: 'sold' }, { status: 404 }),
    ),
    list: pipe(path('/books'), get(), produces(json(list(Short))), fails(410, text)),
  })
  const send = sender(tree)
  const prefer = async (target: string, value: string) => {
    const response = await send(target, { headers: { Prefer: value } })
    return {
      status: response.status,
      applied: response.headers.get('Preference-Applied'),
      vary: response.headers.get('Vary'),
      body: await response.text(),
    }
  }
  test('examples are preferred and chosen by the request', async () => {
    const titles = new Set<unknown>()
    for (let id = 1; id <= 20; id++)
      titles.add(memberOf(await jsonOf(send(`/books/${id}`)), 'title'))
    assert.equal(titles, new Set(['Emma', 'Persuasion']))
  })
  test('a named example is sent', async () => {
    const { status: code, applied, vary, body: content } = await prefer('/books/9', 'example=emma')
    assert.equal([code, applied], [200, 'example=emma'])
    assert.match(vary ?? '', /Prefer/)
    assert.equal(JSON.parse(content), emma)
  })
  test('an unknown example is ignored', async () => {
    const { status: code, applied } = await prefer('/books/9', 'example=other')
    assert.equal([code, applied], [200, null])
  })
  test('dynamic=true generates a value', async () => {
    const { body: content } = await prefer('/books/9', 'dynamic=true')
    assert.is(JSON.parse(content).id, 9)
  })
  test('a declared status is sent with its example or a generated body', async () => {
    assert.equal(await prefer('/books/9', 'code=404, example=gone'), {
      status: 404,
      applied: 'code=404, example=gone',
      vary: 'Prefer',
      body: '{"id":3,"reason":"sold"}',
    })
    const { status: code, body: content } = await prefer('/books', 'code=410')
    assert.is(code, 410)
    assert.match(content, /^The/)
  })
  test('an undeclared error status results in a problem document', async () => {
    const { status: code, applied, body: content } = await prefer('/books/9', 'code=503')
    assert.equal([code, applied], [503, 'code=503'])
    assert.is(JSON.parse(content).status, 503)
  })
  test('an undeclared success status is ignored', async () => {
    const { status: code, applied } = await prefer('/books/9', 'code=202')
    assert.equal([code, applied], [200, null])
  })
})
