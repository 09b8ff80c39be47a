/** Representations in HAL. */
import * as assert from 'uvu/assert'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { linkedBooks } from '../support/linked-books.ts'

const inHal = { headers: { Accept: 'application/hal+json' } }
const inJson = { headers: { Accept: 'application/json' } }

/** The text of a response, without where the server is. */
const textOf = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll(/"http:\/\/[\w.:]+(?=\/)/g, '"')

const emma = '{"id":1,"slug":"emma","title":"Emma"'
const other = '{"id":2,"slug":"a/b c","title":null'
const linksOfBook = (id: number, slug: string, self = `{"href":"/books/${id}"}`): string =>
  `"list":{"href":"/books"},"self":${self},"add":{"href":"/books"},` +
  `"update":{"href":"/books/${id}","type":"application/json","title":"Replace it"},"delete":{"href":"/books/${id}"},` +
  `"alternate":[{"href":"/books/by/${slug}"},{"href":"/books/either/{slugOrId}","templated":true}]`
const byType = '"list":{"href":"/books"},"add":{"href":"/books"}'
const elements = `${emma},"_links":{${linksOfBook(1, 'emma')}}},${other},"_links":{${linksOfBook(2, 'a%2Fb%20c')}}}`

type HalRow = readonly [name: string, line: string, text: string]

const documents: ReadonlyArray<HalRow> = [
  [
    'an entity has its links behind its members',
    'GET /books/1',
    `${emma},"_links":{${linksOfBook(1, 'emma')}}}`,
  ],
  ['null is written', 'GET /books/2', `${other},"_links":{${linksOfBook(2, 'a%2Fb%20c')}}}`],
  [
    'a collection is called items, and each element has its links',
    'GET /books',
    `{"_embedded":{"items":[${elements}]},"_links":{${byType}}}`,
  ],
  ['a collection of another name', 'GET /named', `{"_embedded":{"shelf":[]},"_links":{${byType}}}`],
  [
    'links that are added, and curies',
    'GET /wrapped',
    `${emma},"_links":{"curies":[{"href":"https://docs.example/{rel}","templated":true,"name":"acme"}],` +
      `${linksOfBook(1, 'emma', '[{"href":"/books/1"},{"href":"/wrapped"}]')},` +
      `"acme:cover":{"href":"/cover/1","type":"image/png","title":"Cover"},"find":{"href":"/books{?q}","templated":true}}}`,
  ],
  [
    'links that are added to a collection and to elements',
    'GET /pages',
    `{"_embedded":{"books":[${elements.replace('}]}},', '}],"first":{"href":"/1"}}},')}]},"_links":{${byType},"next":{"href":"/pages?page=2"}}}`,
  ],
]

type NegotiationRow = readonly [name: string, accept: string | undefined, mediaType: string | null]

const negotiation: ReadonlyArray<NegotiationRow> = [
  ['what is asked for', 'application/hal+json', 'application/hal+json'],
  ['a range', 'application/*', 'application/json'],
  ['weights', 'application/json;q=0.5, application/hal+json', 'application/hal+json'],
  ['weights the other way', 'application/json, application/hal+json;q=0.5', 'application/json'],
  ['a range, and JSON refused', 'application/json;q=0, */*', 'application/hal+json'],
  ['in capitals', 'Application/HAL+JSON', 'application/hal+json'],
  ['nothing', undefined, 'application/json'],
]

contract('HAL', linkedBooks, (test, call) => {
  table<HalRow>(test, documents, async (_, line, text) => {
    const response = await ask(call, line, inHal)
    assert.is(response.headers.get('Content-Type'), 'application/hal+json')
    assert.is(await textOf(response), text)
  })
  table<NegotiationRow>(test, negotiation, async (_, accept, mediaType) => {
    const init = accept === undefined ? {} : { headers: { Accept: accept } }
    const response = await ask(call, 'GET /books/1', init)
    assert.is(response.headers.get('Content-Type'), mediaType)
    assert.is(response.headers.get('Vary'), 'Accept')
    assert.is((await response.text()).includes('_links'), mediaType === 'application/hal+json')
  })
  table<HalRow>(
    test,
    [
      ['an entity as JSON has no links', 'GET /books/1', `${emma}}`],
      ['a collection as JSON has none', 'GET /books', `[${emma}},${other}}]`],
      ['a wrapper as JSON is its value', 'GET /wrapped', `${emma}}`],
      ['a wrapper of a collection as JSON is its values', 'GET /pages', `[${emma}},${other}}]`],
    ],
    async (_, line, text) => {
      const response = await ask(call, line, inJson)
      assert.is(response.headers.get('Content-Type'), 'application/json')
      assert.is(await response.text(), text)
    },
  )
  test('nothing is 204 in HAL too', async () =>
    assert.is((await ask(call, 'GET /absent', inHal)).status, 204))
  test('what was sent comes back as a body', async () => {
    const sent = await (await ask(call, 'GET /books/1', inHal)).text()
    const headers = { 'Content-Type': 'application/hal+json' }
    const response = await ask(call, 'PUT /books/1', { body: Buffer.from(sent), headers })
    assert.is(await response.text(), `${emma}}`)
  })
})
