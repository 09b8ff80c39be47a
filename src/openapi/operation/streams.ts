/**
 * Describes streams of JSON values and of events.
 *
 * OpenAPI 3.2 describes the elements of a stream with `itemSchema`. OpenAPI 3.1 has no such member. There, the extension
 * `x-item-schema` has the same value, and `schema` is what code generators expect: the schema of the event data.
 */
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import { eventDataFormat } from '../../codec/event-data.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import type { EventData } from '../../endpoint/representation.ts'
import type { MediaTypeObject } from '../openapi-document.ts'
import type { DocumentContext } from './document-context.ts'
import { bodySchema, textSchema } from './document-context.ts'

/** Describes a stream with one JSON value per line. */
export const jsonLines = ({ version }: DocumentContext, item: JsonSchema): MediaTypeObject =>
  version === '3.2' ? { itemSchema: item } : { schema: { type: 'string' }, 'x-item-schema': item }

/** Describes a stream of events. `describe` describes data that has a representation. */
export const eventStream = (
  context: DocumentContext,
  data: EventData,
  { json, visibility, xml }: BodyPlan,
  describe: (body: BodyPlan) => MediaTypeObject,
): MediaTypeObject => {
  const [content, schema] = dataOf()
  const item: JsonSchema = {
    type: 'object',
    properties: {
      data: content,
      event: { type: 'string' },
      id: { type: 'string' },
      retry: { type: 'integer', minimum: 0 },
    },
  }
  return context.version === '3.2' ? { itemSchema: item } : { schema, 'x-item-schema': item }

  function dataOf(): readonly [content: JsonSchema, schema: JsonSchema] {
    if (data._tag === 'Codec') {
      const { codec } = data
      if (eventDataFormat(codec) === 'text') {
        const text = textSchema(context, codec, 'output')
        return [text, text]
      }
      const value = bodySchema(context, codec, 'output', { json, visibility })
      return [jsonText('application/json', value), value]
    }
    const [plan] = bodyPlans([data], [], { json, visibility, xml })
    const { schema: value = {} } = plan === undefined ? {} : describe(plan)
    const isJson = /[/+]json\b/.test(data.mediaType)
    return isJson
      ? [jsonText(data.mediaType, value), value]
      : [{ type: 'string', contentMediaType: data.mediaType }, { type: 'string' }]
  }
}

const jsonText = (mediaType: string, value: JsonSchema): JsonSchema => ({
  type: 'string',
  contentMediaType: mediaType,
  contentSchema: value,
})
