/** The compared servers. */
import { readFileSync } from 'node:fs'

/** @type {(title: string, folder: string) => string} */
const withVersion = (title, folder) => {
  const file = new URL(`${folder}/package.json`, import.meta.url)
  return `${title} ${JSON.parse(readFileSync(file, 'utf8')).version}`
}

/**
 * @typedef {object} Server
 * @property {string} name the value of `--servers` that selects it, and its file name in `server/`
 * @property {string} title the column header of the tables
 */

/** The first server is the baseline of the others. @type {readonly [Server, ...Server[]]} */
export const servers = [
  { name: 'raw', title: 'raw `node:http`' },
  { name: 'espalier', title: withVersion('espalier', '../..') },
  { name: 'fastify', title: withVersion('Fastify', '../node_modules/fastify') },
  { name: 'hono', title: withVersion('Hono', '../node_modules/hono') },
  { name: 'h3', title: withVersion('h3', '../node_modules/h3') },
  { name: 'elysia', title: withVersion('Elysia', '../node_modules/elysia') },
  { name: 'koa', title: withVersion('Koa', '../node_modules/koa') },
  { name: 'express', title: withVersion('Express', '../node_modules/express') },
  { name: 'effect', title: withVersion('Effect', '../node_modules/effect') },
  { name: 'hyper-ts', title: withVersion('hyper-ts', '../node_modules/hyper-ts') },
  { name: 'typera', title: withVersion('typera', '../node_modules/typera-express') },
]
