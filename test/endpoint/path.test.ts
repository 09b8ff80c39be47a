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
  test('has a template and no method', () => {
    assert.is(books.definition.template, '/books')
    assert.is(books.definition.method, undefined)
    assert.is(books.definition.handler, undefined)
  })
  test('variables are in template order, with their codec or a string codec', () => {
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
  test('variables may be named constructor or __proto__', () => {
    const { parameters } = path('/{constructor}/{__proto__}').definition
    assert.equal(
      [...parameters.path],
      [
        ['constructor', string],
        ['__proto__', string],
      ],
    )
  })
  test('an invalid template is kept without variables', () => {
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

  test('append their template with one slash', () => {
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

describe('path: conflicts', (test) => {
  // of type string, so that the type checker does not see the variables
  const wide: string = '/{id}'
  const conflict = 'the path parameter "id" is declared twice'
  table<readonly [string, Endpoint<unknown>, ReadonlyArray<string>]>(
    test,
    [
      ['two variables', path('/{id}/{page}'), []],
      ['a duplicate name in a template', path('/{id}/{id}'), [conflict]],
      [
        'a duplicate name in the template of an operation',
        pipe(books, get('/{id}-{id}')),
        [conflict],
      ],
      ['a variable that the resource already has', pipe(path('/{id}'), get(wide)), [conflict]],
    ],
    (_, { definition }, expected) => assert.equal(definition.conflicts, expected),
  )
})
