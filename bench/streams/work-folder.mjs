/** The working folder of a run, with the file that servers send and folders for received files. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileName } from './payloads.mjs'
import { fileBytes } from './sample-file.mjs'

/** Time for servers to delete received files after the response. */
const settleMilliseconds = 2_000

/**
 * @typedef {object} Folder
 * @property {string} path
 * @property {(server: string) => string} temporary creates a folder for the temporary files of a server
 * @property {(server: string) => Promise<readonly string[]>} remaining waits up to 2 s for a server to delete
 * its temporary files, and returns those that remain
 * @property {() => void} remove
 */

/** Creates the folder. @type {() => Folder} */
export const createFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'espalier-bodies-'))
  writeFileSync(join(path, fileName), fileBytes)
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
    remaining: async (server) => {
      const end = performance.now() + settleMilliseconds
      while (performance.now() < end && files(server).length > 0) await sleep(20)
      return files(server)
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
