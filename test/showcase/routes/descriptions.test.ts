/** Conditional updates of descriptions in the lending library. */
import * as assert from 'uvu/assert'
import { library } from '../../../src/showcase/api.ts'
import { sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'
import { asLibrarian, json, served } from '../library.ts'

const line = '/books/9780201896831/description'

contract(
  'showcase conditional updates',
  library,
  (test, call) => {
    const put = (fields: Readonly<Record<string, string>>, title: string) =>
      sendRequest(
        call,
        `PUT ${line}`,
        json({ ...asLibrarian, ...fields }, { title, author: 'Knuth', published: 1968, copies: 1 }),
      )
    test('PUT with an outdated If-Match returns 412', async () => {
      const read = await sendRequest(call, `GET ${line}`, { headers: asLibrarian })
      const tag = read.headers.get('etag') ?? ''
      assert.match(tag, /^"[^"]+"$/)
      assert.not.match(await read.text(), 'isbn')
      const first = await put({ 'if-match': tag }, 'The Art, Volume 1')
      assert.is(first.status, 200)
      const second = await put({ 'if-match': tag }, 'The Art, Vol. 1')
      assert.is(second.status, 412)
      assert.is(second.headers.get('etag'), first.headers.get('etag'))
      assert.match(
        await (await sendRequest(call, `GET ${line}`, { headers: asLibrarian })).text(),
        'The Art, Volume 1',
      )
    })
    test('PUT without If-Match returns 428', async () => {
      assert.is((await put({}, 'Art')).status, 428)
      assert.is((await put({ 'if-match': '*' }, 'The Art, Volume 1')).status, 200)
    })
    test('GET with a matching If-None-Match returns 304', async () => {
      const tag =
        (await sendRequest(call, `GET ${line}`, { headers: asLibrarian })).headers.get('etag') ?? ''
      const again = await sendRequest(call, `GET ${line}`, {
        headers: { 'if-none-match': tag, ...asLibrarian },
      })
      assert.equal([again.status, await again.text()], [304, ''])
    })
  },
  served,
)
