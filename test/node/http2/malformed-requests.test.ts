/** Malformed requests reset their stream, and affect no other stream of the connection (RFC 9113, 8.1.1). */
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { withSession } from './client.ts'
import { errorCode, flag, frame, frameType, headerBlock } from './frames.ts'
import type { Fields } from './stream-errors.ts'
import {
  api,
  assertStreamError,
  connectAcknowledged,
  end,
  isEnd,
  put1,
  section,
  written,
} from './stream-errors.ts'

describe('malformed HTTP/2 requests reset the stream', (test) => {
  const fields: Readonly<Record<string, Fields>> = {
    'a space after a value': [['if-match', '"a" ']],
    'a space before a value': [['if-match', ' "a"']],
    'a tab after a value': [['if-match', '"a"\t']],
    'a tab before a value': [['if-match', '\t"a"']],
    'a value that is a space': [['if-match', ' ']],
    'NUL in a value': [['if-match', '"\0a"']],
    'CR in a value': [['if-match', '"\ra"']],
    'LF in a value': [['if-match', '"\na"']],
    'CRLF and a header in a value': [['if-match', '"a"\r\nx-a: b']],
    'DEL in a value': [['if-match', '"\x7F"']],
    'an empty name': [['', 'a']],
    'a space in a name': [['if match', '"a"']],
    'a space after a name': [['if-match ', '"a"']],
    'a tab in a name': [['if\tmatch', '"a"']],
    'NUL in a name': [['if-match\0', '"a"']],
    'CR in a name': [['if-match\r', '"a"']],
    'LF in a name': [['if-match\n', '"a"']],
    'a colon in a name': [['if-match:', '"a"']],
    'a character outside ASCII in a name': [['if-mätch', '"a"']],
    'an upper-case name': [['If-Match', '"a"']],
    'an invalid value of a cookie': [['cookie', 'a=b ']],
    'an invalid value among valid ones': [
      ['x-a', 'a'],
      ['if-match', '"a" '],
      ['x-b', 'b'],
    ],
    Connection: [['connection', 'close']],
    'Proxy-Connection': [['proxy-connection', 'close']],
    'Keep-Alive': [['keep-alive', 'timeout=5']],
    'Transfer-Encoding': [['transfer-encoding', 'chunked']],
    Upgrade: [['upgrade', 'h2c']],
    'TE other than trailers': [['te', 'gzip']],
    'an unknown pseudo-header': [[':a', 'b']],
    'a pseudo-header of responses': [[':status', '200']],
    'a repeated pseudo-header': [[':path', '/item']],
    ':protocol without extended CONNECT': [[':protocol', 'websocket']],
    'an invalid Content-Length': [['content-length', 'a']],
    'a negative Content-Length': [['content-length', '-1']],
    'a list as Content-Length': [['content-length', '1, 1']],
    'two Content-Lengths': [
      ['content-length', '1'],
      ['content-length', '1'],
    ],
    'a Content-Length that is too large': [['content-length', '2']],
    'a Content-Length that is too small': [['content-length', '0']],
  }
  table(test, Object.entries(fields), (_, added) =>
    assertStreamError([section([...put1, ...added]), end], errorCode.protocolError),
  )

  const replaced: Readonly<Record<string, Fields>> = {
    'a pseudo-header after a header': [...put1.slice(0, 3), ['x-a', 'a'], [':path', '/item']],
    'a pseudo-header after an invalid header': [
      ...put1.slice(0, 3),
      ['x a', 'a'],
      [':path', '/item'],
    ],
    'no :method': put1.filter(([name]) => name !== ':method'),
    'no :scheme': put1.filter(([name]) => name !== ':scheme'),
    'no :path': put1.filter(([name]) => name !== ':path'),
    'an empty :path': put1.map(([name, value]) => [name, name === ':path' ? '' : value]),
    'a space in :method': put1.map(([name, value]) => [name, name === ':method' ? 'PUT ' : value]),
    'a space after :path': put1.map(([name, value]) => [
      name,
      `${value}${name === ':path' ? ' ' : ''}`,
    ]),
    'LF in :authority': put1.map(([name, value]) => [
      name,
      `${value}${name === ':authority' ? '\n' : ''}`,
    ]),
  }
  table(test, Object.entries(replaced), (_, all) =>
    assertStreamError([section(all), end], errorCode.protocolError),
  )

  const bodies: Readonly<Record<string, ReadonlyArray<Buffer>>> = {
    'more DATA than Content-Length': [
      section([...put1, ['content-length', '1']]),
      frame(frameType.data, flag.endStream, 3, Buffer.from('abc')),
    ],
    'more DATA than Content-Length in several frames': [
      section([...put1, ['content-length', '1']]),
      ...Array.from({ length: 3 }, () => frame(frameType.data, 0, 3, Buffer.from('a'))),
      end,
    ],
    'less DATA than Content-Length': [section([...put1, ['content-length', '2']]), end],
    'Content-Length without a body': [
      frame(frameType.headers, 5, 3, headerBlock([...put1, ['content-length', '1']])),
    ],
    'a pseudo-header in trailers': [
      section(put1),
      frame(frameType.headers, 5, 3, headerBlock([[':path', '/item']])),
    ],
    'trailers that do not end the stream': [
      section(put1),
      frame(frameType.headers, flag.endHeaders, 3, headerBlock([['x-a', 'a']])),
    ],
  }
  table(test, Object.entries(bodies), (_, frames) =>
    assertStreamError(frames, errorCode.protocolError),
  )

  test('also with the header section in padded fragments with a priority', () => {
    const block = headerBlock([...put1, ['if-match', '"a" ']])
    const fragments = [block.subarray(0, 20), block.subarray(20, 21), block.subarray(21)] as const
    const first = Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 1]), fragments[0], Buffer.alloc(3)])
    return assertStreamError(
      [
        frame(frameType.headers, 0x28, 3, first),
        frame(frameType.continuation, 0, 3, fragments[1]),
        frame(frameType.continuation, flag.endHeaders, 3, fragments[2]),
        end,
      ],
      errorCode.protocolError,
    )
  })

  test('a valid request in padded fragments with a priority is served', () =>
    withSession(api, async (_, { url }) => {
      written.length = 0
      const connection = await connectAcknowledged(url)
      const block = headerBlock([...put1, ['x-a', '\x80 a'], ['te', 'trailers']])
      const first = [Buffer.from([3, 0, 0, 0, 0, 1]), block.subarray(0, 20), Buffer.alloc(3)]
      connection.write(
        frame(frameType.headers, 0x28, 3, Buffer.concat(first)),
        frame(frameType.continuation, flag.endHeaders, 3, block.subarray(20)),
        end,
      )
      await connection.find(isEnd(3))
      assert.equal(written, ['a'])
      connection.socket.destroy()
    }))
})
