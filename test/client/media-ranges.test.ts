/** Responses whose media type is included in multiple declared media ranges. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { client } from '../../src/client.ts'
import { as, bytes, get, int, json, path, produces, routes, text } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const any = as('*/*')(bytes)
const anyText = as('text/*')(text)
const number = as('text/x-number')(json(int))

const api = routes({
  generalFirst: pipe(path('/'), get(), produces(any, anyText, number)),
  specificFirst: pipe(path('/'), get(), produces(number, anyText, any)),
})

const calls = (type: string) =>
  client(api, {
    baseUrl: 'http://localhost',
    fetch: async () => new Response('12', { headers: { 'Content-Type': type } }),
  })

describe('responses with multiple declared media ranges', (test) =>
  table<readonly [type: string, expected: unknown]>(
    test,
    [
      ['text/x-number', 12],
      ['text/csv', '12'],
      ['image/png', new TextEncoder().encode('12')],
    ],
    async (type, expected) => {
      const { generalFirst, specificFirst } = calls(type)
      for (const call of [generalFirst, specificFirst]) {
        const result = await call()()
        assert.equal(E.isRight(result) && result.right.body, expected)
      }
    },
  ))
