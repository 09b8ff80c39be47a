/** Representations, links and views of the lending library. */
import * as assert from 'uvu/assert'
import { library } from '../../src/showcase/api.ts'
import { responseTo, sendRequest } from '../support/send-request.ts'
import { table } from '../support/describe.ts'
import { contract, valueContract } from '../support/contract.ts'
import { asLibrarian, asReader, json, served } from './library.ts'
import { linksIn } from '../support/linked-books.ts'

const sicp = '9780262510875'
const taocp = '9780201896831'
const title = 'Structure and Interpretation of Computer Programs'

/** Replaces the URL of the server. */
const textOf = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll(/http:\/\/[\w.:]+(?=\/)/g, '…')

const sicpInJson = `"isbn":"${sicp}","title":"${title}","author":"Abelson","published":1985,"copies":2,"tags":["lisp"],"price":72.50`

const linksOf = (isbn: string) => ({
  list: { href: '…/books' },
  self: { href: `…/books/${isbn}` },
  add: { href: '…/books', title: 'Add a book' },
  update: { href: `…/books/${isbn}` },
  delete: { href: `…/books/${isbn}` },
  cover: { href: `…/books/${isbn}/cover` },
  alternate: {
    href: `…/books/${isbn}/dossier`,
    type: 'multipart/form-data',
    title: 'Book with cover',
  },
  edit: { href: `…/books/${isbn}/description`, title: 'Description' },
})

valueContract(
  'showcase representations',
  library,
  (test, call) => {
    table(
      test,
      [
        ['application/json', `{${sicpInJson}}`],
        ['application/vnd.library.book+json', `{${sicpInJson}}`],
        [
          'application/xml',
          `<?xml version="1.0" encoding="UTF-8"?><book isbn="${sicp}"><title>${title}</title><author>Abelson</author>` +
            '<published>1985</published><copies>2</copies><tags><tag>lisp</tag></tags><price>72.50</price></book>',
        ],
        ['application/hal+json', `{${sicpInJson},"_links":${JSON.stringify(linksOf(sicp))}}`],
        ['text/plain', `${title} by Abelson, 1985\n`],
      ] as const,
      async (accept, text) => {
        const response = await sendRequest(call, `GET /books/${sicp}`, { headers: { accept } })
        assert.is((response.headers.get('content-type') ?? '').split(';')[0], accept)
        assert.is(await textOf(response), text)
      },
    )
    test('POST /books accepts JSON and XML', async () => {
      const sent =
        '<book isbn="9780141439587"><title>Emma</title><author>Austen</author><published>1815</published>' +
        '<copies>1</copies><price>0.10000000000000000001</price></book>'
      const response = await sendRequest(call, 'POST /books', {
        headers: { 'content-type': 'application/xml', ...asLibrarian },
        body: sent,
      })
      assert.is(response.status, 201)
      assert.is(
        await response.text(),
        '{"isbn":"9780141439587","title":"Emma","author":"Austen","published":1815,"copies":1,"price":0.10000000000000000001}',
      )
    })
    test('GET /books returns one XML document', async () => {
      const response = await sendRequest(call, 'GET /books?author=Knuth', {
        headers: { accept: 'application/xml' },
      })
      assert.match(await response.text(), `<books><book isbn="${taocp}"><title>The Art of`)
    })
  },
  served,
)

valueContract(
  'showcase links',
  library,
  (test, call) => {
    test('a book has links to its operations', async () => {
      const links = linksIn(await sendRequest(call, `GET /books/${sicp}`))
      assert.is(links.length, Object.keys(linksOf(sicp)).length)
      assert.is(links[2], '<…/books>; rel="add"; title="Add a book"')
      assert.is(links[5], `<…/books/${sicp}/cover>; rel="cover"`)
    })
    test('the list of books has links', async () =>
      assert.equal(linksIn(await sendRequest(call, 'GET /books')), [
        '<…/books>; rel="list"',
        '<…/books>; rel="add"; title="Add a book"',
      ]))
    const ofPage = async (line: string) => {
      const response = await sendRequest(call, line, {
        headers: { accept: 'application/hal+json' },
      })
      const { _links: links, _embedded: embedded } = JSON.parse(await textOf(response)) as {
        readonly _links: Record<string, { readonly href: string }>
        readonly _embedded: { readonly books: ReadonlyArray<{ readonly isbn: string }> }
      }
      return [embedded.books.map(({ isbn }) => isbn), links['prev']?.href, links['next']?.href]
    }
    test('pages have links to the previous and the next page', async () => {
      assert.equal(await ofPage('GET /books?tag=lisp'), [[sicp], undefined, undefined])
      assert.equal(await ofPage('GET /books?page=2&size=1'), [
        [taocp],
        '…/books?page=1&size=1',
        '…/books?page=3&size=1',
      ])
    })
    test('GET / has links to the lists', async () =>
      assert.is(
        await textOf(await sendRequest(call, 'GET /')),
        '{"library":"a lending library","_links":{"books":{"href":"…/books"},"loans":{"href":"…/loans"},"members":{"href":"…/members"}}}',
      ))
    test('a loan has links', async () => {
      const lent = await sendRequest(call, 'POST /loans', json(asReader, { isbn: taocp }))
      const { id } = (await lent.json()) as { readonly id: number }
      assert.equal(linksIn(lent), [
        '<…/loans>; rel="list"',
        '<…/loans>; rel="add"',
        `<…/loans/${id}>; rel="delete"`,
      ])
    })
  },
  served,
)

valueContract(
  'showcase views',
  library,
  (test, call) => {
    const note = 'The cover of the second copy is damaged.'
    const types = ['application/json', 'application/xml', 'application/hal+json']
    for (const line of [
      `GET /books/${sicp}`,
      'GET /books',
      'GET /books/export',
      `GET /books/${sicp}/dossier`,
    ])
      test(`${line} omits members of the internal view, for librarians too`, async () => {
        for (const accept of line.endsWith(sicp) || line === 'GET /books' ? types : ['*/*'])
          for (const credentials of [{}, asReader, asLibrarian]) {
            const response = await sendRequest(call, line, { headers: { accept, ...credentials } })
            const text = await response.text()
            assert.match(text, title)
            assert.not.match(text, note)
          }
      })
    test('GET /books/{isbn}/description has members of the internal view', async () => {
      const line = `GET /books/${sicp}/description`
      assert.is((await sendRequest(call, line)).status, 401)
      assert.is((await sendRequest(call, line, { headers: asReader })).status, 403)
      assert.match(await (await sendRequest(call, line, { headers: asLibrarian })).text(), note)
    })
    test('only librarians see email addresses', async () => {
      assert.is((await sendRequest(call, 'GET /members')).status, 401)
      for (const line of ['GET /members', 'GET /members/ann'])
        for (const accept of line === 'GET /members' ? [types[0], types[2]] : types)
          for (const credentials of [asReader, asLibrarian]) {
            const response = await sendRequest(call, line, {
              headers: { accept: accept ?? '', ...credentials },
            })
            const text = await response.text()
            assert.match(text, 'ann')
            assert.is(text.includes('ann@readers.example'), credentials === asLibrarian, text)
          }
      assert.is((await sendRequest(call, 'GET /members/eve', { headers: asReader })).status, 404)
    })
    test('JSON and XML representations of members have the visible properties only', async () => {
      assert.equal(await responseTo(call, 'GET /members', { headers: asReader }), [
        200,
        [{ name: 'ann' }, { name: 'ben' }],
      ])
      const response = await sendRequest(call, 'GET /members/ben', {
        headers: { accept: 'application/xml', ...asLibrarian },
      })
      assert.match(
        await response.text(),
        '<member><name>ben</name><email>ben@library.example</email></member>',
      )
    })
  },
  served,
)

contract(
  'showcase reports',
  library,
  (test, call) => {
    test('GET /reports/waiting returns indented JSON', async () =>
      assert.match(
        await (
          await sendRequest(call, 'GET /reports/waiting?readers=1&every=1', {
            headers: asLibrarian,
          })
        ).text(),
        /^\{\n {2}"readers": 1,\n {2}"every": 1,\n {2}"meanWaiting": 0\n\}\n$/,
      ))
  },
  served,
)
