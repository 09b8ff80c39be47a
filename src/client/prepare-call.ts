/**
 * Prepares calls of an operation: how its requests are written, sent through policies, and its responses read. Determines from the
 * formats which representations a client can send and receive, and which of them are plain: JSON, text and bytes.
 */
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import type { JsonSettings } from '../body/json/json-rules.ts'
import type { Definition } from '../endpoint/endpoint.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import type { TreeScope } from '../endpoint/tree/tree-scope.ts'
import { setFailedRequest } from './call-failed.ts'
import type { CallOptions } from './call-options.ts'
import { parseCallOptions } from './call-options.ts'
import type { ClientSettings } from './client-options.ts'
import { defectError, encodeError, transportError } from './error-factories.ts'
import type { ClientRequest, Passage } from './exchange.ts'
import { applyPolicies } from './policy/policy.ts'
import type { AttemptTracing } from './traced-attempts.ts'
import type { BodyEnvironment } from './request/body-writer.ts'
import type { AnyCallInput } from './request/parameter-values.ts'
import type { FurtherRequests, WriteRequest } from './request/request-writer.ts'
import { requestWriter } from './request/request-writer.ts'
import { clientOperation } from './response-plan.ts'
import type { CallResult, FurtherResponses, ReadResponse } from './response/response-reader.ts'
import { responseReader } from './response/response-reader.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'
import { containsBigint } from '../codec/json/json-library.ts'
import { requiresMultipart, isFormPart } from '../endpoint/body.ts'
import type { BodyPlan } from '../body/body-plan.ts'
import { isTypedLater, nestedIn } from '../body/body-plan.ts'
import { bodyPlans } from '../body/create-body-plans.ts'
import type { ClientOperation } from './response-plan.ts'

/** Settings of the calls of an operation. */
export interface CallSettings extends Omit<ClientSettings, 'passage'> {
  readonly jsonSettings: JsonSettings
  /** Publishes attempts. `undefined` if the platform cannot. */
  readonly tracing?: AttemptTracing | undefined
}

/** Calls an operation. Requests are sent through `passage`. The promise is never rejected. */
export type PreparedCall = (
  passage: Passage,
  input: AnyCallInput | null | undefined,
  options: CallOptions | null | undefined,
) => Promise<CallResult>

/** Functions that write the requests of an operation, and read its responses. */
interface Codecs {
  readonly write: WriteRequest
  readonly read: ReadResponse
}

/** Prepares the calls of an operation. Returns a `Left` with the configuration errors that prevent calls. */
export const prepareCall = (
  definition: Definition,
  scope: TreeScope,
  { sender, jsonSettings, limits, reconnect: defaultReconnect, tracing }: CallSettings,
): E.Either<ReadonlyArray<ConfigurationIssue>, PreparedCall> => {
  const operation = clientOperation(definition, scope)
  if (E.isLeft(operation)) return operation
  const { info, responses, entities } = operation.right
  const unsupported = {
    send: unwritableTypes(operation.right),
    read: unreadableTypes(operation.right),
  }
  const issues = Object.entries(unsupported).flatMap(
    ([verb, types]): ReadonlyArray<ConfigurationIssue> => {
      const remedy = `a client cannot ${verb} ${types.join(', ')}`
      const concerns = [operationTitle(info)]
      return types.length === 0 ? [] : [{ code: 'FW-CLIENT-002', concerns, remedy }]
    },
  )
  if (issues.length > 0) return E.left(issues)
  const environment: BodyEnvironment = { entities, endpoint: info, jsonSettings }
  const create = (further?: FurtherRequests & FurtherResponses): Codecs => ({
    write: requestWriter(operation.right, sender, environment, further),
    read: responseReader(info, responses, environment, limits, loadFurtherFormats, further),
  })
  const counted = tracing?.counter() ?? identity
  let codecs = needsFurtherFormats(operation.right) ? undefined : create()
  return E.right(async (passage, input, callOptions) => {
    try {
      const options = parseCallOptions(callOptions)
      if (codecs === undefined) {
        const further = await loadFurtherFormats().then(E.right, E.left)
        if (E.isLeft(further)) return E.left(transportError(info, further.left, options.signal))
        codecs ??= create(further.right)
      }
      const { write, read } = codecs
      const encoded = await write(input ?? noInput, options)
      if (E.isLeft(encoded)) {
        const error = encodeError(info, encoded.left)
        setFailedRequest(error, { method: info.method, url: info.template })
        return E.left(error)
      }
      const { policies, reconnect = defaultReconnect, timeout } = options
      const send = policies === undefined ? passage : applyPolicies(policies, passage)
      const request = counted(timeout === undefined ? encoded.right : { ...encoded.right, timeout })
      const result = await send(request)()
      const resender =
        reconnect === undefined
          ? undefined
          : { reconnect, send: (repeated: ClientRequest) => send(repeated)() }
      const decoded = E.isLeft(result) ? result : await read(result.right, request, resender)
      if (E.isLeft(decoded)) setFailedRequest(decoded.left, request)
      return decoded
    } catch (error) {
      return E.left(defectError(info, error))
    }
  })
}

/** Loads the functions that not all clients need. In a page, they are a file of their own. */
const loadFurtherFormats = (): Promise<FurtherRequests & FurtherResponses> =>
  import('./further-formats.ts')

const noInput: AnyCallInput = Object.freeze({})

const plain: ReadonlySet<string> = new Set(['Json', 'RawJson', 'Problem', 'Text', 'Bytes'])

/** Whether an operation needs functions of `further-formats.ts`. */
export const needsFurtherFormats = ({
  bodies,
  responses,
  definition,
  entities,
}: ClientOperation): boolean =>
  entities.readerInterceptors.length + entities.writerInterceptors.length > 0 ||
  [...definition.parameters.form.values()].some(requiresMultipart) ||
  [...bodies, ...[...responses.values()].flatMap(({ alternatives }) => alternatives)].some(
    ({ format, json }) => !plain.has(format._tag) || !isPlainJson(format, json),
  )

/** Whether the global `JSON` object reads and writes a body, if it is JSON. */
const isPlainJson = (format: BodyPlan['format'], json: BodyPlan['json']): boolean =>
  (format._tag !== 'Json' && format._tag !== 'Problem') ||
  (json === undefined && !containsBigint(format.codec))

/** The formats of chunks. A part of a multipart response can have them. */
const chunkFormats: ReadonlySet<string> = new Set(['ByteStream', 'TextStream'])

/** The other formats that a client processes in chunks. */
const streamFormats: ReadonlySet<string> = new Set([
  'JsonStream',
  'EventStream',
  'FileBody',
  'MultipartInput',
  'MultipartStream',
  'MultipartOutput',
])

const isChunks = (plan: BodyPlan): boolean =>
  isTypedLater(plan) || chunkFormats.has(plan.format._tag)

/** Whether a client sends or receives bodies in a format. Custom readers do not apply to event data and parts. */
const isSupported = (direction: 'sent' | 'received', plan: BodyPlan): boolean => {
  const { format } = plan
  switch (format._tag) {
    case 'FileBody':
    case 'MultipartInput':
    case 'MultipartStream':
      return direction === 'sent'
    case 'EventStream':
    case 'MultipartOutput':
      return (
        direction === 'received' &&
        nestedIn(format)
          .flatMap((nested) => bodyPlans([nested], [], plan).slice(0, 1))
          .every(
            (part) =>
              isWhole('received', part) || (format._tag === 'MultipartOutput' && isChunks(part)),
          )
      )
    case 'Provider':
      return format.by._tag === (direction === 'sent' ? 'Writer' : 'Reader')
    case 'Custom':
      return format[direction === 'sent' ? 'write' : 'read'] !== undefined
    default:
      return direction === 'received' || !isTypedLater(plan)
  }
}

/** Whether a client sends or receives bodies in a format as a whole. */
const isWhole = (direction: 'sent' | 'received', plan: BodyPlan): boolean =>
  !isChunks(plan) && !streamFormats.has(plan.format._tag) && isSupported(direction, plan)

/** Returns the media types of the bodies and form parts that a client cannot send. */
export const unwritableTypes = ({
  bodies,
  definition,
  entities,
}: ClientOperation): ReadonlyArray<string> => {
  const parts = [...definition.parameters.form.values()].flatMap((part) =>
    isFormPart(part) && part.kind === 'part' && part.representation !== undefined
      ? bodyPlans([part.representation], entities.writers, entities)
      : [],
  )
  return [
    ...parts.filter((plan) => !isWhole('sent', plan)),
    ...bodies.filter((plan) => !isSupported('sent', plan)),
  ].map(({ contentType }) => contentType)
}

/** Returns the media types of the responses that a client cannot read. */
export const unreadableTypes = ({ responses }: ClientOperation): ReadonlyArray<string> =>
  [...responses.values()]
    .flatMap(({ alternatives }) => alternatives)
    .filter((plan) => !isSupported('received', plan))
    .map(({ contentType }) => contentType)
