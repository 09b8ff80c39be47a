/** Runs two servers in one process, with the default protections and without. `GET /usage` returns the CPU time of the process. */
import { espalier, pipe, serve } from './build-under-test.mjs'

const { get, handle, path, produces, routes, text } = espalier

const api = routes({
  plaintext: pipe(
    path('/plaintext'),
    get(),
    produces(text),
    handle(() => 'Hello, World!'),
  ),
  usage: pipe(
    path('/usage'),
    get(),
    produces(text),
    handle(() => {
      const { user, system } = process.cpuUsage()
      return String(user + system)
    }),
  ),
})

const common = { 'fw.http.host': '127.0.0.1', 'fw.http.port': 0, 'fw.log.level': 'error' }
const servers = [
  await serve(api, common),
  await serve(api, {
    ...common,
    'fw.http.overload.enabled': false,
    'fw.http.limits.max-connections': 'unbounded',
  }),
]
console.log(servers.map(({ url }) => url).join(' '))
