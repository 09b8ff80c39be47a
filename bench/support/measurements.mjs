/**
 * Measured values: one per round for each table row and server.
 *
 * @import { Server } from './servers.mjs'
 */
import { writeFileSync } from 'node:fs'

/** @typedef {{ readonly name: string }} Named */

/**
 * @typedef {object} Measurements
 * @property {(row: Named, server: Server) => readonly number[]} get returns the values in the order of the rounds
 * @property {(row: Named, server: Server, value: number) => void} add
 * @property {(file: string, about: object) => void} write writes the values as JSON, by row and server; a latency is `null`
 * for a server that did not reach the request rate
 */

/** @type {() => Measurements} */
export const createMeasurements = () => {
  /** @type {Map<string, Map<string, readonly number[]>>} */
  const rows = new Map()
  /** @type {Measurements['get']} */
  const get = (row, server) => rows.get(row.name)?.get(server.name) ?? []
  return {
    get,
    add: (row, server, value) => {
      const byServer = rows.get(row.name) ?? new Map()
      rows.set(row.name, byServer.set(server.name, [...get(row, server), value]))
    },
    write: (file, about) => {
      const figures = Object.fromEntries(
        [...rows].map(([row, byServer]) => [row, Object.fromEntries(byServer)]),
      )
      writeFileSync(file, `${JSON.stringify({ ...about, figures }, null, 2)}\n`)
    },
  }
}
