/** Creates the responses of a mock operation: selects a declared response, and generates its body or selects an example. */
import { parseDeclaredType } from '../../body/charset.ts'
import type { Codec } from '../../codec/codec.ts'
import type { DeclaredResponse, Definition } from '../../endpoint/endpoint.ts'
import { defaultResponse } from '../../endpoint/internal/default-response.ts'
import type { NamedExample } from '../../endpoint/definition/operation-documentation.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import * as MediaType from '../../http/media-type.ts'
import * as O from 'fp-ts/lib/Option.js'
import type { GenerateValue } from './codec-values.ts'
import type { BodyRequest, CreateBody, MockBody } from './mock-body.ts'
import { bodyOf } from './mock-body.ts'
import type { MockPreferences } from './prefer-header.ts'
import { random } from './random.ts'

/** A declared response, with the functions that create its bodies. */
export interface MockResponse {
  readonly status: number
  readonly failure: boolean
  readonly examples: ReadonlyArray<NamedExample>
  readonly bodies: ReadonlyArray<{
    readonly representation: AnyRepresentation
    readonly create: CreateBody
  }>
}

/** The responses of an operation. */
export interface MockResponses {
  /** The response to requests that prefer no other status. */
  readonly preferred: MockResponse
  readonly byStatus: ReadonlyMap<number, MockResponse>
  /** The representations for which no value can be generated, as titles such as `application/json of Book`. */
  readonly unsupported: ReadonlyArray<string>
}

/**
 * Returns the responses of an operation. `examples` are its examples, including those of enclosing trees. `valuesOf` returns the
 * generator of a codec.
 */
export const responsesOf = (
  definition: Definition,
  examples: ReadonlyArray<NamedExample>,
  valuesOf: (codec: Codec) => GenerateValue,
): MockResponses => {
  const { response, declaredBy } = defaultResponse(definition)
  const { responses: declared } = definition
  const first = declaredBy === 'none' ? firstSuccess(declared) : response
  const create = (one: DeclaredResponse): MockResponse => ({
    status: one.status,
    failure: one.failure,
    examples: examples.filter(
      ({ location, status = first.status }) => location === 'response' && status === one.status,
    ),
    bodies: withCustomBodies(
      one.representations.map((representation) => ({
        representation,
        create: bodyOf(representation, valuesOf),
      })),
    ),
  })
  const all = (declaredBy === 'produced' ? [response, ...declared] : declared).map(create)
  const byStatus = new Map(all.toReversed().map((one) => [one.status, one]))
  return {
    preferred: byStatus.get(first.status) ?? create(first),
    byStatus,
    unsupported: all.flatMap(unsupportedBodies),
  }
}

/** Returns the response that is sent by default if no default response is declared: a success, a redirection or a failure. */
const firstSuccess = (declared: ReadonlyArray<DeclaredResponse>): DeclaredResponse =>
  declared.find(({ status, failure }) => !failure && status !== 304) ??
  declared[0] ?? { status: 204, failure: false, representations: [] }

/** Custom representations have no codec. They contain the value of another representation of the same response. */
const withCustomBodies = (bodies: MockResponse['bodies']): MockResponse['bodies'] => {
  const other = bodies.find(({ representation }) => representation.format._tag !== 'Custom')
  return other === undefined
    ? bodies
    : bodies.map(({ representation, create }) => ({
        representation,
        create:
          representation.format._tag === 'Custom' ? writable(representation, other.create) : create,
      }))
}

/** Omits values that a custom representation cannot write. */
const writable =
  ({ format }: AnyRepresentation, create: CreateBody): CreateBody =>
  (request) => {
    const body = create(request)
    if (body === undefined || format._tag !== 'Custom') return body
    try {
      format.write?.(body.entity)
      return body
    } catch {
      return undefined
    }
  }

/** Returns the bodies for which neither an example nor a generated value exists. */
const unsupportedBodies = ({ examples, bodies }: MockResponse): ReadonlyArray<string> =>
  examples.length > 0
    ? []
    : bodies.flatMap(({ representation, create }) =>
        create({ random: random(0), known: new Map(), schedule: { interval: 0 } }) === undefined
          ? [titleOf(representation)]
          : [],
      )

const titleOf = ({ mediaType, format }: AnyRepresentation): string => {
  const codec = codecOf(format)
  return codec === undefined ? mediaType : `${mediaType} of ${codec.name}`
}

const codecOf = (format: AnyRepresentation['format']): Codec | undefined =>
  format._tag === 'EventStream' && format.data._tag === 'Codec'
    ? format.data.codec
    : 'codec' in format
      ? format.codec
      : undefined

/** The negotiated type and language of the response. */
export interface Negotiated {
  readonly contentType: string | undefined
  readonly language: string | undefined
}

/** Returns the preferred or a random example, or `undefined` if a value is generated. */
export const selectExample = (
  { examples }: MockResponse,
  { example, dynamic }: MockPreferences,
  { random: numbers }: BodyRequest,
): NamedExample | undefined => {
  const named = examples.find(({ name }) => name === example)
  const [first, ...rest] = examples
  return (
    named ??
    (dynamic || first === undefined ? undefined : numbers.fork('example').pick([first, ...rest]))
  )
}

/** Creates the body in the negotiated representation, or `undefined` for a response without a body. */
export const createBody = (
  { bodies }: MockResponse,
  negotiated: Negotiated,
  request: BodyRequest,
): MockBody | undefined => {
  const body =
    bodies.find(({ representation }) => isNegotiated(representation, negotiated)) ?? bodies[0]
  return body?.create(request)
}

const isNegotiated = (
  { mediaType, language }: AnyRepresentation,
  negotiated: Negotiated,
): boolean => {
  const declared = parseDeclaredType(mediaType)
  const sent = O.toUndefined(MediaType.parse(negotiated.contentType ?? ''))
  return (
    declared !== undefined &&
    sent !== undefined &&
    MediaType.includes(declared.mediaType, sent) &&
    language === negotiated.language
  )
}
