/** The size of declaration files that contain trees of other modules. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { currentCompiler } from '../support/compilers.ts'
import { describe } from '../support/describe.ts'

const root = new URL('../../../', import.meta.url)
const folder = new URL('dist/test/types/named-trees/', root)

const endpoints = Array.from(
  { length: 20 },
  (_, n) => `  find${n}: pipe(
    path('/books${n}/{id}', { id: int }),
    get(),
    query({ page: int, author: string }),
    produces(json(t.type({ title: t.string }))),
    handle(({ query: { author } }) => ({ title: author })),
  ),`,
).join('\n')

const books = `
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import { get, handle, int, json, path, produces, query, routes, string } from 'espalier'
  import type { Routes, TreeOf } from 'espalier'
  export const tree = routes({ ${endpoints} })
  export interface BookRoutes extends TreeOf<typeof tree> {}
  export const bookRoutes: Routes<BookRoutes> = tree
`

const using = (name: string): string => `
  import { pipe } from 'fp-ts/lib/function.js'
  import { cors, routes, withFilter } from 'espalier'
  import { promiseClient } from 'espalier/client'
  import { serve } from 'espalier/node'
  import { ${name} as books } from './books.js'
  export const api = pipe(routes({ books }), withFilter(cors({ origins: ['https://shop.example'] })))
  export const start = () => serve(api)
  const { books: calls } = promiseClient(api, { baseUrl: 'http://localhost' })
  export const title = async (): Promise<string> => {
    const { body } = await calls.find7({ path: { id: 1 }, query: { page: 1, author: 'Austen' } })
    return body.title
  }
`

const settings = {
  extends: '../../../../tsconfig.json',
  compilerOptions: { rootDir: '.', outDir: 'out', incremental: false, noUnusedLocals: false },
  include: ['*.ts'],
}

/** The size of a declaration file, in bytes. */
const sizeOf = (module: string): number =>
  readFileSync(new URL(`out/${module}.d.ts`, folder)).length

describe('declaration files of a module that imports a tree', (test, { before, after }) => {
  let output = ''
  before(() => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(new URL('books.ts', folder), books)
    writeFileSync(new URL('named.ts', folder), using('bookRoutes'))
    writeFileSync(new URL('unnamed.ts', folder), using('tree'))
    writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(settings))
    const { path, options } = currentCompiler
    const args = [path, ...options, '--project', fileURLToPath(folder)]
    output = spawnSync(execPath, args, { encoding: 'utf8' }).stdout
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('contain its name if the module of the tree names its type', () => {
    assert.is(output, '')
    assert.ok(sizeOf('named') < 1_000, `${sizeOf('named')} bytes`)
  })
  test('contain all its endpoints otherwise', () => assert.ok(sizeOf('unnamed') > 5_000))
})
