/** Describes the parameters of an operation, with the style in which the server reads them. */
import { isRight } from 'fp-ts/lib/Either.js'
import type { ParameterShape } from '../../codec/schema/parameter-shape.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import type { Codec } from '../../codec/codec.ts'
import { children, unwrap } from '../../codec/codec-structure.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { portablePattern } from '../../regex-safety/portable-pattern.ts'
import type { ParameterPlan, Plan } from '../../compiler/plan.ts'
import { idempotencyOf } from '../../endpoint/definition/idempotency.ts'
import { parse, variables } from '../../endpoint/definition/path-template.ts'
import { headerName as keyHeader, maxLength } from '../../http/idempotency-key.ts'
import type { MatrixParameter, Operation, ParameterObject } from '../openapi-document.ts'
import type { DocumentContext } from './document-context.ts'
import { textSchema } from './document-context.ts'
import { attemptTo } from '../schema/fold.ts'
import { present } from '../schema/present.ts'

/** Returns the parameters of an operation. */
export const describeParameters = (
  plan: Plan,
  context: DocumentContext,
): Pick<Operation, 'parameters' | 'x-matrix-parameters'> => {
  const { query, header, cookie, matrix } = plan.parameters
  const parameters = [
    ...pathParameters(plan, context),
    ...requiredMatrix(plan).map((parameter) => matrixParameter(parameter, context)),
    ...query.map((parameter) => describeParameter(parameter, 'query', context)),
    ...(plan.queryMap ? [queryMapParameter(query.length === 0, context)] : []),
    ...header
      .filter(({ name }) => !ignoredHeaders.has(name))
      .map((parameter) => headerParameter(parameter, context)),
    ...keyParameter(plan),
    ...cookie.map((parameter) => cookieParameter(parameter, context)),
  ]
  const optional = matrix
    .filter(({ codec }) => isOptionalParameter(codec))
    .map((parameter): MatrixParameter => {
      const { in: _, ...described } = matrixParameter(parameter, context)
      return { ...described, in: 'matrix', required: false }
    })
  return present({ parameters, 'x-matrix-parameters': optional })
}

/** Returns the required matrix parameters of an operation. They are part of the path in the document. */
export const requiredMatrix = ({ parameters }: Plan): ReadonlyArray<ParameterPlan> =>
  parameters.matrix.filter(({ codec }) => !isOptionalParameter(codec))

/** The headers that parameters cannot describe, because OpenAPI describes them elsewhere. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])

const pathParameters = (
  { name: operation, template, parameters, prefixParameters }: Plan,
  context: DocumentContext,
): ReadonlyArray<ParameterObject> => {
  const parsed = parse(template)
  const declared = new Map(
    [...prefixParameters, ...parameters.path].map((parameter) => [parameter.name, parameter]),
  )
  return (isRight(parsed) ? variables(parsed.right) : []).flatMap(({ name: variable, regex }) => {
    const parameter = declared.get(variable)
    if (parameter === undefined) return []
    const described = pathParameter(parameter, regex, context)
    return { ...described, name: context.variableName(operation, variable) }
  })
}

const pathParameter = (
  parameter: ParameterPlan,
  regex: string | undefined,
  context: DocumentContext,
): ParameterObject => {
  const isMulti = unwrap(parameter.codec)._tag === 'SegmentsType'
  const pattern = regex === undefined ? undefined : variablePattern(regex)
  if (isMulti || pattern?.spansSegments === true)
    return {
      name: parameter.name,
      in: 'path',
      required: true,
      schema: withPattern({ type: 'string' }, pattern),
      'x-multi-segment': true,
    }
  const described = describeParameter(parameter, 'path', context)
  return { ...described, schema: withPattern(described.schema, pattern) }
}

const cookieParameter = (parameter: ParameterPlan, context: DocumentContext): ParameterObject => {
  const described = describeParameter(parameter, 'cookie', context)
  // the style for several cookies with the same name exists only in OpenAPI 3.2
  return context.version === '3.2' && described.style === 'form' && described.explode === true
    ? { ...described, style: 'cookie' }
    : described
}

/**
 * Describes a header. A list whose values are not separated is read from several headers with the same name, which no style of
 * OpenAPI can express: what a client sends as one header is one element.
 */
const headerParameter = (parameter: ParameterPlan, context: DocumentContext): ParameterObject => {
  const described = describeParameter(parameter, 'header', context)
  const { isCollection, separator, isCombined } = parameterShape(parameter.codec)
  if (!isCollection || separator !== undefined || isCombined) return described
  return {
    ...described,
    schema: { ...described.schema, maxItems: 1 },
    'x-repeated': true,
  }
}

/** Describes the header of idempotent operations, unless it is a declared parameter. */
const keyParameter = ({ method, attributes, parameters }: Plan): ReadonlyArray<ParameterObject> => {
  const rules = idempotencyOf(method, attributes.idempotency)
  if (rules === undefined || parameters.header.some(({ name }) => name === keyHeader)) return []
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'Identifies the repetitions of a request. Use a new UUID for each operation.',
      ...(rules.isRequired ? { required: true } : {}),
      schema: { type: 'string', maxLength: 2 * maxLength + 2 },
    },
  ]
}

/** Describes a matrix parameter. In the document, a required matrix parameter is a variable at the end of the path. */
const matrixParameter = (parameter: ParameterPlan, context: DocumentContext): ParameterObject => {
  const described = describeParameter(parameter, 'path', context)
  const { isCollection, separator } = parameterShape(parameter.codec)
  return {
    ...described,
    required: true,
    style: 'matrix',
    ...(isCollection ? { explode: separator === undefined } : {}),
  }
}

/** Describes the map of all query parameters. */
const queryMapParameter = (isAlone: boolean, { version }: DocumentContext): ParameterObject => {
  const values = { type: 'array', items: { type: 'string' } } as const
  return version === '3.2' && isAlone
    ? {
        name: 'query',
        in: 'querystring',
        content: {
          'application/x-www-form-urlencoded': {
            schema: { type: 'object', additionalProperties: values },
          },
        },
      }
    : {
        name: 'query',
        in: 'query',
        style: 'form',
        explode: true,
        schema: { type: 'object', additionalProperties: { type: 'string' } },
      }
}

type Location = 'path' | 'query' | 'header' | 'cookie'

const describeParameter = (
  { name, codec }: ParameterPlan,
  location: Location,
  context: DocumentContext,
): ParameterObject & { readonly schema: JsonSchema } => {
  const shape = parameterShape(codec)
  const { description, deprecated, ...schema } = textSchema(context, codec, 'input')
  const isRequired = location === 'path' || !isOptionalParameter(codec)
  return {
    name,
    in: location,
    ...(isRequired ? { required: true } : {}),
    ...present({ description, deprecated }),
    ...styleOf(shape, location),
    // in OpenAPI 3.1, the member exists only for query parameters
    ...(shape.keepsEscapes && (location === 'query' || context.version === '3.2')
      ? { allowReserved: true }
      : {}),
    // an empty value is treated as missing
    ...(location === 'query' && !isRequired && !shape.isCollection && !shape.keepsEmpty
      ? { allowEmptyValue: true }
      : {}),
    ...(hasStyle(shape, location)
      ? { schema }
      : { schema: { type: 'string' }, 'x-separator': shape.separator ?? '' }),
  }
}

type Style = Partial<Pick<ParameterObject, 'style' | 'explode'>>

/** Returns the style of a list. The default styles of OpenAPI apply to other values. */
const styleOf = (shape: ParameterShape, location: Location): Style => {
  const { isCollection, separator } = shape
  if (!isCollection || !hasStyle(shape, location)) return {}
  if (location === 'path' || location === 'header') return { style: 'simple', explode: false }
  return separator === undefined
    ? { style: 'form', explode: true }
    : { style: separatedStyles.get(separator) ?? 'form', explode: false }
}

/** Whether OpenAPI has a style with the separator of a parameter. */
const hasStyle = ({ isCollection, separator }: ParameterShape, location: Location): boolean =>
  !isCollection ||
  separator === undefined ||
  separator === ',' ||
  (location === 'query' && separatedStyles.has(separator))

/** Whether a parameter can be omitted from requests. */
export const isOptionalParameter = (codec: Codec): boolean => {
  const { isCollection, isUndefinedIfMissing } = parameterShape(codec)
  const missing = isCollection && !isUndefinedIfMissing ? [] : undefined
  return attemptTo(() => isRight(codec.decode(missing))) ?? false
}

/** The styles of lists by separator. */
export const separatedStyles: ReadonlyMap<string, string> = new Map([
  [',', 'form'],
  [' ', 'spaceDelimited'],
  ['|', 'pipeDelimited'],
])

/** Whether a parameter accepts every text, so that a value that is present is never invalid. */
export const acceptsEveryText = (codec: Codec): boolean => {
  const inner = children(codec)
  switch (codec._tag ?? '') {
    case 'StringType':
    case 'UnknownType':
    case 'AnyType':
    case 'AttemptType':
      return true
    case 'UnionType':
      return inner.some(acceptsEveryText)
    case 'EncodedType':
    case 'CombinedType':
    case 'WithDefaultType':
    case 'ReadonlyType':
    case 'SeparatedType':
    case 'ArrayType':
    case 'ReadonlyArrayType':
    case 'SetType':
    case 'SegmentsType':
      return inner.every(acceptsEveryText)
    default:
      return false
  }
}

/** The regular expression of a path variable, as documents describe it. */
interface VariablePattern {
  /** A portable expression that matches whole values. */
  readonly pattern: string
  /** Whether the expression matches values with a slash. */
  readonly spansSegments: boolean
}

const variablePattern = (regex: string): VariablePattern => {
  const anchored = regex.includes('|') ? `^(?:${regex})$` : `^${regex}$`
  const expression = new RegExp(`^(?:${regex})$`, 'u')
  return {
    pattern: portablePattern(new RegExp(anchored, 'u')) ?? anchored,
    spansSegments: ['a/b', '1/2', 'A/B', 'a/b.c'].some((text) => expression.test(text)),
  }
}

/** Adds the regular expression of a path variable to a schema. Patterns do not apply to numbers and booleans. */
const withPattern = (schema: JsonSchema, variable: VariablePattern | undefined): JsonSchema => {
  if (variable === undefined) return schema
  if (schema.type !== undefined && schema.type !== 'string') return schema
  const { pattern } = variable
  if (schema.pattern === undefined) return { ...schema, pattern }
  return schema.pattern === pattern ? schema : { allOf: [schema, { pattern }] }
}
