/** Creates handlers that respond with generated values. */
import type { Codec } from '../../codec/codec.ts'
import type { Context } from '../../endpoint/context.ts'
import type { AnyHandler, DeclaredPreconditions, Definition } from '../../endpoint/endpoint.ts'
import { HttpError } from '../../endpoint/http-error.ts'
import { headersOf } from '../../endpoint/internal/response-headers.ts'
import { vary } from '../../endpoint/reply-header.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { addHeaderValues, reply, withHeader } from '../../endpoint/reply.ts'
import type { GenerateValue, KnownMembers } from './codec-values.ts'
import type { MockBody } from './mock-body.ts'
import type { ElementVariable } from './mock-location.ts'
import { locationOf } from './mock-location.ts'
import type { MockResponse, MockResponses } from './mock-response.ts'
import { createBody, selectExample } from './mock-response.ts'
import type { MockPreferences } from './prefer-header.ts'
import { formatApplied, parsePrefer } from './prefer-header.ts'
import type { Random } from './random.ts'
import type { Json } from '../../codec/json-schema.ts'
import { isPlainObject } from '../../http/platform-value.ts'
import { attemptTo } from '../schema/fold.ts'

/** The parts of an operation from which its mock handler is created. */
export interface MockOperation {
  readonly name: string
  readonly definition: Definition
  readonly responses: MockResponses
  readonly element: ElementVariable | undefined
  readonly valuesOf: (codec: Codec) => GenerateValue
  /** Numbers that depend only on the seed. */
  readonly random: Random
  /** Milliseconds between two events of an event stream. `0` for streams that end after a few events. */
  readonly eventInterval: number
}

/** Creates the handler of a mock operation. */
export const mockHandler =
  (operation: MockOperation): AnyHandler =>
  (input, context) => {
    const preferences = parsePrefer(context.request.header('Prefer'))
    const { preferred, byStatus } = operation.responses
    const { code } = preferences
    const declared = code === undefined ? undefined : byStatus.get(code)
    if (code !== undefined && declared === undefined && code >= 400)
      throw new HttpError(code, 'requested by the preference code', {
        headers: {
          'Preference-Applied': `code=${code}`,
          Vary: 'Prefer',
          // RFC 9110, 15.5.17: the size of a file without bytes
          ...(code === 416 ? { 'Content-Range': 'bytes */0' } : {}),
        },
      })
    const applied = declared === undefined ? undefined : code
    return respond(
      operation,
      declared ?? preferred,
      { ...preferences, code: applied },
      input,
      context,
    )
  }

const respond = (
  { name, definition, element, valuesOf, random, eventInterval }: MockOperation,
  response: MockResponse,
  preferences: MockPreferences,
  input: Readonly<Record<string, unknown>>,
  context: Context,
): AnyReply => {
  const { status, bodies } = response
  const fromPath = pathMembers(definition, input, context)
  const fromBody = response.failure ? new Map() : bodyMembers(definition, input)
  const numbers = [
    name,
    status,
    JSON.stringify([...context.uri.pathParameters]),
    context.request.query ?? '',
    JSON.stringify([...fromBody]),
  ].reduce<Random>((before, key) => before.fork(key), random)
  const request = {
    random: numbers,
    known: new Map([...fromBody, ...fromPath]),
    schedule: {
      interval: eventInterval,
      signals: [context.request.signal, context.application.stopping],
    },
  }
  const example = selectExample(response, preferences, request)
  const body: MockBody | undefined =
    example === undefined
      ? createBody(response, context.response, request)
      : { entity: example.value }
  if (body === undefined && bodies.length > 0)
    throw new Error(`no value could be generated for the response ${status} of ${name}`)
  const location = locationOf(status, body?.entity, context, element, valuesOf, numbers)
  const isNamed = example !== undefined && example.name === preferences.example
  const headers: ReadonlyArray<readonly [name: string, value: string | undefined]> = [
    ['Content-Type', body?.contentType],
    ['Location', location],
    ['Preference-Applied', formatApplied(preferences.code, isNamed ? example : undefined)],
  ]
  const declared = headersOf(definition, response).map(
    ({ key, codec }) => [key, valuesOf(codec)(numbers.fork(key), undefined, key)?.value] as const,
  )
  return headers.reduce<AnyReply>(
    (result, [header, value]) => (value === undefined ? result : withHeader(header, value)(result)),
    addHeaderValues(vary('Prefer')(reply(status, body?.entity)), Object.fromEntries(declared)),
  )
}

/**
 * Returns preconditions with the same responses. The functions of the service are replaced, because they access its data: the ETag
 * depends only on the path, so that the ETag of a GET response is valid for other methods.
 */
export const mockPreconditions = (
  { compute, evaluate }: DeclaredPreconditions,
  random: Random,
): DeclaredPreconditions => {
  const etag = ({ request }: Context): string =>
    random.fork(request.path).integer(0, 0xffffffff).toString(36)
  return Object.freeze({
    // `conditional` declares one function for the state, or one for the ETag and one for the date
    compute:
      compute.length === 1
        ? [(_: unknown, context: Context) => ({ etag: etag(context) })]
        : [(_: unknown, context: Context) => etag(context), () => undefined],
    evaluate,
  })
}

type Input = Readonly<Record<string, unknown>>

/** Returns the path variables as candidates for members in JSON: as number, as encoded value and as text. */
const pathMembers = (
  { parameters: { path } }: Definition,
  input: Input,
  { uri }: Pick<Context, 'uri'>,
): KnownMembers => {
  const decoded = recordOf(input['path'])
  return new Map(
    Array.from(uri.pathParameters, ([name, text]) => {
      const value = decoded[name]
      const codec = path.get(name)
      const encoded = codec?.is(value) === true ? encode(codec, value) : undefined
      return [name, [value, encoded, text].filter(isScalar)] as const
    }),
  )
}

/** Returns the members of an object in the request body, and the values of form fields. */
const bodyMembers = ({ bodies }: Definition, { body, form }: Input): KnownMembers => {
  const members = new Map<string, ReadonlyArray<Json>>()
  const codecs = bodies.flatMap(({ format }) => ('codec' in format ? (format.codec ?? []) : []))
  const codec = body === undefined ? undefined : codecs.find((one) => one.is(body))
  const encoded = codec === undefined ? undefined : encode(codec, body)
  for (const [name, value] of Object.entries({ ...recordOf(encoded), ...recordOf(form) })) {
    const text: string | undefined = isPlain(value) ? JSON.stringify(value) : undefined
    if (text !== undefined) members.set(name, [JSON.parse(text)])
  }
  return members
}

/** Whether a value is JSON, or an array or a plain object that can be serialized. */
const isPlain = (value: unknown): boolean =>
  isScalar(value) || Array.isArray(value) || isPlainObject(value)

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

/** Encodes a value. Returns `undefined` for codecs that do not encode values outside of responses, such as restricted ones. */
const encode = (codec: Codec, value: unknown): unknown => attemptTo(() => codec.encode(value))

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
