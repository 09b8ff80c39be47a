import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, path, produces, routes, text } from '../../src/index.ts'
import { client, promiseClient } from '../../src/client.ts'
import { describe } from '../support/describe.ts'

const ping = pipe(path('/ping'), get(), produces(text))

describe('client(…) without its options, or with headers that are not a record', (test) => {
  test('without options, throws FW-CLIENT-003 for the base URL', () =>
    assert.throws(
      // @ts-expect-error the options are required
      () => client(routes({ ping })),
      /FW-CLIENT-003 .*\n.*client option baseUrl/,
    ))

  test('without the tree, throws FW-CLIENT-004', () => {
    for (const create of [client, promiseClient])
      assert.throws(
        // @ts-expect-error the tree is required
        () => create({ baseUrl: 'http://localhost' }),
        /FW-CLIENT-004 .*\n.*the contract/,
      )
  })

  for (const headers of [new Headers({ a: 'b' }), [['a', 'b']], new Map([['a', 'b']]), 'a'])
    test(`with headers in an object of the class ${headers.constructor.name}, throws FW-CLIENT-003`, () =>
      assert.throws(
        // @ts-expect-error the headers are a record
        () => client(routes({ ping }), { baseUrl: 'http://localhost', headers }),
        /client option headers\n.*must be a plain object of header names and values/,
      ))
})
