import * as assert from 'uvu/assert'
import { createMasker } from '../../src/client/mask-secrets.ts'
import { describe, table } from '../support/describe.ts'

describe('createMasker: URLs', (test) => {
  table(
    test,
    [
      ['http://books.test/?page=2', 'http://books.test/?page=2'],
      ['http://books.test/?access_token=a&page=2', 'http://books.test/?access_token=***&page=2'],
      ['http://books.test/?user=a', 'http://books.test/?user=***'],
      ['http://books.test/?us%65r=a', 'http://books.test/?us%65r=***'],
      ['http://books.test/?%=a&token', 'http://books.test/?%=a&token'],
      ['http://ann:plum@books.test/', 'http://***@books.test/'],
      ['/a@b?c=d@e', '/a@b?c=d@e'],
    ] as const,
    (url, masked) => assert.is(createMasker(['user']).url(url), masked),
  )
})

describe('createMasker: headers', (test) => {
  test('masks credentials, secret names and the given names, in any case', () =>
    assert.equal(
      createMasker(['X-User']).headers([
        'authorization',
        'a',
        'Set-Cookie',
        'b',
        'X-API-Key',
        'c',
        'x-user',
        'd',
        'Accept',
        '*/*',
      ]),
      {
        authorization: '***',
        'Set-Cookie': '***',
        'X-API-Key': '***',
        'x-user': '***',
        Accept: '*/*',
      },
    ))
  test('joins several values of a name, and masks URLs', () =>
    assert.equal(createMasker([]).headers(['A', 'b', 'A', 'c', 'Location', '/?token=d']), {
      A: 'b, c',
      Location: '/?token=***',
    }))
})
