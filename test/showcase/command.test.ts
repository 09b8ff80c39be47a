/** The command line of the lending library: calls every operation of the tree. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import * as assert from 'uvu/assert'
import { client } from '../../src/client.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { api, library } from '../../src/showcase/api.ts'
import { callsOf, command } from '../../src/showcase/command.ts'
import { describe } from '../support/describe.ts'
import { served } from './library.ts'

const emma = '9780141439587'
const description = { title: 'Emma', author: 'Austen', published: 1815, copies: 1 }
const ann = ['--user', 'ann:plum']
const ben = ['--user', 'ben:pear']

interface Line {
  readonly operation: string
  readonly input?: object
  readonly options?: ReadonlyArray<string>
  /** The printed status or error message. */
  readonly message: string
  readonly out: RegExp
}

const nothing = /^$/

/** The calls, in order, because they share one library. */
const lines: ReadonlyArray<Line> = [
  { operation: 'home.openHome', message: '200', out: /^\{"library":"a lending library"/ },
  {
    operation: 'books.listBooks',
    input: { query: { author: 'Knuth', tag: ['algorithms'], since: 1960 } },
    message: '200',
    out: /^\[\{"isbn":"9780201896831"/,
  },
  {
    operation: 'books.exportBooks',
    options: ['--count', '2'],
    message: '200',
    out: /^\{"isbn":"9780262510875".*"price":\{"unscaled":"7250n","scale":2\}.*\}\n\{.*\}\n$/,
  },
  {
    operation: 'books.getBook',
    input: { path: { isbn: emma } },
    message: '404',
    out: /"NoSuchBook"/,
  },
  {
    operation: 'books.createBook',
    input: { body: { isbn: emma, ...description, price: { unscaled: '1250n', scale: 2 } } },
    options: [...ben, '--as', 'application/xml'],
    message: '201',
    out: /"unscaled":"1250n"/,
  },
  {
    operation: 'books.replaceBook',
    input: { path: { isbn: emma }, body: { ...description, copies: 2 } },
    options: ben,
    message: '200',
    out: /"copies":2/,
  },
  {
    operation: 'descriptions.getDescription',
    input: { path: { isbn: emma } },
    options: ben,
    message: '200',
    out: /^\{"title":"Emma"/,
  },
  {
    operation: 'descriptions.replaceDescription',
    input: { path: { isbn: emma }, body: { ...description, note: 'worn' } },
    options: [...ben, '--header', 'If-Match: *'],
    message: '200',
    out: /"note":"worn"/,
  },
  {
    operation: 'search.searchBooks',
    input: {
      path: { field: 'title' },
      query: { sort: ['published'] },
      matrix: { decade: 1810 },
      cookie: { member: 'ann' },
      form: { text: 'emma', tag: [] },
    },
    message: '200',
    out: /^\{"member":"ann","books":\[\{.*"isbn":"9780141439587"\}\]\}\n$/,
  },
  {
    operation: 'covers.setCover',
    input: { path: { isbn: emma }, form: { cover: { path: 'COVER', contentType: 'image/png' } } },
    options: ben,
    message: '204',
    out: nothing,
  },
  {
    operation: 'covers.getCover',
    input: { path: { isbn: emma } },
    options: ['--out', 'BACK'],
    message: '200',
    out: nothing,
  },
  {
    operation: 'covers.getDossier',
    input: { path: { isbn: emma } },
    message: '200',
    out: /"cover":\{"contentType":"image\/png","size":7/,
  },
  { operation: 'members.listMembers', options: ann, message: '200', out: /^\[\{"name":"ann"/ },
  {
    operation: 'members.getMember',
    input: { path: { name: 'ben' } },
    options: ben,
    message: '200',
    out: /"email":"ben@library\.example"/,
  },
  {
    operation: 'loans.lendBook',
    input: { body: { isbn: emma } },
    options: ann,
    message: '201',
    out: /^\{"id":1,/,
  },
  { operation: 'loans.listLoans', options: ann, message: '200', out: /^\[\{"id":1,/ },
  {
    operation: 'loans.giveBack',
    input: { path: { id: 1 } },
    options: ann,
    message: '204',
    out: nothing,
  },
  {
    operation: 'activity.followActivity',
    options: ['--count', '1', '--header', 'Last-Event-ID: 0'],
    message: '200',
    out: /^\{"data":\{"what":"added","isbn":"9780141439587"\},"name":"message","id":"[\w-]+"\}\n$/,
  },
  {
    operation: 'reports.reportWaiting',
    input: { query: { readers: 10 } },
    options: ben,
    message: '200',
    out: /^\{"readers":10,"every":7,/,
  },
  { operation: 'demo.sayHello', message: '200', out: /^Hello\n$/ },
  {
    operation: 'demo.sayEverything',
    input: {
      path: { name: 'a/b', age: 7 },
      matrix: { variant: 'blue' },
      query: { q: '?' },
      cookie: { level: 'high; low' },
      header: { 'x-cheese-secret-handshake': 'brie' },
      form: { smell: 'strong & old' },
    },
    message: '200',
    out: /^a\/b\/7\/blue\/\?\/high; low\/brie\/strong & old\n$/,
  },
  {
    operation: 'books.deleteBook',
    input: { path: { isbn: emma } },
    options: ben,
    message: '204',
    out: nothing,
  },
  { operation: 'docs.json', message: '200', out: /"openapi":"3\.1\.\d"/ },
  {
    operation: 'docs.yaml',
    input: { query: { version: '3.2' } },
    message: '200',
    out: /openapi: "3\.2\.\d"/,
  },
  { operation: 'docs.page.document', message: '200', out: /"openapi":"3\.1\.\d"/ },
  { operation: 'docs.page.html', message: '200', out: /<title>Lending library<\/title>/ },
  { operation: 'docs.page.start', message: '200', out: /SwaggerUIBundle/ },
  { operation: 'docs.page.styles', message: '200', out: /dark-mode/ },
  {
    operation: 'docs.page.file',
    input: { path: { file: 'swagger-ui.css' } },
    message: '200',
    out: /\.swagger-ui/,
  },
  { operation: 'health.all', message: '200', out: /"bookStore"/ },
  { operation: 'health.live', message: '200', out: /UP/ },
  { operation: 'health.ready', message: '200', out: /UP/ },
  { operation: 'health.started', message: '200', out: /UP/ },
]

describe('showcase command line', (test, { before, after }) => {
  let server: Server | undefined
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espalier-command-'))
    await writeFile(join(folder, 'cover.png'), 'a cover')
    const tree = library(join(folder, 'covers'))
    server = await serve(tree, { ...served, 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
  })
  after(async () => {
    await server?.close()
    await rm(folder, { recursive: true })
  })
  const withPaths = (text: string): string =>
    text.replace('COVER', join(folder, 'cover.png')).replace('BACK', join(folder, 'back.png'))
  const run = async (...args: ReadonlyArray<string>) => {
    let out = ''
    const messages: string[] = []
    const status = await command(['--url', server?.url ?? '', ...args], {
      out: new Writable({
        write: (chunk: Buffer, _, done) => {
          out += chunk.toString()
          done()
        },
      }),
      error: (line) => messages.push(line),
    })
    return { status, out, message: messages.join('\n') }
  }

  test('the tests call every operation of the tree', () => {
    const all = callsOf(client(api, { baseUrl: 'http://localhost' })).map(([name]) => name)
    assert.equal(lines.map(({ operation }) => operation).toSorted(), all.toSorted())
  })
  for (const { operation, input, options = [], message, out } of lines)
    test(operation, async () => {
      const result = await run(
        ...options.map(withPaths),
        operation,
        ...(input === undefined ? [] : [withPaths(JSON.stringify(input))]),
      )
      assert.is(result.message, message)
      assert.match(result.out, out, result.out)
      assert.is(result.status, message.startsWith('2') ? 0 : 1)
    })
  test('--out writes the response body to a file', async () =>
    assert.is(await readFile(join(folder, 'back.png'), 'utf8'), 'a cover'))
  test('--help lists the operations', async () => {
    const { status, out } = await run('--help')
    assert.is(status, 0)
    for (const { operation } of lines) assert.ok(out.includes(`\n  ${operation}\n`), operation)
  })
  for (const [args, expected] of [
    [['books.burn'], 'unknown operation books.burn: --help lists the operations'],
    [['books.getBook', '{'], /JSON/],
    [['books.getBook', '1'], 'the input must be an object'],
    [['books.getBook', '{}', 'more'], 'unexpected arguments: more'],
    [['books.getBook'], /^books\.getBook: invalid input: path isbn is required/],
    [['--header', 'nothing', 'demo.sayHello'], /invalid header/],
    [['--colour', 'demo.sayHello'], /--colour/],
    [['--url', 'http://127.0.0.1:1', 'demo.sayHello'], /^demo\.sayHello: network error/],
    [['loans.listLoans'], /^loans\.listLoans: undeclared status 401 Unauthorized/],
  ] as const)
    test(`prints an error for: ${args.join(' ')}`, async () => {
      const { status, message, out } = await run(...args)
      assert.is(status, 2)
      assert.is(out, '')
      if (typeof expected === 'string') assert.is(message, expected)
      else assert.match(message, expected)
    })
})
