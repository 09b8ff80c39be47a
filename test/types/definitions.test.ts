/** Where "go to definition" and "rename symbol" lead in editors, through the language server. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { describe, table } from '../support/describe.ts'
import type { LanguageServer, SourcePosition } from '../support/language-server.ts'
import { startLanguageServer } from '../support/language-server.ts'

const contract = `
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { body, get, header, int, json, optional, path, post, produces, query, routes, string } from 'espalier'

export const Book = t.type({ title: t.string })
export const contract = routes({
  books: routes({
    search: pipe(
      path('/shelves/{shelf}/books', { shelf: int }),
      get('/{language}'),
      query({ limit: optional(int), author: string }),
      produces(json(t.array(Book))),
    ),
    add: pipe(path('/books'), post(), header({ key: string }), body(json(Book)), produces(json(Book))),
  }),
})
`

const application = `
import { implementAll } from 'espalier'
import { promiseClient } from 'espalier/client'
import { contract } from './contract.js'

export const api = implementAll(contract, {
  books: {
    search: ({ path, query }) => [{ title: query.author + path.shelf + path.language + query.limit }],
    add: ({ body }) => ({ title: body.title }),
  },
})
const library = promiseClient(contract, { baseUrl: 'http://localhost' })
const found = await library.books.search({
  path: { shelf: 1, language: 'en' },
  query: { author: 'Austen', limit: 4 },
})
await library.books.add({ header: { key: '' }, body: { title: found.body[0]?.title ?? '' } })
`

const root = new URL('../../../', import.meta.url)
const folder = new URL('dist/test/types/definitions/', root)
const file = new URL('application.ts', folder)
const settings = {
  extends: '../../../../tsconfig.json',
  compilerOptions: { rootDir: '../../../..', noEmit: true, incremental: false },
  files: ['application.ts'],
  include: [],
}

/** Returns the text that follows a position, up to a comma or a bracket. */
const textAt = (position: SourcePosition | undefined): string => {
  if (position === undefined) return ''
  const lines = readFileSync(position.file, 'utf8').split('\n')
  const [text = ''] =
    /^[^,()[\]{}=]*/.exec(lines[position.line]?.slice(position.character) ?? '') ?? []
  return text
}

/** Returns the offset of the cursor, which is at `|`. */
const offsetOf = (origin: string): number =>
  application.indexOf(origin.replace('|', '')) + origin.indexOf('|')

/** The beginning of the text after the cursor, which is at `|`, and of the text of the definition. */
type Row = readonly [title: string, origin: string, definition: string]

const declarations: ReadonlyArray<Row> = [
  ['a path variable in a handler', 'path.|shelf', 'shelf: int'],
  ['a path variable in a call', '{ |shelf: 1', 'shelf: int'],
  ['a query parameter in a handler', 'query.|author', 'author: string'],
  ['a query parameter in a call', '{ |author: ', 'author: string'],
  ['an optional parameter in a handler', 'query.|limit', 'limit: optional'],
  ['an optional parameter in a call', '|limit: 4', 'limit: optional'],
  ['a header in a call', '{ |key: ', 'key: string'],
  ['a member of a body in a handler', 'body.|title', 'title: t.string'],
  ['a member of a body in a call', 'body: { |title', 'title: t.string'],
  ['a member of a response body', '?.|title', 'title: t.string'],
  ['an operation of a client', 'books.|search', 'search: pipe'],
  ['an operation in the handlers', '|search: (', 'search: pipe'],
  ['a tree of a client', 'library.|books', 'books: routes'],
]

const functions: ReadonlyArray<Row> = [
  ['a function', '|implementAll(', 'implementAll'],
  ['a function of another entry point', '|promiseClient(', 'promiseClient'],
]

describe('definitions in editors', (test, { before, after }) => {
  let server: LanguageServer | undefined
  let errors: ReadonlyArray<string> = []
  before(async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, application)
    writeFileSync(new URL('contract.ts', folder), contract)
    writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(settings))
    server = await startLanguageServer(folder)
    errors = await server.open(file, application)
    await define('path.|shelf') // the first request checks the types, which takes seconds on a busy machine
  })
  after(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const define = async (origin: string): Promise<SourcePosition | undefined> =>
    (await server?.define(file, application, offsetOf(origin)))?.[0]

  test('the module has no errors', () => assert.equal(errors, []))

  table<Row>(test, declarations, async (_, origin, definition) => {
    const found = await define(origin)
    assert.is(found?.file.href, new URL('contract.ts', folder).href)
    assert.is(textAt(found).slice(0, definition.length), definition)
  })
  table<Row>(test, functions, async (_, origin, definition) => {
    const found = await define(origin)
    assert.match(found?.file.href ?? '', new URL('src/', root).href)
    assert.is(textAt(found).slice(0, definition.length), definition)
  })

  const occurrences = async (origin: string): Promise<ReadonlyArray<string>> =>
    ((await server?.rename(file, application, offsetOf(origin))) ?? []).map((position) =>
      textAt(position).trim(),
    )
  test('a query parameter that is renamed in a call is renamed in the endpoint and in the handler', async () =>
    assert.equal((await occurrences('{ |author: ')).toSorted(), [
      'author + path.shelf + path.language + query.limit',
      "author: 'Austen'",
      'author: string',
    ]))
  test('a path variable that is renamed in a call keeps its name in the template', async () =>
    assert.equal((await occurrences('{ |shelf: 1')).toSorted(), [
      'shelf + path.language + query.limit',
      'shelf: 1',
      'shelf: int',
    ]))
  test('a path variable without a codec has no declaration', async () =>
    assert.is(await define('path.|language'), undefined))
})
