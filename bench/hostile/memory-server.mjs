/**
 * Serves bodies that stay in memory, from the build in `HOSTILE_ROOT`: this checkout by default. It writes its address, and its
 * memory whenever a message comes.
 */
const root = process.env['HOSTILE_ROOT'] ?? new URL('../../', import.meta.url).href

/** @type {(path: string) => Promise<any>} */
const imported = (path) => import(new URL(path, root).href)

const { body, bytes, get, handle, path, post, produces, routes, text } =
  await imported('dist/espalier/index.js')
const { serve } = await imported('dist/espalier/node.js')
const { pipe } = await imported('node_modules/fp-ts/lib/function.js')

const large = 'x'.repeat(10_000_000)

const api = routes({
  bytes: pipe(
    path('/bytes'),
    post(),
    body(bytes),
    produces(text),
    handle((/** @type {{ body: Uint8Array }} */ input) => String(input.body.length)),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => large),
  ),
})

const server = await serve(api, {
  'fw.http.host': '127.0.0.1',
  'fw.http.port': 0,
  'fw.log.level': 'error',
  ...JSON.parse(process.env['HOSTILE_SETTINGS'] ?? '{}'),
})

process.on('message', () => {
  globalThis.gc?.()
  const { rss } = process.memoryUsage()
  process.send?.({ rss, buffered: server.bufferedBytes })
})
process.send?.(server.url)
