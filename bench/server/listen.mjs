/** What the servers share: where they listen, and how they tell. A signal ends them by default. */

export const host = '127.0.0.1'

/** The first argument, else `PORT`, else 0, with which the system chooses a free one. */
export const port = Number(process.argv[2] ?? process.env['PORT'] ?? 0)

/**
 * Tells on standard output, as one line, the port that was opened.
 *
 * @type {(opened: string | number) => void}
 */
export const announce = (opened) => console.log(String(opened))
