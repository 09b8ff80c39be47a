/**
 * The path of a request: a template, filled so that the server takes it apart into the same values. A value never leaves its
 * segment: what has a meaning in a path is encoded, and what cannot be hidden (`.`, `..`, nothing at all) is refused.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.3
 */
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import type { Part, SegmentPattern } from '../../endpoint/internal/path-pattern.ts'
import { splitSegments, groupName, compilePattern } from '../../endpoint/internal/path-pattern.ts'
import type { Template } from '../../endpoint/internal/path-template.ts'
import type { ValidationError } from '../../http/failure.ts'
import * as Percent from '../../http/percent.ts'
import * as UriReference from '../../http/uri-reference.ts'
import type { Given, Gather, Input, Parameter } from './call-input.ts'
import { gathering, membersOf, onlyTextIn, parametersOf } from './call-input.ts'

/** The path with the matrix parameters behind its last segment. */
export type WritePath = (input: Input, errors: ValidationError[]) => string

/** Prepares a template, which was found to be right. */
export const pathWriter = (
  template: Template,
  codecs: ParameterMap,
  matrix: ParameterMap,
): WritePath => {
  const parameters = parametersOf('path', codecs)
  const gather = gathering(parameters)
  const plain = plainPath(template, parameters)
  const spanning = new Set(
    [...codecs].flatMap(([key, { _tag }]) => (_tag === 'SegmentsType' ? key : [])),
  )
  const { segments } = compilePattern(template, spanning)
  const writers = splitSegments(template).map((parts, at) => segmentWriter(parts, segments[at]))
  const gatherMatrix = gathering(parametersOf('matrix', matrix))
  return (input, errors) => {
    const usual = matrix.size === 0 ? plain(membersOf(input, 'path')) : undefined
    if (usual !== undefined) return usual
    const before = errors.length
    const values = gather(input, errors)
    const behind = matrixText(gatherMatrix, input, errors)
    if (errors.length > before) return ''
    let path = ''
    for (const write of writers) path += `/${write(values, errors)}`
    return `${path === '' ? '/' : path}${behind}`
  }
}

/**
 * The path of a template whose segments are a literal or a variable each, and of values that consist of letters, digits, `-` and `_`:
 * there is nothing to encode, and nothing to object to. `undefined` for any other.
 */
const plainPath = (
  template: Template,
  parameters: ReadonlyArray<Parameter>,
): ((values: Input) => string | undefined) => {
  const segments = splitSegments(template).map((parts) => plainSegment(parts, parameters))
  const isWhole = parameters.every((one) => segments.includes(one))
  if (!isWhole || segments.length === 0 || segments.includes(undefined)) return () => undefined
  return (values) => {
    let path = ''
    for (const segment of segments) {
      if (typeof segment !== 'object') {
        path += `/${segment}`
        continue
      }
      const text = onlyTextIn(values, segment)
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

type WriteSegment = (values: ReadonlyArray<Given>, errors: ValidationError[]) => string

const named = (values: ReadonlyArray<Given>, name: string): Given | undefined => {
  for (const given of values) if (given.name === name) return given
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
  return mixed(parts, names, pattern)
}

const mixed =
  (
    parts: ReadonlyArray<Part>,
    names: ReadonlyArray<string>,
    pattern: SegmentPattern | undefined,
  ): WriteSegment =>
  (values, errors) => {
    const written = parts.map((part) =>
      part._tag === 'Literal'
        ? { raw: literal(part.text), text: Percent.decode(part.text) ?? part.text }
        : variable(named(values, part.name)),
    )
    const raw = written.map((one) => one.raw).join('')
    const detail = objection(raw, pattern, written)
    if (detail !== undefined)
      errors.push(...names.map((name): ValidationError => ({ in: 'path', name, detail })))
    return raw
  }

/** A part of a segment as it is sent, and what it stands for. */
interface Written {
  readonly raw: string
  readonly text: string
  /** What a variable was given; `undefined` for a literal. */
  readonly given?: Given
}

/** A variable that is not `encoded` is; one that is has to be fit for its place. Segments are joined by slashes. */
const variable = (given: Given | undefined): Written => {
  if (given === undefined) return { raw: '', text: '' }
  const { shape, texts } = given
  const raw = texts.map((text) => (shape.keepsEscapes ? text : Percent.encode(text))).join('/')
  return { raw, text: shape.keepsEscapes ? (Percent.decode(raw) ?? raw) : texts.join('/'), given }
}

const objection = (
  raw: string,
  pattern: SegmentPattern | undefined,
  written: ReadonlyArray<Written>,
): string | undefined => {
  if (
    written.some(({ given }) => given?.shape.keepsEscapes === true && !given.texts.every(isSegment))
  )
    return 'has a character that cannot stand in a segment as it is'
  const segments = raw.split('/')
  if (segments.includes('')) return 'is an empty segment of the path'
  if (segments.some(isDots)) return 'is a dot segment, which leads elsewhere'
  return pattern?._tag !== 'Expression' || isReadBack(pattern, raw, written)
    ? undefined
    : `is not what the template takes: ${pattern.source.replaceAll(/\(\?<espalier\d+>/g, '(')}`
}

/** Whether the variables of a segment take again what they were given. */
const isReadBack = (
  { expression, spans }: Extract<SegmentPattern, { readonly _tag: 'Expression' }>,
  raw: string,
  written: ReadonlyArray<Written>,
): boolean => {
  const text = written.map((one) => one.text).join('')
  const groups = expression.exec(text)?.groups
  if (groups === undefined || (!spans && raw.includes('/'))) return false
  const raws = raw === text ? groups : expression.exec(raw)?.groups
  return written
    .filter(({ given }) => given !== undefined)
    .every(({ raw: own, text: meant, given }, position) => {
      const name = groupName(position)
      const taken = groups[name] ?? ''
      if (taken !== meant || taken === text) return taken === meant
      if (given?.shape.keepsEscapes === true) return (raws?.[name] ?? taken) === own
      return given?.shape.isCollection !== true || taken.split('/').length === given.texts.length
    })
}

/** A segment of RFC 3986 without `;`, behind which parameters would begin. */
const isSegment = (text: string): boolean =>
  /^(?:[\w\-.~!$&'()*+,=:@]|%[\dA-Fa-f]{2})*$/.test(text) && Percent.decode(text) !== undefined

const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment)

const literal = (text: string): string =>
  UriReference.escape(text).replaceAll(/[?#]/g, encodeURIComponent)

const matrixText = (gather: Gather, input: Input, errors: ValidationError[]): string =>
  gather(input, errors)
    .flatMap(({ name, shape, texts }) =>
      texts.map((text) => {
        if (!shape.keepsEscapes) return `;${Percent.encode(name)}=${Percent.encode(text)}`
        if (!isSegment(text))
          errors.push({
            in: 'matrix',
            name,
            detail: 'has a character that cannot stand there as it is',
          })
        return `;${Percent.encode(name)}=${text}`
      }),
    )
    .join('')
