/** HAL responses (`application/hal+json`): links, embedded collections and negotiation with JSON. */
import * as assert from 'uvu/assert'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { linkedBooks } from '../../support/linked-books.ts'

const acceptHal = { headers: { Accept: 'application/hal+json' } }
const acceptJson = { headers: { Accept: 'application/json' } }

/** Reads the body of a response, without the origin of the server. */
const textOf = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll(/"http:\/\/[\w.:]+(?=\/)/g, '"')

const emma = '{"id":1,"slug":"emma","title":"Emma"'
const secondBook = '{"id":2,"slug":"a/b c","title":null'
const linksOfBook = (id: number, slug: string, self = `{"href":"/books/${id}"}`): string =>
  `"list":{"href":"/books"},"self":${self},"add":{"href":"/books"},` +
  `"update":{"href":"/books/${id}","type":"application/json","title":"Replace it"},"delete":{"href":"/books/${id}"},` +
  `"alternate":[{"href":"/books/by/${slug}"},{"href":"/books/either/{slugOrId}","templated":true}]`
const typeLinks = '"list":{"href":"/books"},"add":{"href":"/books"}'
const elements = `${emma},"_links":{${linksOfBook(1, 'emma')}}},${secondBook},"_links":{${linksOfBook(2, 'a%2Fb%20c')}}}`

type HalRow = readonly [name: string, line: string, text: string]

const documents: ReadonlyArray<HalRow> = [
  [
    'an entity with links after its members',
    'GET /books/1',
    `${emma},"_links":{${linksOfBook(1, 'emma')}}}`,
  ],
  [
    'an entity with a null member',
    'GET /books/2',
    `${secondBook},"_links":{${linksOfBook(2, 'a%2Fb%20c')}}}`,
  ],
  [
    'a collection embedded as items, each with links',
    'GET /books',
    `{"_embedded":{"items":[${elements}]},"_links":{${typeLinks}}}`,
  ],
  [
    'a collection with a custom name',
    'GET /named',
    `{"_embedded":{"shelf":[]},"_links":{${typeLinks}}}`,
  ],
  [
    'added links and curies',
    'GET /wrapped',
    `${emma},"_links":{"curies":[{"href":"https://docs.example/{rel}","templated":true,"name":"acme"}],` +
      `${linksOfBook(1, 'emma', '[{"href":"/books/1"},{"href":"/wrapped"}]')},` +
      `"acme:cover":{"href":"/cover/1","type":"image/png","title":"Cover"},"find":{"href":"/books{?q}","templated":true}}}`,
  ],
  [
    'added links of a collection and its elements',
    'GET /pages',
    `{"_embedded":{"books":[${elements.replace('}]}},', '}],"first":{"href":"/1"}}},')}]},"_links":{${typeLinks},"next":{"href":"/pages?page=2"}}}`,
  ],
]

type NegotiationRow = readonly [name: string, accept: string | undefined, mediaType: string | null]

const negotiation: ReadonlyArray<NegotiationRow> = [
  ['Accept of HAL', 'application/hal+json', 'application/hal+json'],
  ['Accept of a media range', 'application/*', 'application/json'],
  [
    'a lower weight for JSON',
    'application/json;q=0.5, application/hal+json',
    'application/hal+json',
  ],
  ['a lower weight for HAL', 'application/json, application/hal+json;q=0.5', 'application/json'],
  ['a media range and weight 0 for JSON', 'application/json;q=0, */*', 'application/hal+json'],
  ['Accept of HAL in upper case', 'Application/HAL+JSON', 'application/hal+json'],
  ['no Accept header', undefined, 'application/json'],
]

valueContract('HAL', linkedBooks, (test, call) => {
  table<HalRow>(test, documents, async (_, line, text) => {
    const response = await sendRequest(call, line, acceptHal)
    assert.is(response.headers.get('Content-Type'), 'application/hal+json')
    assert.is(await textOf(response), text)
  })
  table<NegotiationRow>(test, negotiation, async (_, accept, mediaType) => {
    const init = accept === undefined ? {} : { headers: { Accept: accept } }
    const response = await sendRequest(call, 'GET /books/1', init)
    assert.is(response.headers.get('Content-Type'), mediaType)
    assert.is(response.headers.get('Vary'), 'Accept')
    assert.is((await response.text()).includes('_links'), mediaType === 'application/hal+json')
  })
  table<HalRow>(
    test,
    [
      ['an entity as JSON has no links', 'GET /books/1', `${emma}}`],
      ['a collection as JSON has no links', 'GET /books', `[${emma}},${secondBook}}]`],
      ['a HAL entity as JSON is its value', 'GET /wrapped', `${emma}}`],
      ['a HAL collection as JSON is its values', 'GET /pages', `[${emma}},${secondBook}}]`],
    ],
    async (_, line, text) => {
      const response = await sendRequest(call, line, acceptJson)
      assert.is(response.headers.get('Content-Type'), 'application/json')
      assert.is(await response.text(), text)
    },
  )
  test('an absent entity returns 204', async () =>
    assert.is((await sendRequest(call, 'GET /absent', acceptHal)).status, 204))
  test('a HAL response is accepted as a request body', async () => {
    const sent = await (await sendRequest(call, 'GET /books/1', acceptHal)).text()
    const headers = { 'Content-Type': 'application/hal+json' }
    const response = await sendRequest(call, 'PUT /books/1', { body: Buffer.from(sent), headers })
    assert.is(await response.text(), `${emma}}`)
  })
})
