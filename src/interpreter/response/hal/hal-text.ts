/** Documents in HAL as texts: that of an entity is the text of its JSON, with the links behind its last member. */
import { compileCodec } from '../../../codec/generated/compiled-codec.ts'
import { declaredCodecs } from '../../../codec/structure/declared-members.ts'
import * as Hal from '../../../http/hal.ts'
import { codecBackEnd } from '../../../compiler/settings/settings.ts'
import type { HalWriterFactory } from './hal-writer.ts'
import {
  hasReservedMember,
  reservedMembers,
  reservedMemberError,
} from '../../../body/hal-reserved.ts'
import { visibleWriter, writeVisible } from '../visibility.ts'

export const halText: HalWriterFactory<string> = (codec, settings, projecting) => {
  const { encode } = compileCodec(codec, 'drop', codecBackEnd(settings))
  const write = writeVisible(
    visibleWriter(
      codec,
      projecting,
      (projection) => compileCodec(codec, 'drop', codecBackEnd(settings), projection).write,
    ),
  )
  const isOpen = reservedMembers.some((name) => declaredCodecs(name)(codec).length > 0)
  return {
    nothing: 'null',
    entity: (value, links, curies, asking) => {
      const text = write(value, asking) ?? 'null'
      if (text === 'null') return text
      if (!text.startsWith('{') || (isOpen && hasReservedMember(encode(value))))
        throw reservedMemberError()
      return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"_links":${Hal.format(links(), curies)}}`
    },
    collection: (name, elements, links, curies) =>
      `{"_embedded":{${JSON.stringify(name)}:[${elements.join()}]},"_links":${Hal.format(links, curies)}}`,
  }
}
