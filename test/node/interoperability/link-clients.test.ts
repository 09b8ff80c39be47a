/** Links over a socket: `Link` headers, links behind proxies, and third-party HAL clients. */
import { Client } from 'ketting'
import { createRequire } from 'node:module'
import { request } from 'node:http'
import * as assert from 'uvu/assert'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { linkedBooks } from '../../support/linked-books.ts'

const startServer = (options: ServeOptions = {}): Promise<Server> =>
  serve(linkedBooks, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    ...options,
  })

/** Resolves to the `Link` headers of a response, unchanged. */
const linkHeaders = (
  url: string,
  headers: Record<string, string> = {},
): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false }, (received) => {
      const { rawHeaders } = received
      received.resume()
      resolve(rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1] === 'Link'))
    })
    sent.on('error', reject)
    sent.end()
  })

describe('Link headers over a socket', (test, { before, after }) => {
  let server: Server | undefined
  const url = (): string => server?.url ?? ''
  before(async () => {
    server = await startServer({ 'fw.http.proxy.trusted': '127.0.0.1', 'fw.rest.path': '/api' })
  })
  after(() => server?.close())
  test('each link is a separate header with an absolute URI', async () =>
    assert.equal(await linkHeaders(`${url()}/api/books`), [
      `<${url()}/api/books>; rel="list"`,
      `<${url()}/api/books>; rel="add"`,
    ]))
  test('links use the origin of a trusted proxy', async () =>
    assert.equal(
      await linkHeaders(`${url()}/api/books`, {
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'books.example',
        'X-Forwarded-Prefix': '/shop',
      }),
      [
        '<https://books.example/shop/api/books>; rel="list"',
        '<https://books.example/shop/api/books>; rel="add"',
      ],
    ))
})

interface Halfred {
  readonly parse: (document: unknown) => HalfredResource
  readonly enableValidation: () => void
}

interface HalfredResource {
  readonly link: (relation: string) => { readonly href: string } | null
  readonly linkArray: (relation: string) => ReadonlyArray<{ readonly href: string }>
  readonly embeddedArray: (name: string) => ReadonlyArray<HalfredResource>
  readonly validationIssues: () => ReadonlyArray<{ readonly message: string }>
  readonly reverseResolveCurie: (url: string) => string
}

describe('third-party HAL clients', (test, { before, after }) => {
  let server: Server | undefined
  const url = (): string => server?.url ?? ''
  before(async () => {
    server = await startServer()
  })
  after(() => server?.close())

  test('ketting follows links from a collection to an element', async () => {
    const books = new Client(`${url()}/books`).go<{ readonly items?: unknown }>()
    const [, second] = await books.followAll('items')
    assert.is(second?.uri, `${url()}/books/2`)
    const book = await new Client(`${url()}/books/1`).go<{ readonly slug: string }>().get()
    assert.equal(book.data, { id: 1, slug: 'emma', title: 'Emma' })
    assert.is(book.follow('list').uri, `${url()}/books`)
    // `Link` headers, which ketting also reads, cannot contain templates
    const alternates = book.links.getMany('alternate')
    assert.equal(
      alternates.flatMap(({ href, templated }) => (templated === true ? [href] : [])),
      [`${url()}/books/either/{slugOrId}`],
    )
    assert.is(book.follow('delete').uri, `${url()}/books/1`)
    const slug = await book.followAll('alternate')[0]?.get()
    assert.equal(slug?.data, book.data)
  })
  test('ketting sends back the representation that it received', async () => {
    const client = new Client(`${url()}/books/1`)
    const types: Array<string | null> = []
    client.use((sent, next) => {
      types.push(sent.headers.get('Content-Type'))
      // ketting sends back all received headers; browsers do not expose these ones
      for (const name of ['Content-Length', 'Connection', 'Keep-Alive']) sent.headers.delete(name)
      return next(sent)
    })
    const book = client.go()
    await book.put(await book.get())
    assert.equal(types, [null, 'application/hal+json'])
  })
  test('halfred reports missing self links of embedded collections only', async () => {
    const halfred = createRequire(import.meta.url)('halfred') as Halfred
    halfred.enableValidation()
    for (const path of ['/books', '/books/1', '/wrapped', '/pages', '/named']) {
      const response = await fetch(url() + path, { headers: { Accept: 'application/hal+json' } })
      const resource = halfred.parse(await response.json())
      const isCollection = !['/books/1', '/wrapped'].includes(path)
      assert.equal(
        resource.validationIssues().map(({ message }) => message),
        isCollection ? ['Resource does not have a self link'] : [],
        path,
      )
      if (path === '/pages')
        assert.equal(
          resource.embeddedArray('books').map((book) => book.link('self')?.href),
          [`${url()}/books/1`, `${url()}/books/2`],
        )
      if (path === '/wrapped') {
        assert.is(resource.linkArray('self').length, 2)
        assert.is(resource.reverseResolveCurie('https://docs.example/cover'), 'acme:cover')
      }
    }
  })
})
