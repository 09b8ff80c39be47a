/**
 * What was measured: a list of figures, one a round, for each row and server.
 *
 * @import { Server } from './servers.mjs'
 */
import { writeFileSync } from 'node:fs'

/** @typedef {{ readonly name: string }} Named */

/**
 * @typedef {object} Figures
 * @property {(row: Named, server: Server) => readonly number[]} of in the order of the rounds
 * @property {(row: Named, server: Server, figure: number) => void} keep
 * @property {(file: string, about: object) => void} write as JSON, by row and server; `null` stands
 * for a latency of a server that could not hold the rate
 */

/** @type {() => Figures} */
export const noFigures = () => {
  /** @type {Map<string, Map<string, readonly number[]>>} */
  const rows = new Map()
  /** @type {Figures['of']} */
  const of = (row, server) => rows.get(row.name)?.get(server.name) ?? []
  return {
    of,
    keep: (row, server, figure) => {
      const known = rows.get(row.name) ?? new Map()
      rows.set(row.name, known.set(server.name, [...of(row, server), figure]))
    },
    write: (file, about) => {
      const figures = Object.fromEntries(
        [...rows].map(([row, byServer]) => [row, Object.fromEntries(byServer)]),
      )
      writeFileSync(file, `${JSON.stringify({ ...about, figures }, null, 2)}\n`)
    },
  }
}
