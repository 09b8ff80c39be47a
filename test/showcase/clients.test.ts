/** Third-party HAL clients, which follow links from the entry point of the lending library. */
import { createRequire } from 'node:module'
import { Client } from 'ketting'
import * as assert from 'uvu/assert'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { library } from '../../src/showcase/api.ts'
import { describe } from '../support/describe.ts'
import { newFolder } from '../support/folder.ts'
import { asLibrarian, asReader, served } from './library.ts'

const sicp = '9780262510875'

interface Profile {
  readonly name: string
  readonly email?: string
}

interface Halfred {
  readonly parse: (document: unknown) => HalfredResource
}

interface HalfredResource {
  readonly link: (relation: string) => { readonly href: string } | null
  readonly embeddedArray: (name: string) => ReadonlyArray<HalfredResource>
  readonly title?: string
}

describe('showcase, third-party HAL clients', (test, { before, after }) => {
  let server: Server | undefined
  const url = (): string => server?.url ?? ''
  before(async () => {
    server = await serve(library(newFolder()), {
      ...served,
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
    })
  })
  after(() => server?.close())

  const as = (credentials: Readonly<Record<string, string>>): Client => {
    const client = new Client(`${url()}/`)
    client.use((request, next) => {
      for (const [name, value] of Object.entries(credentials)) request.headers.set(name, value)
      return next(request)
    })
    return client
  }

  test('ketting follows links to a book, its dossier and its cover', async () => {
    const books = await as({}).follow('books').followAll('books')
    const book = await books[0]?.get()
    assert.is((book?.data as { readonly isbn?: string } | undefined)?.isbn, sicp)
    assert.is(book?.follow('alternate').uri, `${url()}/books/${sicp}/dossier`)
    // ketting does not send an Accept header for unknown media types
    const anything = { headers: { Accept: '*/*' } }
    assert.is((await book?.follow('alternate').fetch(anything))?.status, 200)
    // no cover has been uploaded
    assert.is((await book?.follow('cover').fetch(anything))?.status, 404)
    assert.is((await book?.follow('list').get())?.uri, `${url()}/books`)
  })
  test('ketting follows pagination links', async () => {
    const first = new Client(`${url()}/books?size=2`).go()
    const second = await first.follow('next')
    assert.is((await second.followAll('books')).length, 1)
    assert.is((await second.follow('prev').followAll('books')).length, 2)
  })
  test('ketting reads the email addresses of members as a librarian', async () => {
    for (const [credentials, email] of [
      [asReader, undefined],
      [asLibrarian, 'ann@readers.example'],
    ] as const) {
      const [ann] = await as(credentials).follow('members').followAll<Profile>('members')
      assert.is(ann?.uri, `${url()}/members/ann`)
      assert.is((await ann?.get())?.data.email, email)
    }
  })
  test('halfred follows links to a book', async () => {
    const halfred = createRequire(import.meta.url)('halfred') as Halfred
    const get = async (href = ''): Promise<HalfredResource> => {
      const response = await fetch(href, { headers: { Accept: 'application/hal+json' } })
      return halfred.parse(await response.json())
    }
    const books = await get((await get(`${url()}/`)).link('books')?.href)
    const [, second] = books.embeddedArray('books')
    assert.is((await get(second?.link('self')?.href)).title, 'The Art of Computer Programming')
  })
})
