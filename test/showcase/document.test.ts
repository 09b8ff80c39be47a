/** The responses of the example application match its document. */
import * as assert from 'uvu/assert'
import { library } from '../../src/showcase/api.ts'
import { inMemory } from '../../src/testing.ts'
import { checkResponse, describeTree } from '../openapi/document.ts'
import { describe } from '../support/describe.ts'

const at = 'http://localhost'
const librarian = { authorization: `Basic ${btoa('ben:pear')}` }
const reader = { authorization: `Basic ${btoa('ann:plum')}` }
const malformed = { authorization: 'Basic x' }
const json = { 'Content-Type': 'application/json' }
const book = JSON.stringify({
  isbn: '1234567890123',
  title: 'T',
  author: 'A',
  published: 2000,
  copies: 1,
})

const cover = (): FormData => {
  const form = new FormData()
  form.set('cover', new Blob(['x'], { type: 'image/png' }), 'a.png')
  return form
}

// requests change the state of the application, so they are sent in this order
// prettier-ignore
const requests: ReadonlyArray<readonly [operation: string, path: string, init?: RequestInit]> = [
['home.openHome','/'],
  ['books.listBooks','/books'],
  ['books.listBooks','/books?page=0'],
  ['books.listBooks','/books',{headers:{accept:'application/hal+json'}}],
  ['books.listBooks','/books',{headers:{accept:'image/png'}}],
  ['books.listBooks','/books',{headers:{accept:'text/csv'}}],
  ['books.listBooks','/books',{headers:malformed}],
['books.createBook','/books',{method:'POST',body:book,headers:{...json,...librarian}}],
  ['books.createBook','/books',{method:'POST',body:book,headers:{...json,...librarian}}],
  ['books.createBook','/books',{method:'POST',body:'{',headers:{...json,...librarian}}],
  ['books.createBook','/books',{method:'POST',body:'{}',headers:{...json,...reader}}],
  ['books.createBook','/books',{method:'POST',body:'{}',headers:{...json}}],
  ['books.createBook','/books',{method:'POST',body:'{}',headers:{'Content-Type':'text/plain',...librarian}}],
['books.getBook','/books/1234567890123'],
  ['books.getBook','/books/1234567890123',{headers:{accept:'application/hal+json'}}],
  ['books.getBook','/books/9999567890123'],
['books.replaceBook','/books/1234567890124',{method:'PUT',body:book,headers:{...json,...librarian}}],
  ['books.replaceBook','/books/1234567890124',{method:'PUT',body:book,headers:{...json,...librarian}}],
['books.exportBooks','/books/export'],
  ['covers.setCover','/books/1234567890123/cover',{method:'PUT',body:cover(),headers:librarian}],
  ['covers.setCover','/books/1234567890123/cover',{method:'PUT',body:'x',headers:{...json,...librarian}}],
['covers.getCover','/books/1234567890123/cover'],
  ['covers.getCover','/books/1234567890123/cover',{headers:{range:'bytes=0-0'}}],
  ['covers.getCover','/books/1234567890123/cover',{headers:{range:'bytes=100-'}}],
  ['covers.getCover','/books/1234567890123/cover',{headers:{'if-match':'"x"'}}],
  ['covers.getCover','/books/1234567890123/cover',{headers:{'if-none-match':'*'}}],
['covers.getDossier','/books/1234567890123/dossier'],
  ['descriptions.getDescription','/books/1234567890123/description',{headers:librarian}],
  ['descriptions.getDescription','/books/1234567890123/description',{headers:{...librarian,'if-none-match':'*'}}],
  ['descriptions.getDescription','/books/1234567890123/description',{headers:{...librarian,'if-match':'"x"'}}],
  ['descriptions.replaceDescription','/books/1234567890123/description',{method:'PUT',body:book,headers:{...json,...librarian}}],
['loans.listLoans','/loans',{headers:reader}],
  ['loans.lendBook','/loans',{method:'POST',body:JSON.stringify({isbn:'1234567890123'}),headers:{...json,...reader}}],
  ['loans.giveBack','/loans/x',{method:'DELETE',headers:reader}],
  ['loans.giveBack','/loans/99',{method:'DELETE',headers:reader}],
  ['loans.listLoans','/loans'],
['members.listMembers','/members',{headers:reader}],
  ['members.getMember','/members/ben',{headers:librarian}],
  ['members.getMember','/members/zoe',{headers:librarian}],
  ['health.all','/health'],
  ['demo.sayHello','/demo/hello'],
['search.searchBooks','/books/search/title',{method:'POST',body:new URLSearchParams('text=a')}],
  ['search.searchBooks','/books/search/title',{method:'POST',body:new URLSearchParams('')}],
  ['search.searchBooks','/books/search/nope',{method:'POST',body:new URLSearchParams('')}],
['demo.sayEverything','/demo/hello/a/1?q=1',{method:'POST',body:new URLSearchParams('x=1')}],
]

describe('the document of the example application', (test) => {
  test('describes the responses to requests for its operations', async () => {
    const tree = library()
    const document = describeTree(tree)
    const send = inMemory(tree)
    const statuses = new Set<number>()
    for (const [operation, path, init] of requests) {
      const response = await send(`${at}${path}`, init)
      statuses.add(response.status)
      await checkResponse(document, operation, response)
    }
    assert.equal(
      [...statuses].toSorted((a, b) => a - b),
      [200, 201, 204, 206, 304, 400, 401, 403, 404, 406, 409, 412, 415, 416, 428],
    )
  })
})
