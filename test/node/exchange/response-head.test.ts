/** The head of a response: its bytes for any body, and its connection headers. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  del,
  get,
  handle,
  noContent,
  ok,
  path,
  post,
  body,
  produces,
  responds,
  routes,
  text,
  withHeader,
} from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import type { Answer } from '../../support/raw.ts'
import { check, head, sending, to, utf8 } from '../../support/raw.ts'

/** Octets of field values are those of ISO 8859-1, as they are in requests; RFC 9110, 5.5: obs-text. */
const marked = withHeader('X-Mark', 'é')

const api = routes({
  echo: pipe(
    path('/echo'),
    post(),
    body(text),
    produces(text),
    handle(({ body: content }) => pipe(ok(content), marked)),
  ),
  hello: pipe(
    path('/hello'),
    get(),
    produces(text),
    handle(() => 'hello'),
  ),
  nothing: pipe(
    path('/nothing'),
    del(),
    responds(204),
    handle(() => pipe(noContent, marked)),
  ),
})

const begin = (options: ServeOptions = {}): Promise<Server> =>
  onLoopback(api, {
    ...options,
  })

const answerTo = async (octets: string, answer: Answer, options?: ServeOptions): Promise<void> => {
  const server = await begin(options)
  const connection = await connectTo(server.url)
  try {
    connection.write(octets)
    check(await connection.next(octets.split(' ')[0]), answer)
  } finally {
    connection.leave()
    await server.close()
  }
}

const mark = { 'x-mark': 'é' }

const long = 'x'.repeat(100_000)

type Content = readonly [title: string, content: string]

const contents: ReadonlyArray<Content> = [
  ['no text', ''],
  ['text of ASCII', 'abc'],
  ['text of ISO 8859-1', 'é'],
  ['text beyond it', '…😀'],
  ['long text of ASCII', long],
  ['long text beyond it', `${long}é${long}…`],
]

describe('Headers of a response', (test) => {
  table<Content>(test, contents, (_, content) => {
    const octets = utf8(content)
    const length = { 'content-length': String(octets.length) }
    return answerTo(sending('POST /echo', octets), [200, content, { ...mark, ...length }])
  })

  test('without a body', () => answerTo(to('DELETE /nothing'), [204, '', mark]))
})

type Row = readonly [title: string, octets: string, answer: Answer, keepAliveTimeout?: string]

const kept = { connection: 'keep-alive', 'keep-alive': 'timeout=72' }
const unsaid = { connection: 'keep-alive', 'keep-alive': undefined }
const ends = { connection: 'close', 'keep-alive': undefined }
const keep = 'Connection: keep-alive'

/** RFC 9112, 9.3. */
const connections: ReadonlyArray<Row> = [
  ['HTTP/1.1', to('GET /hello'), [200, 'hello', kept]],
  ['HEAD', to('HEAD /hello'), [200, '', kept]],
  ['a status without content', to('DELETE /nothing'), [204, '', kept]],
  ['an error', to('GET /missing'), [404, /./, kept]],
  ['close', to('GET /hello', 'Connection: close'), [200, 'hello', ends]],
  ['HTTP/1.0', head('GET /hello HTTP/1.0'), [200, 'hello', ends]],
  ['HTTP/1.0, kept', head('GET /hello HTTP/1.0', keep), [200, 'hello', kept]],
  ['HTTP/1.0, kept, no length', head('DELETE /nothing HTTP/1.0', keep), [204, '', ends]],
  ['a request that is refused', head('GET /hello HTTP/1.1'), [400, /./, ends]],
  [
    'a limit of less than a second',
    to('GET /hello'),
    [200, 'hello', { 'keep-alive': 'timeout=0' }],
    '900ms',
  ],
  ['no limit', to('GET /hello'), [200, 'hello', unsaid], '0s'],
]

describe('Connection headers of a response', (test) => {
  table<Row>(test, connections, (_, octets, answer, timeout) =>
    answerTo(octets, answer, { 'fw.http.keep-alive-timeout': timeout }),
  )
})
