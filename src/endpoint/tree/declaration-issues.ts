/**
 * Finds declarations that TypeScript rejects, such as a codec for objects in a query. Programs in JavaScript can contain such
 * declarations.
 */
import type { Codec } from '../../codec/codec.ts'
import {
  codecInside,
  isAsynchronous,
  rejectsText,
} from '../../codec/standard-schema/accepted-types.ts'
import type { AnySchema } from '../../codec/standard-schema/schema-types.ts'
import { isStandardSchema, isStandardType } from '../../codec/standard-schema/standard-schema.ts'
import { children, isCodec, wrapped } from '../../codec/codec-structure.ts'
import type { TextValues } from './text-values.ts'
import { isMultiple } from '../../codec/schema/parameter-shape.ts'
import { textValues } from './text-values.ts'
import {
  matchesOnlyTuples,
  matchesOnlyUndefined,
  uninhabitedPart,
} from '../../codec/structure/uninhabited.ts'
import { invalidDefaultsIn, misplacedIn, schemasIn } from '../../codec/visibility/restrictions.ts'
import { isFormPart } from '../body.ts'
import type { DeclarationIssue, Definition } from '../endpoint.ts'
import type { AnyRepresentation } from '../representation.ts'
import { isRepresentation } from '../representation.ts'
import { describeValue } from '../definition/describe-value.ts'

/**
 * Returns the errors because of which the other declarations of an endpoint cannot be verified: the errors that combinators
 * have recorded and unsuitable codecs.
 */
export const declarationIssues = (definition: Definition): ReadonlyArray<DeclarationIssue> => [
  ...definition.issues,
  ...parameterIssues(definition.parameters),
  ...representationIssues([
    ...definition.bodies,
    ...definition.produces,
    ...definition.responses.flatMap(({ representations }) => representations),
  ]),
  ...definition.bodies.flatMap(({ format }) => {
    const problem = format._tag === 'Text' && format.codec && schemaWithoutText(format.codec)
    return problem === undefined || problem === false
      ? []
      : [{ code: 'FW-MEDIA-003', remedy: problem } as const]
  }),
]

const parameterIssues = (groups: Definition['parameters']): ReadonlyArray<DeclarationIssue> => {
  const issues: DeclarationIssue[] = []
  for (const [group, codecs] of Object.entries(groups))
    codecs.forEach((codec, name) => {
      const problem = group === 'form' && isFormPart(codec) ? undefined : codecProblem(codec, group)
      if (problem !== undefined)
        issues.push({ code: 'FW-PARAM-002', remedy: `${group} parameter "${name}": ${problem}` })
    })
  return issues
}

/** Returns the reason why a parameter cannot have the given codec, or `undefined` if the codec is suitable. */
const codecProblem = (codec: Codec, group: string): string | undefined => {
  if (!isCodec(codec)) {
    const description = describeValue(codec)
    return `expected a codec, got ${description}${description.includes(':') ? '' : `: ${codecRemedy(codec, group)}`}`
  }
  const [misplaced] = misplacedRemedies([codec])
  if (misplaced !== undefined) return misplaced
  const asynchronous = schemasIn(codec).find(({ schema }) => isAsynchronous(schema))
  if (asynchronous !== undefined)
    return `the ${asynchronous.name} schema validates asynchronously, which is supported only in bodies`
  const impossible = noValueProblem(codec)
  if (impossible !== undefined) return impossible
  if (group === 'path' && matchesOnlyUndefined(codec))
    return `${codec.name} matches only a missing value, but a path variable always has a value`
  if (matchesOnlyTuples(codec))
    return `${codec.name} is a tuple, whose values differ in position: use a list, or a parameter for each value`
  switch (textValues(codec)) {
    case 'one':
      return schemaWithoutText(codec)
    case 'many':
      return group === 'path' && codec._tag !== 'SegmentsType'
        ? `${codec.name} has multiple values: use segments(…) for multiple path segments`
        : schemaWithoutText(codec)
    case 'none':
      return `${codec.name} cannot be written as text: use a codec for a single value, or for a list of single values`
  }
}

/** Returns the reason why a codec rejects each text, or `undefined` if it can accept text. */
const schemaWithoutText = (codec: Codec): string | undefined => {
  if (isStandardType(codec)) {
    if (!rejectsText(codec.schema)) return undefined
    const { vendor } = codec.schema['~standard']
    return `the ${vendor} schema does not accept text: convert it, as in ${conversions.get(vendor) ?? 'z.coerce.number()'}`
  }
  if (codec._tag === 'UnionType') {
    const parts = children(codec).filter(
      (part) => !matchesOnlyUndefined(part) && part._tag !== 'NullType',
    )
    const problems = parts.map(schemaWithoutText)
    return problems.includes(undefined) ? undefined : problems[0]
  }
  const inner = wrapped(codec) ?? (isMultiple(codec) ? children(codec)[0] : undefined)
  return inner && schemaWithoutText(inner)
}

/** Schemas that convert text, by library. */
const conversions: ReadonlyMap<string, string> = new Map([
  ['zod', 'z.coerce.number() or z.stringbool()'],
  ['valibot', 'v.pipe(v.string(), v.toNumber())'],
  ['arktype', "type('string.numeric.parse')"],
  ['effect', 'Schema.NumberFromString'],
])

/** Returns an error for each value inside of codecs that is not a codec, and for each invalid default. Equal errors are returned once. */
export const misplacedIssues = (codecs: ReadonlyArray<Codec>): ReadonlyArray<DeclarationIssue> =>
  misplacedRemedies(codecs).map((remedy) => ({ code: 'FW-MEDIA-003', remedy }))

const misplacedRemedies = (codecs: ReadonlyArray<Codec>): ReadonlyArray<string> => {
  const misplaced = codecs.flatMap(misplacedIn)
  const inSchemas = codecs.flatMap(schemasIn).flatMap(describeCodecInside)
  const defaults = codecs.flatMap(invalidDefaultsIn).map(describeDefault)
  return misplaced.length + inSchemas.length + defaults.length === 0
    ? []
    : [...new Set([...misplaced.map(describeMisplaced), ...inSchemas, ...defaults])]
}

const describeCodecInside = ({ schema }: { readonly schema: AnySchema }): ReadonlyArray<string> => {
  const { vendor } = schema['~standard']
  const inside = codecInside(schema)
  return inside === undefined
    ? []
    : [
        `the ${vendor} schema contains the codec ${inside.name}: use a schema of ${vendor}, or t.type with fromStandardSchema(schema)`,
      ]
}

const describeDefault = ({
  name,
  defaultValue,
}: {
  readonly name: string
  readonly defaultValue: unknown
}): string =>
  defaultValue === undefined
    ? `missing default of ${name}: pass it, as in withDefault(int, 1), or use optional(codec)`
    : `invalid default of ${name}, got ${describeValue(defaultValue)}: use a value that the codec accepts`

const describeMisplaced = (value: unknown): string => {
  if (isStandardSchema(value))
    return `a codec contains a ${value['~standard'].vendor} schema: convert it with fromStandardSchema(schema)`
  const remedy = isFormPart(value)
    ? 'declare files directly in form(…), with upload, optionalPart(upload) or uploads'
    : isRepresentation(value)
      ? 'use its codec'
      : 'use a codec, such as int or string'
  return `a codec contains ${describeValue(value)} instead of a codec: ${remedy}`
}

/** Returns the reason why each value of a codec is rejected, or `undefined` if the codec can match values. */
const noValueProblem = (codec: Codec): string | undefined => {
  const part = uninhabitedPart(codec)
  if (part === undefined) return undefined
  const name = part.name === codec.name ? '' : ` of ${codec.name}`
  return `no value matches ${part.name}${name}: remove it, make its member optional, or use t.unknown`
}

const codecRemedy = (value: unknown, group: string): string => {
  if (isFormPart(value)) return 'declare it with form(…)'
  if (!isRepresentation(value)) return 'use a codec, such as int or string'
  return group === 'form'
    ? 'wrap it in part(…), as in part(json(codec))'
    : 'use the codec of a single value or of a list of single values, without a representation'
}

const representationIssues = (
  representations: ReadonlyArray<AnyRepresentation>,
): ReadonlyArray<DeclarationIssue> =>
  representations.flatMap(({ format }) => {
    if (format._tag === 'EventStream')
      return format.data._tag === 'Codec'
        ? valueIssues(format.data.codec)
        : representationIssues([format.data])
    if ('codec' in format && isCodec(format.codec)) {
      const issues = valueIssues(format.codec)
      if (issues.length > 0) return issues
      if (format._tag === 'JsonStream' && matchesOnlyUndefined(format.codec))
        return [
          {
            code: 'FW-MEDIA-004',
            remedy: `${format.codec.name} has no JSON form: use t.null for elements without a value`,
          },
        ]
    }
    // a list of a form field becomes one part for each element
    if (format._tag === 'MultipartOutput')
      return (format.fields ?? []).flatMap(({ representation }) =>
        textIssues(representation, ['one', 'many']),
      )
    return textIssues({ format }, ['one'])
  })

const valueIssues = (codec: Codec): ReadonlyArray<DeclarationIssue> => {
  const problem = noValueProblem(codec)
  return problem === undefined ? [] : [{ code: 'FW-MEDIA-004', remedy: problem }]
}

const textIssues = (
  { format }: Pick<AnyRepresentation, 'format'>,
  allowed: ReadonlyArray<TextValues>,
): ReadonlyArray<DeclarationIssue> =>
  format._tag !== 'Text' || format.codec === undefined || allowed.includes(textValues(format.codec))
    ? []
    : [
        {
          code: 'FW-MEDIA-003',
          remedy: `${format.codec.name} is not a single value: declare a representation, such as json(codec)`,
        },
      ]
