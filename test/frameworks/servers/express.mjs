/** Express 5 that passes all requests to a listener. */
import { createServer } from 'node:http'
import express from 'express'
import { listen } from './listen.mjs'

/** @type {import('../../support/mounted.ts').StartServer} */
export const start = (listener) => {
  const app = express()
  // contracts compare all headers
  app.disable('x-powered-by')
  app.use((request, response) => listener(request, response))
  return listen(createServer(app))
}
