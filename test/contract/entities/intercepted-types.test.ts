/** Writer interceptors that change the media type or add headers. */
import { routes, writerInterceptor } from '../../../src/index.ts'
import * as assert from 'uvu/assert'
import { sendRequest } from '../../support/send-request.ts'
import { interceptedEcho } from './intercepted-operation.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const json = 'application/json'
const plain = 'text/plain;charset=UTF-8'

const retyped = routes({
  stopped: interceptedEcho(
    'stopped',
    writerInterceptor((_, proceed) => proceed({ mediaType: json })),
    writerInterceptor(({ mediaType }) => `stopped at ${mediaType}`),
  ),
  twice: interceptedEcho(
    'twice',
    writerInterceptor((_, proceed) => {
      void proceed({ mediaType: json })
      return proceed({ mediaType: json })
    }),
  ),
  back: interceptedEcho(
    'back',
    writerInterceptor((_, proceed) => {
      void proceed({ mediaType: json })
      return proceed()
    }),
  ),
  caught: interceptedEcho(
    'caught',
    writerInterceptor((_, proceed) => {
      try {
        return proceed({ mediaType: 'nonsense' })
      } catch {
        return proceed()
      }
    }),
  ),
})

valueContract('media type of the last call of proceed', retyped, (test, call) => {
  table<readonly [target: string, type: string, content: string]>(
    test,
    [
      ['/stopped', json, `stopped at ${json}`],
      ['/twice', json, '"Emma"'],
      ['/back', plain, 'Emma'],
      ['/caught', plain, 'Emma'],
    ],
    async (target, type, content) => {
      const response = await sendRequest(call, `POST ${target}`, {
        headers: { 'Content-Type': 'text/plain' },
        body: 'Emma',
      })
      assert.equal(
        [response.status, response.headers.get('Content-Type'), await response.text()],
        [200, type, content],
      )
    },
  )
})

const addsHeaders = interceptedEcho(
  'headers',
  writerInterceptor(({ addHeader }, proceed) => {
    addHeader('Content-Length', '1')
    addHeader('transfer-encoding', 'chunked')
    addHeader('X-Added', 'yes')
    return proceed()
  }),
)

valueContract('headers added by a writer interceptor', addsHeaders, (test, call) => {
  test('framing headers are ignored, others are sent', async () => {
    const response = await sendRequest(call, 'POST /headers', {
      headers: { 'Content-Type': 'text/plain' },
      body: 'Emma',
    })
    assert.is(await response.text(), 'Emma')
    const { headers } = response
    assert.equal(
      ['Content-Length', 'Transfer-Encoding', 'X-Added'].map((name) => headers.get(name)),
      ['4', null, 'yes'],
    )
  })
})
