/** Describes the parameters of an operation, with the style in which the server reads them. */
import { withPattern } from './variable-pattern.ts'
import { isRight } from 'fp-ts/lib/Either.js'
import type { ParameterShape } from '../../codec/schema/parameter-shape.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import { unwrap } from '../../codec/codec-structure.ts'
import type { ParameterPlan, Plan } from '../../compiler/plan.ts'
import { parse, variables } from '../../endpoint/definition/path-template.ts'
import type { MatrixParameter, Operation, ParameterObject } from '../openapi-document.ts'
import type { DocumentContext } from './document-context.ts'
import { textSchema } from './document-context.ts'
import { isOptionalParameter, separatedStyles } from './parameter-values.ts'
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
    ...query.map((parameter) => queryParameter(parameter, context)),
    ...(plan.queryMap ? [queryMapParameter(query.length === 0, context)] : []),
    ...header
      .filter(({ name }) => !ignoredHeaders.has(name))
      .map((parameter) => headerParameter(parameter, context)),
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
  const pattern = regex === undefined ? undefined : context.variablePattern(regex)
  if (isMulti || pattern?.spansSegments === true)
    return {
      name: parameter.name,
      in: 'path',
      required: true,
      schema: withPattern({ type: 'string' }, pattern),
      'x-multi-segment': true,
    }
  const described = describeParameter(parameter, 'path', context)
  return {
    ...described,
    ...(described.schema === undefined ? {} : { schema: withPattern(described.schema, pattern) }),
  }
}

const queryParameter = (parameter: ParameterPlan, context: DocumentContext): ParameterObject =>
  describeParameter(parameter, 'query', context)

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
    ...(described.schema === undefined ? {} : { schema: { ...described.schema, maxItems: 1 } }),
    'x-repeated': true,
  }
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
): ParameterObject => {
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
