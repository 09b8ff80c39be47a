/**
 * A program that serves a broadcast feed. Its parent process relays published events between several such programs as messages.
 * The first message is the URL of the server.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  body,
  broadcaster,
  get,
  handle,
  json,
  noContent,
  path,
  post,
  produces,
  routes,
  sse,
} from '../../src/index.ts'
import type { RelayMessage } from '../../src/node.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'

const Book = t.type({ title: t.string })

/** The publications whose position is not yet known, by the text. */
const publications = new Map<string, (id: string) => void>()

const feed = broadcaster(Book, {
  replay: 10,
  relay: {
    publish: (text) =>
      new Promise<string>((resolve) => {
        publications.set(text, resolve)
        process.send?.(text)
      }),
    subscribe: (receive, { signal }) => {
      const onMessage = (message: RelayMessage): void => {
        receive(message)
        publications.get(message.text)?.(message.id)
      }
      process.on('message', onMessage)
      signal.addEventListener('abort', () => process.off('message', onMessage))
    },
  },
})

const api = routes({
  listen: pipe(
    path('/feed'),
    get(),
    produces(sse(Book)),
    handle((_, context) => feed.subscribe(context)),
  ),
  publish: pipe(
    path('/feed'),
    post(),
    body(json(Book)),
    handle(async (input) => {
      await feed.publish(input.body)
      return noContent
    }),
  ),
})

// without a parent process, the module is only imported
if (process.send !== undefined) {
  const server = await serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
  })
  process.once('disconnect', () => {
    feed.close()
    void server.close()
  })
  process.send(server.url)
}
