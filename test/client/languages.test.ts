/** Responses whose representations differ in language. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { client, headerOf } from '../../src/client.ts'
import {
  get,
  handle,
  inLanguage,
  json,
  path,
  produces,
  representation,
  routes,
  text,
} from '../../src/index.ts'
import { clientContract, right } from '../support/clients.ts'

// codecs that send only their members of a value
const Book = t.strict({ title: t.string })
const Buch = t.strict({ titel: t.string })
const page = representation({
  mediaType: 'text/html',
  read: (bytes) => ({ title: new TextDecoder().decode(bytes) }),
  write: ({ title }) => `<h1>${title}</h1>`,
})

const api = routes({
  greet: pipe(
    path('/greeting'),
    get(),
    produces(inLanguage('en')(text), inLanguage('de')(text)),
    handle((_, { response }) => (response.language === 'de' ? 'Hallo' : 'Hello')),
  ),
  book: pipe(
    path('/book'),
    get(),
    produces(inLanguage('en')(json(Book)), inLanguage('de')(json(Buch)), page),
    handle(() => ({ title: 'Emma', titel: 'Emma (deutsch)' })),
  ),
})

const fetchBook = async () => Response.json({ title: 'Emma' })
const fetchPage = async () =>
  new Response('page', { headers: { 'Content-Type': 'text/html', 'Content-Language': 'de' } })

clientContract('representations that differ in language', api, (test, createClient) => {
  const inGerman = { headers: { 'Accept-Language': 'de' } }
  test('Accept-Language of a call selects the language', async () => {
    const response = await right(createClient().greet({}, inGerman))
    assert.equal([response.body, headerOf('content-language')(response)], ['Hallo', 'de'])
    assert.is((await right(createClient().greet())).body, 'Hello')
  })
  test('Accept-Language of the client selects the language', async () =>
    assert.is((await right(createClient(inGerman).greet())).body, 'Hallo'))
  test('the codec for the language of the response decodes the body', async () => {
    assert.equal((await right(createClient().book({}, inGerman))).body, {
      titel: 'Emma (deutsch)',
    })
    assert.equal((await right(createClient().book())).body, { title: 'Emma' })
  })
  test('a response without Content-Language is decoded with the representation for its type', async () => {
    const response = await right(createClient({ fetch: fetchBook }).book())
    assert.equal(response.body, { title: 'Emma' })
    const fromPage = await right(createClient({ fetch: fetchPage }).book())
    assert.equal(fromPage.body, { title: 'page' })
  })
  test('a malformed language tag is a configuration error', () => {
    const wrong = pipe(
      path('/'),
      get(),
      produces(inLanguage('de_CH')(text)),
      handle(() => ''),
    )
    assert.throws(
      () => client(routes({ wrong }), { baseUrl: 'http://localhost' }),
      /FW-MEDIA-001[^]*invalid language tag "de_CH"/,
    )
  })
})
