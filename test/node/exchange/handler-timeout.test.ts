/** `fw.http.handler-timeout` and request bodies that arrive slowly. */
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
import { describe, table } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, to } from '../../support/raw.ts'
import { undisturbed } from '../../support/retry-timing.ts'

/** Milliseconds that a response may take. */
const most = 200

const api = routes({
  whole: pipe(
    path('/whole'),
    post(),
    body(bytes),
    produces(text),
    handle(async (input) => {
      // the whole of the time is there again
      await wait(most / 2)
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
  pieces: pipe(
    path('/pieces'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let octets = 0
      for await (const piece of input.body) octets += piece.length
      return `${octets}`
    }),
  ),
})

const part =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabcd\r\n--b--\r\n'

describe('a body that arrives more slowly than the handler timeout', (test, hooks) => {
  let server: Server | undefined
  hooks.before(async () => {
    server = await onLoopback(api, {
      'fw.http.handler-timeout': most,
      'fw.http.body.uploads-directory': newFolder(),
      'fw.shutdown.timeout': 0,
    })
  })
  hooks.after(() => server?.close())

  table<readonly [title: string, target: string, content: string, status: number, answer: string]>(
    test,
    [
      ['is waited for', '/whole', 'abcde', 200, '5'],
      ['and then the time runs', '/stuck', 'abcde', 503, ''],
      ['as a form too', '/form', part, 200, '4'],
      ['is the business of a handler that takes it itself', '/pieces', 'abcde', 503, ''],
    ],
    (_, target, content, status, answer) =>
      undisturbed(most / 4, async () => {
        const connection = await connectTo(server?.url ?? '')
        const type =
          target === '/form' ? 'multipart/form-data; boundary=b' : 'application/octet-stream'
        connection.write(
          to(`POST ${target}`, `Content-Length: ${content.length}`, `Content-Type: ${type}`),
        )
        try {
          const at = Math.ceil(content.length / 5)
          for (let part_ = 0; part_ < 5; part_++) {
            connection.write(content.slice(part_ * at, (part_ + 1) * at))
            await wait(most / 2)
          }
          const response = await connection.next()
          check(response, status === 200 ? [200, answer] : status)
        } finally {
          connection.leave()
        }
      }),
  )
})
