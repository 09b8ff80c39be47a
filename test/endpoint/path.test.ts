import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Endpoint } from '../../src/index.ts'
import {
  del,
  get,
  head,
  int,
  method,
  options,
  patch,
  path,
  post,
  put,
  segments,
  string,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const books = path('/books')

describe('path', (test) => {
  test('holds the template, and no method', () => {
    assert.is(books.definition.template, '/books')
    assert.is(books.definition.method, undefined)
    assert.is(books.definition.handler, undefined)
  })
  test('a variable has its codec, or that of strings, in the order of the template', () => {
    const rest = segments(string)
    const { parameters } = path('/{a}/{b:\\d+}/{c}', { c: rest, b: int }).definition
    assert.equal(
      [...parameters.path],
      [
        ['a', string],
        ['b', int],
        ['c', rest],
      ],
    )
  })
  test('the name of a variable may be that of a member of every object', () => {
    const { parameters } = path('/{constructor}/{__proto__}').definition
    assert.equal(
      [...parameters.path],
      [
        ['constructor', string],
        ['__proto__', string],
      ],
    )
  })
  test('a template that cannot be read is kept as it is, without variables', () => {
    const { template, parameters } = path('/books/{isbn').definition
    assert.is(template, '/books/{isbn')
    assert.is(parameters.path.size, 0)
  })
})

describe('path: operations', (test) => {
  table<readonly [string, Endpoint<unknown>]>(
    test,
    [
      ['GET', pipe(books, get())],
      ['HEAD', pipe(books, head())],
      ['POST', pipe(books, post())],
      ['PUT', pipe(books, put())],
      ['DELETE', pipe(books, del())],
      ['PATCH', pipe(books, patch())],
      ['OPTIONS', pipe(books, options())],
      ['REPORT', pipe(books, method('REPORT')())],
      ['cheese', pipe(books, method('cheese')())], // RFC 9110, 9.1: case-sensitive
    ],
    (expected, { definition }) => {
      assert.is(definition.method, expected)
      assert.is(definition.template, '/books')
    },
  )

  test('go further down the path, with one slash between', () => {
    const { template, parameters } = pipe(
      path('/members/{member}/', { member: int }),
      get('/loans/{loan}', { loan: int }),
    ).definition
    assert.is(template, '/members/{member}/loans/{loan}')
    assert.equal(
      [...parameters.path],
      [
        ['member', int],
        ['loan', int],
      ],
    )
  })
})

describe('path: contradictions', (test) => {
  // of type string, so that the compiler cannot see the variables
  const wide: string = '/{id}'
  const contradiction = 'the path parameter "id" is declared twice'
  table<readonly [string, Endpoint<unknown>, ReadonlyArray<string>]>(
    test,
    [
      ['two variables', path('/{id}/{page}'), []],
      ['one name twice in a template', path('/{id}/{id}'), [contradiction]],
      [
        'one name twice in the template of an operation',
        pipe(books, get('/{id}-{id}')),
        [contradiction],
      ],
      ['a variable of the resource again', pipe(path('/{id}'), get(wide)), [contradiction]],
    ],
    (_, { definition }, expected) => assert.equal(definition.conflicts, expected),
  )
})
