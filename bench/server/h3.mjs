/** h3 on Node.js with zod schemas through its validation helpers. */
import {
  H3,
  getValidatedCookies,
  getValidatedQuery,
  getValidatedRouterParams,
  readValidatedBody,
  serve,
} from 'h3'
import { books } from '../frameworks/books.mjs'
import { announce, host, port, routes } from './listen.mjs'
import { Cookies, Order, Params, Query } from './zod.mjs'

const app = new H3()

app.get('/plaintext', () => 'Hello, World!')

app.get('/json', () => ({ message: 'Hello, World!' }))

app.get('/json-async', async () => ({ message: 'Hello, World!' }))

app.get('/books', () => books)

for (let n = 0; n < routes; n++)
  app.get(`/r${n}/items/:id`, async (event) => {
    const { id } = await getValidatedRouterParams(event, Params)
    const { page, tag } = await getValidatedQuery(event, Query)
    const { sid } = await getValidatedCookies(event, Cookies)
    return {
      id,
      page,
      tags: tag,
      trace: event.req.headers.get('x-trace') ?? undefined,
      session: sid,
    }
  })

app.post('/orders', (event) => readValidatedBody(event, Order))

const server = serve(app, { port, hostname: host, silent: true, gracefulShutdown: false })
await server.ready()
announce(new URL(server.url ?? '').port)
