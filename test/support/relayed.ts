/**
 * A program that serves a feed, connected to others of its kind by the process that started it: what it publishes goes up as a
 * message, and every message from there is what one of them published. Its first message is where it serves.
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
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'

const Book = t.type({ title: t.string })

const feed = broadcaster(Book, {
  replay: 10,
  relay: {
    publish: (text) => process.send?.(text),
    subscribe: (receive) => {
      const hear = (message: unknown): void => receive(String(message))
      process.on('message', hear)
      return () => process.off('message', hear)
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

// nothing is done by those who only look at this module
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
