/**
 * Writes the path of a request from a path template.
 *
 * A server reads the same values from the path. A value cannot leave its segment: delimiters are percent-encoded, and values that
 * encoding cannot protect (`.`, `..` and empty values) are rejected.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.3
 */
import * as Percent from '../../http/percent.ts'
import * as UriReference from '../../http/uri-reference.ts'
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import type { Part, SegmentPattern } from '../../endpoint/internal/path-pattern.ts'
import { splitSegments, groupName, compilePattern } from '../../endpoint/internal/path-pattern.ts'
import type { Template } from '../../endpoint/internal/path-template.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { EncodedParameter, EncodeGroup, Input, Parameter } from './parameter-values.ts'
import { groupEncoder, membersOf, encodeSingleParameter, parametersOf } from './parameter-values.ts'

/** Returns the path, with matrix parameters after its last segment. Adds invalid parameters to `errors`. */
export type WritePath = (input: Input, errors: ValidationError[]) => string

/** Prepares writing a valid template. */
export const pathWriter = (
  template: Template,
  codecs: ParameterMap,
  matrix: ParameterMap,
): WritePath => {
  const parameters = parametersOf('path', codecs)
  const encodeParameters = groupEncoder(parameters)
  const writePlain = plainPathWriter(template, parameters)
  const spanningNames = new Set(
    [...codecs].flatMap(([key, { _tag }]) => (_tag === 'SegmentsType' ? key : [])),
  )
  const { segments } = compilePattern(template, spanningNames)
  const writers = splitSegments(template).map((parts, index) =>
    segmentWriter(parts, segments[index]),
  )
  const encodeMatrix = groupEncoder(parametersOf('matrix', matrix))
  return (input, errors) => {
    const plain = matrix.size === 0 ? writePlain(membersOf(input, 'path')) : undefined
    if (plain !== undefined) return plain
    const errorCount = errors.length
    const values = encodeParameters(input, errors)
    const suffix = matrixText(encodeMatrix, input, errors)
    if (errors.length > errorCount) return ''
    let path = ''
    for (const write of writers) path += `/${write(values, errors)}`
    return `${path === '' ? '/' : path}${suffix}`
  }
}

/**
 * Prepares writing paths that need no encoding and no checks.
 *
 * Each segment of the template must be a literal or a variable, and values must consist of letters, digits, `-` and `_`. For all other
 * templates and values, the returned function returns `undefined`.
 */
const plainPathWriter = (
  template: Template,
  parameters: ReadonlyArray<Parameter>,
): ((values: Input) => string | undefined) => {
  const segments = splitSegments(template).map((parts) => plainSegment(parts, parameters))
  const isComplete = parameters.every((parameter) => segments.includes(parameter))
  if (!isComplete || segments.length === 0 || segments.includes(undefined)) return () => undefined
  return (values) => {
    let path = ''
    for (const segment of segments) {
      if (typeof segment !== 'object') {
        path += `/${segment}`
        continue
      }
      const text = encodeSingleParameter(values, segment)
      if (text === undefined || !/^[\w-]+$/.test(text)) return undefined
      path += `/${text}`
    }
    return path
  }
}

const plainSegment = (
  [only, ...others]: ReadonlyArray<Part>,
  parameters: ReadonlyArray<Parameter>,
): Parameter | string | undefined => {
  if (only === undefined || others.length > 0) return undefined
  if (only._tag === 'Literal') return literal(only.text)
  return only.regex === undefined ? parameters.find(({ name }) => name === only.name) : undefined
}

type WriteSegment = (values: ReadonlyArray<EncodedParameter>, errors: ValidationError[]) => string

const findParameter = (
  values: ReadonlyArray<EncodedParameter>,
  name: string,
): EncodedParameter | undefined => {
  for (const parameter of values) if (parameter.name === name) return parameter
  return undefined
}

const segmentWriter = (
  parts: ReadonlyArray<Part>,
  pattern: SegmentPattern | undefined,
): WriteSegment => {
  const [only] = parts
  if (only?._tag === 'Literal' && parts.length === 1) {
    const text = literal(only.text)
    return () => text
  }
  const names = parts.flatMap((part) => (part._tag === 'Variable' ? [part.name] : []))
  return variableSegmentWriter(parts, names, pattern)
}

const variableSegmentWriter =
  (
    parts: ReadonlyArray<Part>,
    names: ReadonlyArray<string>,
    pattern: SegmentPattern | undefined,
  ): WriteSegment =>
  (values, errors) => {
    const written = parts.map((part) =>
      part._tag === 'Literal'
        ? { raw: literal(part.text), text: Percent.decode(part.text) ?? part.text }
        : writeVariable(findParameter(values, part.name)),
    )
    const raw = written.map((part) => part.raw).join('')
    const detail = segmentError(raw, pattern, written)
    if (detail !== undefined)
      errors.push(...names.map((name): ValidationError => ({ in: 'path', name, detail })))
    return raw
  }

/** A written part of a segment. */
interface WrittenPart {
  /** The percent-encoded text. */
  readonly raw: string
  /** The decoded text. */
  readonly text: string
  /** The value of a variable; `undefined` for a literal. */
  readonly value?: EncodedParameter
}

/** Percent-encodes the value of a variable, unless its codec is `encoded`. Several segments are joined by slashes. */
const writeVariable = (value: EncodedParameter | undefined): WrittenPart => {
  if (value === undefined) return { raw: '', text: '' }
  const { shape, texts } = value
  const raw = texts.map((text) => (shape.keepsEscapes ? text : Percent.encode(text))).join('/')
  return { raw, text: shape.keepsEscapes ? (Percent.decode(raw) ?? raw) : texts.join('/'), value }
}

/** Returns the validation error of a written segment; `undefined` if it is valid. */
const segmentError = (
  raw: string,
  pattern: SegmentPattern | undefined,
  written: ReadonlyArray<WrittenPart>,
): string | undefined => {
  if (
    written.some(({ value }) => value?.shape.keepsEscapes === true && !value.texts.every(isSegment))
  )
    return notEncoded
  const segments = raw.split('/')
  if (segments.includes('')) return 'must not result in an empty path segment'
  if (segments.some(isDots)) return 'must not result in a dot segment'
  return pattern?._tag !== 'Expression' || isReadBack(pattern, raw, written)
    ? undefined
    : `must match the template: ${pattern.source.replaceAll(/\(\?<espalier\d+>/g, '(')}`
}

const notEncoded = 'must be a percent-encoded path segment'

/** Whether a server reads the same values from a segment. */
const isReadBack = (
  { expression, spans }: Extract<SegmentPattern, { readonly _tag: 'Expression' }>,
  raw: string,
  written: ReadonlyArray<WrittenPart>,
): boolean => {
  const text = written.map((part) => part.text).join('')
  const groups = expression.exec(text)?.groups
  if (groups === undefined || (!spans && raw.includes('/'))) return false
  const rawGroups = raw === text ? groups : expression.exec(raw)?.groups
  return written
    .filter(({ value }) => value !== undefined)
    .every(({ raw: rawPart, text: expected, value }, position) => {
      const name = groupName(position)
      const captured = groups[name] ?? ''
      if (captured !== expected || captured === text) return captured === expected
      if (value?.shape.keepsEscapes === true) return (rawGroups?.[name] ?? captured) === rawPart
      return value?.shape.isCollection !== true || captured.split('/').length === value.texts.length
    })
}

/** Whether a text is a path segment (RFC 3986, 3.3) without `;`, which starts matrix parameters. */
const isSegment = (text: string): boolean =>
  /^(?:[\w\-.~!$&'()*+,=:@]|%[\dA-Fa-f]{2})*$/.test(text) && Percent.decode(text) !== undefined

const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment)

const literal = (text: string): string =>
  UriReference.escape(text).replaceAll(/[?#]/g, encodeURIComponent)

const matrixText = (encodeMatrix: EncodeGroup, input: Input, errors: ValidationError[]): string =>
  encodeMatrix(input, errors)
    .flatMap(({ name, shape, texts }) =>
      texts.map((text) => {
        if (!shape.keepsEscapes) return `;${Percent.encode(name)}=${Percent.encode(text)}`
        if (!isSegment(text)) errors.push({ in: 'matrix', name, detail: notEncoded })
        return `;${Percent.encode(name)}=${text}`
      }),
    )
    .join('')
