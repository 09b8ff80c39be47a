/**
 * Shared configuration of the servers: address, number of routes, and how they report the port.
 */

export const host = '127.0.0.1'

/** The port: the first argument, otherwise `PORT`, otherwise 0 for a free port. */
export const port = Number(process.argv[2] ?? process.env['PORT'] ?? 0)

/** Number of item routes: `/r0/items/:id`, `/r1/items/:id` and so on. */
export const routes = Number(process.env['BENCH_ROUTES'] ?? 200)

/**
 * Prints the port as one line to standard output.
 *
 * @type {(opened: string | number) => void}
 */
export const announce = (opened) => console.log(String(opened))

/** Whether the server uses HTTP/2 without TLS, for clients with prior knowledge. */
export const isHttp2 = process.env['BENCH_HTTP2'] === 'true'
