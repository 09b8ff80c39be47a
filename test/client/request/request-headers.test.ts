/** of header fields that are said in several places the nearest counts, also where nothing has to be compared. */
import * as assert from 'uvu/assert'
import { nearest } from '../../../src/client/nearest-fields.ts'
import { requestFields } from '../../../src/client/request/request-headers.ts'
import type { RequestBody } from '../../../src/client/request/written.ts'
import { describe } from '../../support/describe.ts'

type Fields = ReadonlyArray<string>

const plain = { url: 'http://a', authorization: undefined }
const secret = { url: 'http://a', authorization: 'Basic YTpi' }
const none: Fields = []
const body = (headers: Fields): RequestBody => ({ contentType: 'text/plain', content: '', headers })

describe('the header fields of a request', (test) => {
  const names = [none, ['x-trace'], ['accept'], ['x-always', 'x-trace']]
  const bodies = [undefined, body([]), body(['Content-Encoding', 'gzip'])]
  for (const always of [none, ['X-Always', '1'], ['Accept', 'a/b'], ['User-Agent', 'me']])
    for (const declared of names)
      for (const usual of [plain, secret])
        test(`${always.join()} always, ${declared.join()} of an input, ${usual.authorization ?? 'nobody'}`, () => {
          const fields = requestFields('text/plain', usual, always, declared)
          for (const sent of bodies)
            for (const base of [usual, plain, secret])
              for (const own of [none, ['X-TRACE', 'own'], ['Authorization', 'own']]) {
                const given = declared.flatMap((name) => [name, `given ${name}`])
                const first = [
                  'accept',
                  'text/plain',
                  ...(sent === undefined ? [] : ['content-type', 'text/plain', ...sent.headers]),
                  'user-agent',
                  'espalier/0.1.0',
                  ...(base.authorization === undefined
                    ? []
                    : ['authorization', base.authorization]),
                ]
                assert.equal(
                  fields({ sent, base, given, own }),
                  nearest([first, always, given, own]),
                )
              }
        })
})
