/** A mounted tree among the routes and middleware of Express, Connect, Koa, Fastify and NestJS, as the guide describes it. */
import assert from 'node:assert/strict'
import { createServer, get as httpGet } from 'node:http'
import { test } from 'node:test'
import 'reflect-metadata'
import { Controller, Get, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import compression from 'compression'
import connect from 'connect'
import express from 'express'
import session from 'express-session'
import fastify from 'fastify'
import Koa from 'koa'
import { listen } from './servers/listen.mjs'

const root = new URL('../../', import.meta.url)

/** The modules of the built package and of its peer dependencies. @type {(path: string) => Promise<any>} */
const load = (path) => import(new URL(path, root).href)

const { body, byteStream, get, handle, json, path, post, produces, routes, string, text } =
  await load('dist/espalier/index.js')
const { nodeListener } = await load('dist/espalier/node.js')
const { pipe } = await load('node_modules/fp-ts/lib/function.js')
const t = await load('node_modules/io-ts/lib/index.js')

const api = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(text),
    handle((_, { uri }) => uri.absolute.pathname),
  ),
  name: pipe(
    path('/name'),
    post(),
    body(json(t.type({ name: string }))),
    produces(text),
    handle((input) => input.body.name),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => 'a'.repeat(10_000)),
  ),
})

const silent = () => undefined
const logger = { trace: silent, debug: silent, info: silent, warn: silent, error: silent }

/** @type {(options?: object) => any} */
const mount = (options = {}) =>
  nodeListener(api, { logger, 'fw.http.overload.enabled': false, ...options })

/**
 * Requests to a mounted tree below `/v2` and to the old application.
 *
 * @type {(url: string) => Promise<void>}
 */
const checkRoutes = async (url) => {
  const where = await fetch(`${url}/v2/where?a`)
  assert.equal(await where.text(), '/v2/where')
  assert.equal(where.status, 200)
  const name = await fetch(`${url}/v2/name`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"Ann"}',
  })
  assert.equal(await name.text(), 'Ann')
  const wrongMethod = await fetch(`${url}/v2/where`, { method: 'DELETE' })
  assert.equal(wrongMethod.status, 405)
  assert.equal(await (await fetch(`${url}/v2/old`)).text(), 'old')
}

/** @type {(server: import('node:http').Server, use: (url: string) => Promise<void>) => Promise<void>} */
const withServer = async (server, use) => {
  const { url, close } = await listen(server)
  try {
    await use(url)
  } finally {
    await close()
  }
}

test('Express: a mount path, before a body parser', async () => {
  const listener = mount()
  const app = express()
  app.use('/v2', listener)
  app.use(express.json())
  app.get('/v2/old', (_, response) => void response.send('old'))
  await withServer(createServer(app), checkRoutes)
  await listener.close()
})

test('Express: a mount path in a router in a router', async () => {
  const listener = mount()
  const app = express()
  const router = express.Router()
  router.use('/b', listener)
  app.use('/:version', router)
  await withServer(createServer(app), async (url) =>
    assert.equal(await (await fetch(`${url}/v2/b/where`)).text(), '/v2/b/where'),
  )
})

test('Express: after express.json() an operation with a body gets 500, after express.raw() it works', async () => {
  /** @type {unknown[]} */
  const errors = []
  const error = (/** @type {{ err?: unknown }} */ { err }) => errors.push(err)
  const app = express()
  app.use('/parsed', express.json(), mount({ logger: { ...logger, error } }))
  app.use('/raw', express.raw({ type: '*/*' }), mount())
  await withServer(createServer(app), async (url) => {
    /** @type {(path: string) => Promise<Response>} */
    const send = (path) =>
      fetch(`${url}${path}/name`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"name":"Ann"}',
      })
    assert.equal((await send('/parsed')).status, 500)
    assert.match(String(errors[0]), /mount nodeListener before body parsers/)
    assert.equal(await (await send('/raw')).text(), 'Ann')
  })
})

test('Express: after compression and express-session', async () => {
  const app = express()
  app.use(compression())
  app.use(session({ secret: 'a', resave: false, saveUninitialized: true }))
  const stream = pipe(
    path('/stream'),
    get(),
    produces(byteStream),
    handle(async function* () {
      for (let n = 0; n < 100; n++) yield Buffer.from('a'.repeat(1000))
    }),
  )
  app.use(mount())
  app.use(nodeListener(routes({ stream }), { logger }))
  await withServer(createServer(app), async (url) => {
    const response = await fetch(`${url}/large`)
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.match(response.headers.get('set-cookie') ?? '', /connect\.sid/)
    assert.equal((await response.text()).length, 10_000)
    assert.equal((await (await fetch(`${url}/stream`)).text()).length, 100_000)
  })
})

/** Sends a path as it is. @type {(url: string, path: string) => Promise<number | undefined>} */
const statusOf = (url, target) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    httpGet({ hostname, port, path: target }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

test('Express: a guard before the tree applies to every spelling of its path', async () => {
  const users = pipe(
    path('/admin/users'),
    get(),
    produces(text),
    handle(() => 'secret'),
  )
  const app = express()
  app.use('/admin', (_, response) => void response.sendStatus(403))
  app.use(nodeListener(routes({ users }), { logger }))
  await withServer(createServer(app), async (url) => {
    for (const target of ['/admin/users', '/ADMIN/users', '/admin/users/'])
      assert.equal(await statusOf(url, target), 403, target)
    for (const target of [
      '/%61dmin/users',
      '/admin;x=1/users',
      '/admin;/users',
      '//admin/users',
      '/./admin/users',
      '/x/../admin/users',
      '/admin%2Fusers',
      '/admin%5Cusers',
      '/%2e/admin/users',
      `${url.replace(/:\d+$/, '')}/%61dmin/users`,
    ])
      assert.equal(await statusOf(url, target), 404, target)
  })
})

test('Connect: a mount path', async () => {
  const app = connect()
  app.use('/v2', mount())
  app.use('/v2/old', (_, response) => response.end('old'))
  await withServer(createServer(app), checkRoutes)
})

test('Koa: a prefix, with next', async () => {
  const listener = mount({ prefix: '/v2' })
  const app = new Koa()
  app.use((context, next) => {
    /** @type {Promise<unknown> | undefined} */
    let rest
    context.respond = false
    listener(context.req, context.res, () => {
      context.respond = true
      rest = next()
    })
    return rest
  })
  app.use((context) => {
    context.body = 'old'
  })
  await withServer(createServer(app.callback()), checkRoutes)
})

test('Fastify: a prefix, with next', async () => {
  const listener = mount({ prefix: '/v2' })
  const app = fastify()
  app.addHook('onRequest', (request, reply, done) => {
    let isPassedOn = false
    listener(request.raw, reply.raw, () => {
      isPassedOn = true
    })
    if (isPassedOn) done()
    else reply.hijack()
  })
  app.get('/v2/old', () => 'old')
  app.addHook('onClose', () => listener.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  await withServer(app.server, checkRoutes)
  await app.close()
})

test('NestJS: before the routes of controllers', async () => {
  class Old {
    read() {
      return 'old'
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Old.prototype, 'read') ?? {}
  Get('old')(Old.prototype, 'read', descriptor)
  Controller('v2')(Old)
  class AppModule {}
  Module({ controllers: [Old] })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: false })
  app.use('/v2', mount())
  await app.listen(0, '127.0.0.1')
  try {
    await checkRoutes(`http://127.0.0.1:${app.getHttpServer().address().port}`)
  } finally {
    await app.close()
  }
})
