/** Serves a handler on a free port with the server of the runtime: `Deno.serve` or `Bun.serve`. */

const hostname = '127.0.0.1'

export const serveHandler = async (handler) => {
  if (typeof Deno === 'object') {
    const server = Deno.serve({ port: 0, hostname, onListen: () => undefined }, (request) =>
      handler(request),
    )
    // connections of clients may stay open
    return {
      url: `http://${hostname}:${server.addr.port}`,
      close: () => Promise.race([server.shutdown(), new Promise((done) => setTimeout(done, 100))]),
    }
  }
  const server = Bun.serve({
    port: 0,
    hostname,
    idleTimeout: 0,
    fetch: (request) => handler(request),
  })
  return { url: `http://${hostname}:${server.port}`, close: () => server.stop(true) }
}
