/** Prepares calls of an operation: how its requests are written, sent through policies, and its responses read. */
import * as E from 'fp-ts/lib/Either.js'
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
import type { BodyEnvironment } from './request/body-writer.ts'
import type { AnyCallInput } from './request/parameter-values.ts'
import type { FurtherRequests, WriteRequest } from './request/request-writer.ts'
import { requestWriter } from './request/request-writer.ts'
import { clientOperation } from './response-plan.ts'
import type { CallResult, FurtherResponses, ReadResponse } from './response/response-reader.ts'
import { responseReader } from './response/response-reader.ts'
import { needsFurtherFormats, unreadableTypes, unwritableTypes } from './supported-formats.ts'
import { isPromise } from '../http/platform-value.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'

/** Settings of the calls of an operation. */
export interface CallSettings extends Omit<ClientSettings, 'passage'> {
  readonly jsonSettings: JsonSettings
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
  { sender, jsonSettings, limits, reconnect: defaultReconnect }: CallSettings,
): E.Either<ReadonlyArray<ConfigurationIssue>, PreparedCall> => {
  const operation = clientOperation(definition, scope)
  if (E.isLeft(operation)) return operation
  const { info, responses, entities } = operation.right
  const unsupported = (
    verb: string,
    types: ReadonlyArray<string>,
  ): ReadonlyArray<ConfigurationIssue> =>
    types.length === 0
      ? []
      : [
          {
            code: 'FW-CLIENT-002',
            concerns: [operationTitle(info)],
            remedy: `a client cannot ${verb} ${types.join(', ')}`,
          },
        ]
  const issues = [
    ...unsupported('send', unwritableTypes(operation.right)),
    ...unsupported('read', unreadableTypes(operation.right)),
  ]
  if (issues.length > 0) return E.left(issues)
  const environment: BodyEnvironment = { entities, endpoint: info, jsonSettings }
  const create = (further?: FurtherRequests & FurtherResponses): Codecs => ({
    write: requestWriter(operation.right, sender, environment, further),
    read: responseReader(info, responses, environment, limits, loadFurtherFormats, further),
  })
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
      const written = write(input ?? noInput, options)
      const encoded = isPromise(written) ? await written : written
      if (E.isLeft(encoded)) {
        const error = encodeError(info, encoded.left)
        setFailedRequest(error, { method: info.method, url: info.template })
        return E.left(error)
      }
      const { policies, reconnect = defaultReconnect, timeout } = options
      const send = policies === undefined ? passage : applyPolicies(policies, passage)
      const request = timeout === undefined ? encoded.right : { ...encoded.right, timeout }
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
