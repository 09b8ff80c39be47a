/** Warnings about different codecs with the same name, whose links are not shared. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { hal } from '../../../src/hal.ts'
import type { Routes } from '../../../src/index.ts'
import {
  body,
  get,
  handle,
  int,
  json,
  list,
  path,
  post,
  prefix,
  produces,
  routes,
  strict,
} from '../../../src/index.ts'
import { injectLinks, rel } from '../../../src/links.ts'
import { inMemory } from '../../../src/testing.ts'
import { linkedBooks } from '../../support/linked-books.ts'
import { describe, table } from '../../support/describe.ts'

const book = (name?: string) => t.type({ id: int }, name)
const emma = { id: 1 }
const books = path('/books')

const listOf = (codec: ReturnType<typeof book>) =>
  pipe(
    books,
    get(),
    produces(json(list(codec))),
    rel(),
    handle(() => [emma]),
  )
const getOf = (codec: ReturnType<typeof book>) =>
  pipe(
    books,
    get('/{id}'),
    produces(json(strict(codec))),
    injectLinks('instance'),
    handle(() => emma),
  )
const halOf = (codec: ReturnType<typeof book>) =>
  pipe(
    books,
    get('/{id}/hal'),
    produces(hal(codec)),
    handle(() => emma),
  )
const silentOf = (codec: ReturnType<typeof book>) =>
  pipe(
    books,
    get('/{id}/silent'),
    produces(json(codec)),
    handle(() => emma),
  )
const addOf = (codec: ReturnType<typeof book>) =>
  pipe(
    books,
    post(),
    body(json(codec)),
    handle(() => undefined),
  )

/** Returns the warnings that are logged when a tree is compiled. */
const warningsOf = (tree: Routes<unknown, {}, unknown>): ReadonlyArray<unknown> => {
  const warnings: unknown[] = []
  inMemory(tree, { logger: { ...silentLogger, warn: (...line) => warnings.push(line) } })
  return warnings
}

const warning = (codec: string, operations: ReadonlyArray<string>): unknown => [
  { category: 'server', codec, operations },
  'Different codecs with the same name do not share links: use one codec, or rename one',
]

const shared = book('Book')

describe('codecs with the same name that do not share links', (test) => {
  table<readonly [name: string, tree: Routes<unknown, {}, unknown>, warnings: unknown[]]>(
    test,
    [
      [
        'a link target and an operation that injects links',
        routes({ list: listOf(book('Book')), get: getOf(book('Book')) }),
        [warning('Book', ['list', 'get'])],
      ],
      [
        'a link target and a HAL response',
        routes({ list: listOf(book('Book')), hal: halOf(book('Book')) }),
        [warning('Book', ['list', 'hal'])],
      ],
      [
        'two link targets',
        routes({ a: listOf(book('Book')), b: pipe(halOf(book('Book')), rel()) }),
        [warning('Book', ['a', 'b'])],
      ],
      [
        'codecs that were given no name',
        routes({ list: listOf(book()), get: getOf(book()) }),
        [warning('{ id: int }', ['list', 'get'])],
      ],
      [
        'two pairs of codecs',
        routes({
          list: listOf(book('Book')),
          get: getOf(book('Book')),
          authors: pipe(
            routes({ all: listOf(book('Author')), one: getOf(book('Author')) }),
            prefix('/authors'),
          ),
        }),
        [warning('Book', ['list', 'get']), warning('Author', ['authors.all', 'authors.one'])],
      ],
    ],
    (_, tree, warnings) => assert.equal(warningsOf(tree), warnings),
  )

  table<readonly [name: string, tree: Routes<unknown, {}, unknown>]>(
    test,
    [
      ['one codec, also in a list and strict', routes({ a: listOf(shared), b: getOf(shared) })],
      ['different names', routes({ a: listOf(book('Book')), b: getOf(book('Copy')) })],
      ['codecs without links', routes({ a: getOf(book('Book')), b: halOf(book('Book')) })],
      [
        'operations that neither have nor send links',
        routes({ a: listOf(book('Book')), b: silentOf(book('Book')), c: addOf(book('Book')) }),
      ],
      ['a tree of books with all kinds of links', linkedBooks],
    ],
    (name, tree) => assert.equal(warningsOf(tree), [], name),
  )
})
