/** The `espalier/links` entry point: web links to operations (RFC 8288). */
export { rel, injectLinks } from './endpoint/links.ts'
export { linkId, primaryKey } from './endpoint/links.ts'
export { linksOf } from './endpoint/links.ts'
export type { RelOptions } from './endpoint/links.ts'
export type { Links } from './endpoint/links.ts'
export type { LinkMode } from './endpoint/definition/attributes.ts'
export type { Link } from './http/link.ts'
