/** Documents in HAL as texts: that of an entity is the text of its JSON, with the links behind its last member. */
import { compileCodec } from '../../../codec/generated/compiled-codec.ts'
import { declaredCodecs } from '../../../codec/structure/declared-members.ts'
import * as Hal from '../../../http/hal.ts'
import { backEnd } from '../../../compiler/settings/codec-back-end.ts'
import type { Make } from './hal-writer.ts'
import { hasReserved, reserved, unfit } from '../../../body/hal-reserved.ts'
import { projected, written } from '../visibility.ts'

export const asText: Make<string> = (codec, settings, projecting) => {
  const { encode } = compileCodec(codec, 'drop', backEnd(settings))
  const write = written(
    projected(
      codec,
      projecting,
      (projection) => compileCodec(codec, 'drop', backEnd(settings), projection).write,
    ),
  )
  const isOpen = reserved.some((name) => declaredCodecs(name)(codec).length > 0)
  return {
    nothing: 'null',
    entity: (value, links, curies, asking) => {
      const text = write(value, asking) ?? 'null'
      if (text === 'null') return text
      if (!text.startsWith('{') || (isOpen && hasReserved(encode(value)))) throw unfit()
      return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"_links":${Hal.format(links(), curies)}}`
    },
    collection: (name, elements, links, curies) =>
      `{"_embedded":{${JSON.stringify(name)}:[${elements.join()}]},"_links":${Hal.format(links, curies)}}`,
  }
}
