/** The folder of a run: the file that servers send, and the place for the files that they receive. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileName } from './payloads.mjs'
import { fileOctets } from './sample-file.mjs'

/** Files may still be taken away when the answer is there. */
const settleMilliseconds = 2_000

/**
 * @typedef {object} Folder
 * @property {string} path
 * @property {(server: string) => string} temporary the place for the files of one server, which is made
 * @property {(server: string) => Promise<readonly string[]>} left the files there, as soon as there are none or some
 * time has passed
 * @property {() => void} remove
 */

/** Makes it. @type {() => Folder} */
export const makeFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'espalier-bodies-'))
  writeFileSync(join(path, fileName), fileOctets)
  /** @type {(server: string) => string} */
  const of = (server) => join(path, server)
  /** @type {(server: string) => readonly string[]} */
  const files = (server) =>
    readdirSync(of(server), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
  return {
    path,
    temporary: (server) => {
      mkdirSync(of(server), { recursive: true })
      return of(server)
    },
    left: async (server) => {
      const end = performance.now() + settleMilliseconds
      while (performance.now() < end && files(server).length > 0) await sleep(20)
      return files(server)
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
