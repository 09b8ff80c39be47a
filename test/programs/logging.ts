/**
 * A program that logs a request that fails, with the settings in its environment and the default logger. With the argument `mounted`, the tree
 * is mounted in a server of `node:http`. With `filtered`, it has the filter `accessLog`.
 */
import { createServer } from 'node:http'
import { pipe } from 'fp-ts/lib/function.js'
import { accessLog, get, handle, path, routes, withFilter } from '../../src/index.ts'
import { nodeListener, serve } from '../../src/node.ts'

const findBook = (): never => {
  throw new Error('no book', { cause: Object.assign(new Error('duplicate'), { code: '23505' }) })
}

const operations = routes({ book: pipe(path('/book'), get(), handle(findBook)) })
const api = process.argv[2] === 'filtered' ? pipe(operations, withFilter(accessLog())) : operations

if (process.argv[2] === 'mounted') {
  const listener = nodeListener(api, { profile: process.env['FW_PROFILE'] ?? 'prod' })
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/book`)
  server.close()
  await listener.close()
} else {
  const server = await serve(api, { 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
  // the parent process of instances has no requests of its own
  if (server.instance === 0) {
    await fetch(`${server.url}/book`)
    await server.close()
  }
}
