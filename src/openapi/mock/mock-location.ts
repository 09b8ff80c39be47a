/** Generates the `Location` headers of mock responses. */
import * as t from 'io-ts'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { Context } from '../../endpoint/context.ts'
import type { Definition } from '../../endpoint/endpoint.ts'
import { join, parse } from '../../endpoint/definition/path-template.ts'
import type { GenerateValue } from './codec-values.ts'
import { valuesOfSchema } from './codec-values.ts'
import type { Random } from './random.ts'

/** The variable by which a resource selects an element of a collection, as in `/books/{id}`. */
export interface ElementVariable {
  readonly name: string
  readonly codec: Codec
  readonly regex: string | undefined
}

/** A GET operation. */
export interface ReadOperation {
  readonly template: string
  readonly definition: Definition
}

/** Finds the variable of a GET operation whose path consists of `template` and a variable. */
export const elementVariable = (
  template: string,
  operations: ReadonlyArray<ReadOperation>,
): ElementVariable | undefined => {
  for (const { template: other, definition } of operations) {
    if (!other.startsWith(join(template, '/{'))) continue
    const parsed = parse(other.slice(join(template, '').length))
    if (isLeft(parsed)) continue
    const [slash, variable, ...rest] = parsed.right
    if (slash?._tag === 'Literal' && variable?._tag === 'Variable' && rest.length === 0)
      return {
        name: variable.name,
        codec: definition.parameters.path.get(variable.name) ?? t.string,
        regex: variable.regex,
      }
  }
  return undefined
}

/**
 * Returns the location of a response: for 201, the URI of the created resource, and for redirections the base URI. The created
 * resource is an element of the requested collection if the tree has a GET operation for its elements, and otherwise the requested
 * resource itself.
 */
export const locationOf = (
  status: number,
  entity: unknown,
  { uri }: Pick<Context, 'uri'>,
  element: ElementVariable | undefined,
  valuesOf: (codec: Codec) => GenerateValue,
  random: Random,
): string | undefined => {
  if ([301, 302, 303, 307, 308].includes(status)) return uri.base.pathname
  if (status !== 201) return undefined
  const { pathname } = uri.absolute
  if (element === undefined) return pathname
  const member: unknown =
    typeof entity === 'object' && entity !== null
      ? new Map<string, unknown>(Object.entries(entity)).get(element.name)
      : undefined
  const text = member === undefined ? undefined : textOf(element.codec, member)
  return `${pathname.replace(/\/$/, '')}/${encodeURIComponent(text ?? generated(element, valuesOf, random))}`
}

const generated = (
  { codec, regex }: ElementVariable,
  valuesOf: (codec: Codec) => GenerateValue,
  random: Random,
): string => {
  const generate =
    regex === undefined
      ? valuesOf(codec)
      : valuesOfSchema(t.string, { type: 'string', pattern: `^(?:${regex})$` }, {})
  const generatedBy = regex === undefined ? codec : t.string
  return textOf(generatedBy, generate(random)?.value) ?? '1'
}

/** Returns the text of a path variable, or `undefined` for values of other types. */
const textOf = (codec: Codec, value: unknown): string | undefined => {
  if (!codec.is(value)) return undefined
  const encoded: unknown = codec.encode(value)
  return typeof encoded === 'string' || typeof encoded === 'number' || typeof encoded === 'bigint'
    ? String(encoded)
    : undefined
}
