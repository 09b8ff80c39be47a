/** The lending library as its clients see it: in which form, with which links, and what is not for them. */
import * as assert from 'uvu/assert'
import { library } from '../../src/showcase/api.ts'
import { answerTo, ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'
import { asLibrarian, asReader, json, served } from '../support/library.ts'
import { linksIn } from '../support/links.ts'

const sicp = '9780262510875'
const taocp = '9780201896831'
const title = 'Structure and Interpretation of Computer Programs'

/** What is sent, without where the server is. */
const textOf = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll(/http:\/\/[\w.:]+(?=\/)/g, '…')

const sicpInJson = `"isbn":"${sicp}","title":"${title}","author":"Abelson","published":1985,"copies":2,"tags":["lisp"],"price":72.50`

const linksOf = (isbn: string) => ({
  list: { href: '…/books' },
  self: { href: `…/books/${isbn}` },
  add: { href: '…/books', title: 'Put a book on the shelf' },
  update: { href: `…/books/${isbn}` },
  delete: { href: `…/books/${isbn}` },
  cover: { href: `…/books/${isbn}/cover` },
  alternate: {
    href: `…/books/${isbn}/dossier`,
    type: 'multipart/form-data',
    title: 'All that there is',
  },
  edit: { href: `…/books/${isbn}/description`, title: 'What is said of it' },
})

contract(
  'the library has one book in many forms',
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
        const response = await ask(call, `GET /books/${sicp}`, { headers: { accept } })
        assert.is((response.headers.get('content-type') ?? '').split(';')[0], accept)
        assert.is(await textOf(response), text)
      },
    )
    test('and takes one in two', async () => {
      const sent =
        '<book isbn="9780141439587"><title>Emma</title><author>Austen</author><published>1815</published>' +
        '<copies>1</copies><price>0.10000000000000000001</price></book>'
      const response = await ask(call, 'POST /books', {
        headers: { 'content-type': 'application/xml', ...asLibrarian },
        body: sent,
      })
      assert.is(response.status, 201)
      assert.is(
        await response.text(),
        '{"isbn":"9780141439587","title":"Emma","author":"Austen","published":1815,"copies":1,"price":0.10000000000000000001}',
      )
    })
    test('and lists them as one document', async () => {
      const response = await ask(call, 'GET /books?author=Knuth', {
        headers: { accept: 'application/xml' },
      })
      assert.match(await response.text(), `<books><book isbn="${taocp}"><title>The Art of`)
    })
  },
  served,
)

contract(
  'the library tells where to go on',
  library,
  (test, call) => {
    test('from a book', async () => {
      const links = linksIn(await ask(call, `GET /books/${sicp}`))
      assert.is(links.length, Object.keys(linksOf(sicp)).length)
      assert.is(links[2], '<…/books>; rel="add"; title="Put a book on the shelf"')
      assert.is(links[5], `<…/books/${sicp}/cover>; rel="cover"`)
    })
    test('from all books', async () =>
      assert.equal(linksIn(await ask(call, 'GET /books')), [
        '<…/books>; rel="list"',
        '<…/books>; rel="add"; title="Put a book on the shelf"',
      ]))
    const ofPage = async (line: string) => {
      const response = await ask(call, line, { headers: { accept: 'application/hal+json' } })
      const { _links: links, _embedded: embedded } = JSON.parse(await textOf(response)) as {
        readonly _links: Record<string, { readonly href: string }>
        readonly _embedded: { readonly books: ReadonlyArray<{ readonly isbn: string }> }
      }
      return [embedded.books.map(({ isbn }) => isbn), links['prev']?.href, links['next']?.href]
    }
    test('from page to page', async () => {
      assert.equal(await ofPage('GET /books?tag=lisp'), [[sicp], undefined, undefined])
      assert.equal(await ofPage('GET /books?page=2&size=1'), [
        [taocp],
        '…/books?page=1&size=1',
        '…/books?page=3&size=1',
      ])
    })
    test('from the door', async () =>
      assert.is(
        await textOf(await ask(call, 'GET /')),
        '{"library":"a lending library","_links":{"books":{"href":"…/books"},"loans":{"href":"…/loans"},"members":{"href":"…/members"}}}',
      ))
    test('from a loan', async () => {
      const lent = await ask(call, 'POST /loans', json(asReader, { isbn: taocp }))
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

contract(
  'the library keeps to itself',
  library,
  (test, call) => {
    const note = 'the second copy is to be bound'
    const types = ['application/json', 'application/xml', 'application/hal+json']
    for (const line of [
      `GET /books/${sicp}`,
      'GET /books',
      'GET /books/export',
      `GET /books/${sicp}/dossier`,
    ])
      test(`${line}: what the public has no use for, from librarians too`, async () => {
        for (const accept of line.endsWith(sicp) || line === 'GET /books' ? types : ['*/*'])
          for (const who of [{}, asReader, asLibrarian]) {
            const response = await ask(call, line, { headers: { accept, ...who } })
            const text = await response.text()
            assert.match(text, title)
            assert.not.match(text, note)
          }
      })
    test('but not from who edits it', async () => {
      const line = `GET /books/${sicp}/description`
      assert.is((await ask(call, line)).status, 401)
      assert.is((await ask(call, line, { headers: asReader })).status, 403)
      assert.match(await (await ask(call, line, { headers: asLibrarian })).text(), note)
    })
    test('where members live', async () => {
      assert.is((await ask(call, 'GET /members')).status, 401)
      for (const line of ['GET /members', 'GET /members/ann'])
        for (const accept of line === 'GET /members' ? [types[0], types[2]] : types)
          for (const who of [asReader, asLibrarian]) {
            const response = await ask(call, line, { headers: { accept: accept ?? '', ...who } })
            const text = await response.text()
            assert.match(text, 'ann')
            assert.is(text.includes('ann@readers.example'), who === asLibrarian, text)
          }
      assert.is((await ask(call, 'GET /members/eve', { headers: asReader })).status, 404)
    })
    test('in so many words', async () => {
      assert.equal(await answerTo(call, 'GET /members', { headers: asReader }), [
        200,
        [{ name: 'ann' }, { name: 'ben' }],
      ])
      const answer = await ask(call, 'GET /members/ben', {
        headers: { accept: 'application/xml', ...asLibrarian },
      })
      assert.match(
        await answer.text(),
        '<member><name>ben</name><email>ben@library.example</email></member>',
      )
    })
  },
  served,
)

contract(
  'the library writes reports',
  library,
  (test, call) => {
    test('as people read them', async () =>
      assert.match(
        await (
          await ask(call, 'GET /reports/waiting?readers=1&every=1', { headers: asLibrarian })
        ).text(),
        /^\{\n {2}"readers": 1,\n {2}"every": 1,\n {2}"meanWaiting": 0\n\}\n$/,
      ))
  },
  served,
)
