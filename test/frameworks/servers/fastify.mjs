/** Fastify 5 that passes the underlying objects of all requests to a listener. */
import fastify from 'fastify'
import { listen } from './listen.mjs'

/** @type {import('../../support/mounted.ts').StartServer} */
export const start = async (listener) => {
  /** @type {(request: import('fastify').FastifyRequest, reply: import('fastify').FastifyReply) => void} */
  const pass = (request, reply) => {
    reply.hijack()
    listener(request.raw, reply.raw)
  }
  const app = fastify({
    // Fastify rejects paths with malformed percent escapes before its hooks
    frameworkErrors: (_, request, reply) => pass(request, reply),
  })
  app.addHook('onRequest', async (request, reply) => pass(request, reply))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return listen(app.server)
}
