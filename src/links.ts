/** Web links: operations as targets, `Link` fields of responses, and links as values (RFC 8288). */
export { rel, injectLinks } from './endpoint/rel.ts'
export { linkId, primaryKey } from './endpoint/link-id.ts'
export { linksOf } from './endpoint/links-of.ts'
export type { RelOptions } from './endpoint/rel.ts'
export type { Links } from './endpoint/links-of.ts'
export type { LinkMode } from './endpoint/marks.ts'
export type { Link } from './http/link.ts'
