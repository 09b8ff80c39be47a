/**
 * The router of Fastify.
 *
 * @import { FindResult, HTTPVersion } from 'find-my-way'
 * @import { Operation, Operations } from '../types.mjs'
 */
import create from 'find-my-way'
import { rows, templates } from './rows.mjs'

const router = create()
for (const template of templates)
  router.get(template.replace(/\{(\w+)\}/g, ':$1'), () => {}, { template })

/** @type {Operation} */
const lookUp = {
  run: (path) => router.find('GET', path),
  normalize: (/** @type {FindResult<HTTPVersion.V1> | null} */ result) =>
    result === null
      ? undefined
      : { template: result.store.template, values: Object.values(result.params) },
}

/** @type {Operations} */
export const operations = Object.fromEntries(rows.map(({ name }) => [name, lookUp]))
