/** Which kind of a tagged union an element is, by the one member that says so. */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { Element } from './element.ts'
import { attributeOf } from './element.ts'
import { textOf } from '../mapping/text-codecs.ts'
import type { Content } from '../mapping/xml-schema.ts'

/** Says whether an element is of a content by its tag; `undefined` where that cannot be said beforehand. */
export const tagged = (
  content: Content | undefined,
  tag: string | undefined,
): ((element: Element) => boolean) | undefined => {
  if (content?._tag !== 'Fields' || tag === undefined) return undefined
  const attribute = content.attributes.find(({ key }) => key === tag)
  if (attribute !== undefined)
    return (element) => {
      const text = attributeOf(element, attribute.name)
      return text !== undefined && takes(attribute.codecs[0], text)
    }
  const field = content.elements.find(({ key }) => key === tag)
  if (field === undefined) return undefined
  const { name } = field.particle
  return (element) =>
    element.children.some(
      ({ local, namespace, text }) =>
        local === name.local && namespace === name.namespace && takes(field.codecs[0], text),
    )
}

const takes = (codec: Codec, text: string): boolean =>
  isRight(codec.decode(textOf(codec)?.lift(text)))
