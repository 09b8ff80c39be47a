/** Koa 3 that passes the underlying objects of all requests to a listener. */
import { createServer } from 'node:http'
import Koa from 'koa'
import { listen } from './listen.mjs'

/** @type {import('../../support/mounted.ts').StartServer} */
export const start = (listener) => {
  const app = new Koa()
  app.use((context) => {
    context.respond = false
    listener(context.req, context.res)
  })
  return listen(createServer(app.callback()))
}
