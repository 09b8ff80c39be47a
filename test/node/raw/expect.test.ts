import type { Row } from '../../support/raw.ts'
import { chunked, head, mostContent, open, raw, sending, shut, to } from '../../support/raw.ts'

const continues = 'Expect: 100-continue'
const length = 'Content-Length: 3'

/** RFC 9110, 10.1.1. A client that waits sends its content only after 100; what is answered before needs none of it. */
const rows: ReadonlyArray<Row> = [
  ['an operation that reads', `${to('POST /text', continues, length)}abc`, open(100, [200, 'abc'])],
  ['content in chunks', chunked('POST /text', ['abc'], continues), open(100, [200, 'abc'])],
  ['in another case', `${to('POST /text', 'Expect: 100-Continue', length)}abc`, open(100, 200)],
  ['parameters that are right', `${to('POST /numbered/1', continues, length)}abc`, open(100, 200)],
  ['no such path', to('POST /nothing', continues, length), shut(404)],
  ['no such method', to('DELETE /text', continues, length), shut(405)],
  ['media type', to('POST /json', continues, length, 'Content-Type: text/plain'), shut(415)],
  ['content coding', to('POST /text', continues, length, 'Content-Encoding: gzip'), shut(415)],
  ['not acceptable', to('POST /text', continues, length, 'Accept: image/png'), shut(406)],
  ['a parameter', to('POST /numbered/hunter2', continues, length), shut(404)],
  ['a handler that refuses', to('POST /guarded', continues, length), shut(401)],
  [
    'a content too large',
    to('POST /text', continues, `Content-Length: ${mostContent + 1}`),
    shut(413),
  ],
  ['a head that is wrong', head('POST /text HTTP/1.1', continues, length), shut(400)],
  [
    'a coding that is not chunked',
    to('POST /text', continues, 'Transfer-Encoding: gzip'),
    shut(400),
  ],
  ['content that comes all the same', sending('POST /nothing', 'abc', continues), shut(404)],
  ['no content', to('GET /alive', continues), shut([200, 'alive'])],
  ['no content to a handler that reads', to('POST /text', continues), open(100, [200, ''])],
  ['a content of no octets', sending('POST /text', '', continues), open(100, [200, ''])],
  ['HTTP/1.0', `${head('POST /text HTTP/1.0', continues, length)}abc`, shut([200, 'abc'])], // must be ignored
  ['another expectation', `${to('POST /text', 'Expect: hunter2', length)}abc`, shut(417)], // RFC 9110, 15.5.18
  ['another, without content', to('GET /alive', 'Expect: a=b'), shut(417)],
  [
    'broken chunks after 100',
    `${to('POST /text', continues, 'Transfer-Encoding: chunked')}z\r\n`,
    shut(100, 400),
  ],
]

raw('Expect', 'RFC 9110, 10.1.1', rows)
