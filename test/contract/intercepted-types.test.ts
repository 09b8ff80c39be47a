/** Media types that writer interceptors change, and fields that they add. */
import { routes, writerInterceptor } from '../../src/index.ts'
import * as assert from 'uvu/assert'
import { ask } from '../support/ask.ts'
import { changing } from '../support/intercepted-operation.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const json = 'application/json'
const plain = 'text/plain;charset=UTF-8'

const changed = routes({
  stopped: changing(
    'stopped',
    writerInterceptor((_, proceed) => proceed({ mediaType: json })),
    writerInterceptor(({ mediaType }) => `stopped at ${mediaType}`),
  ),
  twice: changing(
    'twice',
    writerInterceptor((_, proceed) => {
      void proceed({ mediaType: json })
      return proceed({ mediaType: json })
    }),
  ),
  back: changing(
    'back',
    writerInterceptor((_, proceed) => {
      void proceed({ mediaType: json })
      return proceed()
    }),
  ),
  caught: changing(
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

contract('the media type is the one that was gone on with last', changed, (test, call) => {
  table<readonly [target: string, type: string, content: string]>(
    test,
    [
      ['/stopped', json, `stopped at ${json}`],
      ['/twice', json, '"Emma"'],
      ['/back', plain, 'Emma'],
      ['/caught', plain, 'Emma'],
    ],
    async (target, type, content) => {
      const response = await ask(call, `POST ${target}`, {
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

const framed = changing(
  'framed',
  writerInterceptor(({ addHeader }, proceed) => {
    addHeader('Content-Length', '1')
    addHeader('transfer-encoding', 'chunked')
    addHeader('X-Added', 'yes')
    return proceed()
  }),
)

contract('fields are added', framed, (test, call) => {
  test('but never how the message is framed', async () => {
    const response = await ask(call, 'POST /framed', {
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
