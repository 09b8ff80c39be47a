/** The links of a tree, as the context of a call gives them. */
import type { AnyCodec } from '../../codec/codec.ts'
import type { Links } from '../../endpoint/links.ts'
import { toCodec } from '../../endpoint/representation.ts'
import type { RequestInfo } from '../context/request-info.ts'
import { visibleLinks } from './visible-links.ts'
import { serverUrl } from './server-url.ts'

export const contextLinks = (call: RequestInfo): Links => {
  const { links } = call.program
  const find = (entity: AnyCodec | string): ReturnType<typeof links.find> =>
    links.find(typeof entity === 'string' ? entity : toCodec(entity))
  return {
    type: (entity) => links.type(find(entity), serverUrl(call.exchange)),
    instance: (entity: AnyCodec | string, value: unknown) => {
      const codec = find(entity)
      const projecting = call.operation?.plan.chain.entities.visibility
      const shown = codec === undefined ? [] : [{ codec, projecting }]
      return visibleLinks(links, codec, value, shown, call)
    },
  }
}
