/**
 * Builds request paths from path templates.
 *
 * Paths are encoded so that a server can decode them to the original values. Delimiters are percent-encoded, so a value
 * cannot extend beyond its segment. Values that cannot be protected by encoding (`.`, `..` and empty values) are
 * rejected.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.3
 */
import * as Percent from '../../http/percent.ts'
import * as UriReference from '../../http/uri-reference.ts'
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import type { PatternSegment, SegmentPattern } from '../../endpoint/definition/path-pattern.ts'
import { splitSegments, groupName, compilePattern } from '../../endpoint/definition/path-pattern.ts'
import type { Template } from '../../endpoint/definition/path-template.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { EncodedParameter, EncodeGroup, AnyCallInput } from './parameter-values.ts'
import { groupEncoder } from './parameter-values.ts'

/**
 * Builds the path of a request, with matrix parameters after the last segment. Adds a validation error to `errors` for
 * each invalid parameter.
 */
export type WritePath = (input: AnyCallInput, errors: ValidationError[]) => string

/** Creates a path writer for a valid template. */
export const pathWriter = (
  template: Template,
  codecs: ParameterMap,
  matrix: ParameterMap,
): WritePath => {
  const encodeParameters = groupEncoder('path', codecs)
  const spanningNames = new Set(
    [...codecs].flatMap(([key, { _tag }]) => (_tag === 'SegmentsType' ? key : [])),
  )
  const { segments } = compilePattern(template, spanningNames)
  const writers = splitSegments(template).map((parts, index) =>
    segmentWriter(parts, segments[index]),
  )
  const encodeMatrix = groupEncoder('matrix', matrix)
  return (input, errors) => {
    const errorCount = errors.length
    const values = encodeParameters(input, errors)
    const suffix = writeMatrix(encodeMatrix, input, errors)
    if (errors.length > errorCount) return ''
    return `/${writers.map((write) => write(values, errors)).join('/')}${suffix}`
  }
}

type WriteSegment = (values: ReadonlyArray<EncodedParameter>, errors: ValidationError[]) => string

const segmentWriter = (
  parts: ReadonlyArray<PatternSegment>,
  pattern: SegmentPattern | undefined,
): WriteSegment => {
  const names = parts.flatMap((part) => (part._tag === 'Variable' ? [part.name] : []))
  const writers = parts.map((part): ((values: ReadonlyArray<EncodedParameter>) => WrittenPart) => {
    if (part._tag === 'Variable')
      return (values) => writeVariable(values.find(({ name }) => name === part.name))
    const literal = { raw: escapeLiteral(part.text), text: Percent.decode(part.text) ?? part.text }
    return () => literal
  })
  if (names.length === 0) {
    const raw = writers.map((write) => write([]).raw).join('')
    return () => raw
  }
  return (values, errors) => {
    const written = writers.map((write) => write(values))
    const raw = written.map((part) => part.raw).join('')
    const detail = segmentError(raw, pattern, written)
    if (detail !== undefined)
      errors.push(...names.map((name): ValidationError => ({ in: 'path', name, detail })))
    return raw
  }
}

/** A literal or variable that has been written to a path segment. */
interface WrittenPart {
  /** Percent-encoded text. */
  readonly raw: string
  /** The decoded text of the literal or variable. */
  readonly text: string
  /** Parameter whose value replaces a variable, or `undefined` for a literal. */
  readonly parameter?: EncodedParameter
}

/**
 * Writes the value of a variable. The value is percent-encoded unless the codec is `encoded`. Multiple segments are
 * joined with slashes.
 */
const writeVariable = (parameter: EncodedParameter | undefined): WrittenPart => {
  if (parameter === undefined) return { raw: '', text: '' }
  const { shape, values } = parameter
  const raw = values.map((text) => (shape.keepsEscapes ? text : Percent.encode(text))).join('/')
  return {
    raw,
    text: shape.keepsEscapes ? (Percent.decode(raw) ?? raw) : values.join('/'),
    parameter,
  }
}

/** Returns the detail of the validation error if a written segment is invalid, and `undefined` otherwise. */
const segmentError = (
  raw: string,
  pattern: SegmentPattern | undefined,
  written: ReadonlyArray<WrittenPart>,
): string | undefined => {
  if (pattern?._tag !== 'Expression' && /^[\w-]+$/.test(raw)) return undefined
  if (
    written.some(
      ({ parameter }) =>
        parameter?.shape.keepsEscapes === true && !parameter.values.every(isSegment),
    )
  )
    return notEncoded
  const segments = raw.split('/')
  if (segments.includes('')) return 'must not result in an empty path segment'
  if (segments.some(isDotSegment)) return 'must not result in a dot segment'
  return pattern?._tag !== 'Expression' || isReadBack(pattern, raw, written)
    ? undefined
    : `must match the template: ${pattern.source.replaceAll(/\(\?<espalier\d+>/g, '(')}`
}

const notEncoded = 'must be a percent-encoded path segment'

/** Whether a server would decode the segment to the original values. */
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
    .filter(({ parameter }) => parameter !== undefined)
    .every(({ raw: rawPart, text: expected, parameter }, position) => {
      const name = groupName(position)
      const captured = groups[name] ?? ''
      if (captured !== expected || captured === text) return captured === expected
      if (parameter?.shape.keepsEscapes === true) return (rawGroups?.[name] ?? captured) === rawPart
      return (
        parameter?.shape.isCollection !== true ||
        captured.split('/').length === parameter.values.length
      )
    })
}

/** Whether a string is a valid path segment (RFC 3986, 3.3) that contains no matrix parameters. */
const isSegment = (text: string): boolean =>
  /^(?:[\w\-.~!$&'()*+,=:@]|%[\dA-Fa-f]{2})*$/.test(text) && Percent.decode(text) !== undefined

const isDotSegment = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment)

const escapeLiteral = (text: string): string =>
  UriReference.escape(text).replaceAll(/[?#]/g, encodeURIComponent)

const writeMatrix = (
  encodeMatrix: EncodeGroup,
  input: AnyCallInput,
  errors: ValidationError[],
): string =>
  encodeMatrix(input, errors)
    .flatMap(({ name, shape, values }) =>
      values.map((text) => {
        if (!shape.keepsEscapes) return `;${Percent.encode(name)}=${Percent.encode(text)}`
        if (!isSegment(text)) errors.push({ in: 'matrix', name, detail: notEncoded })
        return `;${Percent.encode(name)}=${text}`
      }),
    )
    .join('')
