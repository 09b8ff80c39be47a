/**
 * What the servers share: where they listen, how they tell, and how many routes they have. A signal
 * ends them by default.
 */

export const host = '127.0.0.1'

/** The first argument, else `PORT`, else 0, with which the system chooses a free one. */
export const port = Number(process.argv[2] ?? process.env['PORT'] ?? 0)

/** How many item routes there are, `/r0/items/:id` and so on. */
export const routes = Number(process.env['BENCH_ROUTES'] ?? 200)

/**
 * Tells on standard output, as one line, the port that was opened.
 *
 * @type {(opened: string | number) => void}
 */
export const announce = (opened) => console.log(String(opened))
