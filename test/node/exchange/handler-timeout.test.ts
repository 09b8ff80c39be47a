/** Tests of `fw.http.handler-timeout` with request bodies that arrive slowly. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import {
  body,
  byteStream,
  bytes,
  form,
  handle,
  path,
  post,
  produces,
  routes,
  text,
  upload,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { describeConcurrently, table } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { retryWhenDelayed } from '../../support/retry-timing.ts'

/** The handler timeout in milliseconds. */
const timeout = 200

const api = routes({
  buffered: pipe(
    path('/buffered'),
    post(),
    body(bytes),
    produces(text),
    handle(async (input) => {
      // the timeout restarts after the body
      await wait(timeout / 2)
      return `${input.body.length}`
    }),
  ),
  stuck: pipe(
    path('/stuck'),
    post(),
    body(bytes),
    produces(text),
    handle(() => new Promise<string>(() => undefined)),
  ),
  form: pipe(
    path('/form'),
    post(),
    form({ file: upload }),
    produces(text),
    handle((input) => `${input.form.file.size}`),
  ),
  streamed: pipe(
    path('/streamed'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let size = 0
      for await (const chunk of input.body) size += chunk.length
      return `${size}`
    }),
  ),
})

const part =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabcd\r\n--b--\r\n'

describeConcurrently(
  'a request body that arrives more slowly than the handler timeout',
  (test, hooks) => {
    let server: Server | undefined
    hooks.before(async () => {
      server = await serveLocally(api, {
        'fw.http.handler-timeout': timeout,
        'fw.http.body.uploads-directory': newFolder(),
        'fw.shutdown.timeout': 0,
      })
    })
    hooks.after(() => server?.close())

    table<readonly [title: string, target: string, body: string, status: number, expected: string]>(
      test,
      [
        ['does not count towards the timeout', '/buffered', 'abcde', 200, '5'],
        ['restarts the timeout when it is complete', '/stuck', 'abcde', 503, ''],
        ['does not count towards the timeout as a form', '/form', part, 200, '4'],
        ['counts towards the timeout if the handler streams it', '/streamed', 'abcde', 503, ''],
      ],
      (_, target, data, status, expected) =>
        retryWhenDelayed(timeout / 4, async () => {
          const connection = await connectTo(server?.url ?? '')
          const type =
            target === '/form' ? 'multipart/form-data; boundary=b' : 'application/octet-stream'
          connection.write(
            rawRequest(`POST ${target}`, `Content-Length: ${data.length}`, `Content-Type: ${type}`),
          )
          try {
            const chunkSize = Math.ceil(data.length / 5)
            for (let index = 0; index < 5; index++) {
              connection.write(data.slice(index * chunkSize, (index + 1) * chunkSize))
              await wait(timeout / 2)
            }
            const response = await connection.next()
            assertResponse(response, status === 200 ? [200, expected] : status)
          } finally {
            connection.destroy()
          }
        }),
    )
  },
)
