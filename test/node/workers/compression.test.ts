/** Tests that workers compress the responses of blocking operations. */
import * as assert from 'uvu/assert'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe } from '../../support/describe.ts'
import { withWorkerServer } from '../../support/workers.ts'

const sent = Buffer.from('espalier '.repeat(20_000))

describe('compression on a worker', (test) => {
  test('compresses bodies of any length', () =>
    withWorkerServer(
      {
        'fw.http.enable-compression': true,
        'fw.http.compress-media-types': 'application/octet-stream',
      },
      async ({ url }) => {
        for (const length of [9, 8192, sent.length]) {
          const request = httpRequest(`${url}/echo`, {
            method: 'POST',
            agent: false,
            headers: { 'Accept-Encoding': 'gzip' },
          })
          request.end(sent.subarray(0, length))
          const [response] = (await once(request, 'response')) as [IncomingMessage]
          assert.is(response.headers['content-encoding'], 'gzip')
          assert.is(response.headers.vary, 'Accept-Encoding')
          const received = await buffer(response)
          assert.is(response.headers['content-length'], String(received.length))
          assert.is(Buffer.compare(gunzipSync(received), sent.subarray(0, length)), 0)
        }
      },
    ))
})
