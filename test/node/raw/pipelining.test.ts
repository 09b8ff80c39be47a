import type { Row } from '../../support/raw.ts'
import { chunked, head, open, raw, sending, shut, to } from '../../support/raw.ts'

const alive = to('GET /alive')
const slow = to('GET /slow')
const garbage = '\0hunter2\r\n\r\n'
const last = 'Connection: close'
const broken = `${to('POST /text', 'Transfer-Encoding: chunked')}3\r\nabcd`

/** RFC 9112, 9.3.2: answers come in the order of the requests. */
const good: ReadonlyArray<Row> = [
  ['two', alive + alive, open([200, 'alive'], [200, 'alive'])],
  ['fifty', alive.repeat(50), open(...Array.from({ length: 50 }, () => 200))],
  ['a slow one first', slow + alive, open([200, 'slow'], [200, 'alive'])],
  ['two slow ones', slow + slow + alive, open([200, 'slow'], [200, 'slow'], [200, 'alive'])],
  [
    'with contents',
    sending('POST /text', 'a') + chunked('POST /text', ['b', 'c']) + alive,
    open([200, 'a'], [200, 'bc'], [200, 'alive']),
  ],
  ['an empty line between', `${alive}\r\n${alive}`, open(200, 200)], // 2.2
  [
    'errors between',
    to('GET /nothing') + alive + to('PUT /alive') + alive,
    open(404, 200, 405, 200),
  ],
  ['a content that nobody reads', sending('POST /guarded', alive) + alive, open(401, 200)], // 9.3: it is not a request
  [
    'a content that is refused',
    sending('POST /json', alive, 'Content-Type: a/b') + alive,
    open(415, 200),
  ],
  ['defects', to('GET /broken') + slow + to('GET /broken'), open(500, 200, 500)],
]

/** A request that was whole is answered, whatever follows it. */
const bad: ReadonlyArray<Row> = [
  ['a good one, then garbage', alive + garbage, shut([200, 'alive'], 400)], // 2.2
  ['a slow one, then garbage', slow + garbage, shut([200, 'slow'], 400)],
  [
    'three, then garbage',
    slow + alive + sending('POST /text', 'a') + garbage,
    shut(200, 200, [200, 'a'], 400),
  ],
  ['a slow one, then much garbage', slow + '\0'.repeat(2_000_000), shut([200, 'slow'], 400)],
  ['garbage, then a good one', garbage + alive, shut(400)], // nothing behind an error can be believed
  ['a good one, then broken chunks', alive + broken, shut([200, 'alive'], 400)],
  ['a slow one, then broken chunks', slow + broken, shut([200, 'slow'], 400)],
  ['broken chunks, then a good one', broken + alive, shut(400)], // 9.3
  ['a slow one, then a wrong head', slow + head('GET /alive HTTP/1.1') + alive, shut(200, 400)],
  [
    'a slow one, then too large a head',
    slow + to('GET /alive', `X: ${'x'.repeat(50_000)}`),
    shut(200, 431),
  ],
  [
    'a slow one, then another version',
    slow + head('GET /alive HTTP/2.0', 'Host: a'),
    shut(200, 505),
  ],
  [
    'a slow one, then another coding',
    slow + to('POST /text', 'Transfer-Encoding: gzip'),
    shut(200, 400),
  ],
]

/** RFC 9112, 9.6: what follows the last request is not answered. */
const closed: ReadonlyArray<Row> = [
  ['close', to('GET /alive', last), shut([200, 'alive'])],
  ['close, then a request', to('GET /alive', last) + alive, shut([200, 'alive'])],
  ['close, then garbage', to('GET /alive', last) + garbage, shut([200, 'alive'])],
  ['close and slow, then a request', to('GET /slow', last) + alive, shut([200, 'slow'])],
  ['close and slow, then garbage', to('GET /slow', last) + garbage, shut([200, 'slow'])],
  ['close among others', to('GET /alive', 'Connection: x, Close') + alive, shut([200, 'alive'])], // RFC 9110, 7.6.1
  ['close on an error', to('GET /nothing', last) + alive, shut(404)],
  [
    'close on the second',
    slow + to('GET /alive', last) + alive,
    shut([200, 'slow'], [200, 'alive']),
  ],
  ['HTTP/1.0, then a request', head('GET /alive HTTP/1.0') + alive, shut([200, 'alive'])], // 9.3
  [
    'an answer before its content, then a request',
    to('POST /guarded', 'Content-Length: 999999') + alive,
    shut(401),
  ],
]

raw('pipelining', 'RFC 9112, 9.3.2', good)
raw('pipelining and errors', 'RFC 9112, 9.3.2 and 9.6', bad)
raw('requests behind the last', 'RFC 9112, 9.6', closed)
