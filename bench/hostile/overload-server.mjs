/** Serves CPU-bound operations of a few milliseconds. */
import { espalier, pipe, serve, settings } from './build-under-test.mjs'

const { get, handle, health, int, path, produces, routes, text } = espalier

/** @type {(milliseconds: number) => void} */
const burn = (milliseconds) => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

const api = routes({
  /** Starts with the CPU-bound work. */
  burn: pipe(
    path('/burn/{ms}', { ms: int }),
    get(),
    produces(text),
    handle((input) => {
      burn(input.path.ms)
      return 'done'
    }),
  ),
  /** Starts with an asynchronous wait, as for a database. */
  later: pipe(
    path('/later/{ms}', { ms: int }),
    get(),
    produces(text),
    handle(async (input) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      burn(input.path.ms)
      return 'done'
    }),
  ),
  health: health(),
})

const server = await serve(/** @type {any} */ (api), {
  'fw.http.host': '127.0.0.1',
  'fw.http.port': 0,
  'fw.log.level': 'error',
  'fw.loop.stall': 0,
  ...settings,
})
console.log(server.url)
