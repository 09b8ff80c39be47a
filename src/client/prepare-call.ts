/** Prepares calls of an operation: how its requests are written, sent through policies, and its responses read. */
import * as E from 'fp-ts/lib/Either.js'
import type { JsonSettings } from '../body/json/json-rules.ts'
import type { Definition } from '../endpoint/endpoint.ts'
import type { ConfigurationIssue } from '../endpoint/internal/configuration-error.ts'
import type { TreeScope } from '../endpoint/internal/tree-scope.ts'
import { setFailedRequest } from './call-failed.ts'
import type { CallOptions } from './call-options.ts'
import { parseCallOptions } from './call-options.ts'
import type { ClientSettings } from './client-options.ts'
import { defectError, encodeError } from './error-factories.ts'
import type { ClientRequest, Passage } from './exchange.ts'
import { applyPolicies } from './policy/policy.ts'
import type { BodyEnvironment } from './request/body-writer.ts'
import { clientContext } from './request/body-writer.ts'
import type { AnyCallInput } from './request/parameter-values.ts'
import { requestWriter } from './request/request-writer.ts'
import { clientOperation } from './response/response-plan.ts'
import type { CallResult } from './response/response-reader.ts'
import { responseReader } from './response/response-reader.ts'
import { isPromise } from '../http/platform-value.ts'

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

/** Prepares the calls of an operation. Returns a `Left` with the configuration errors that prevent calls. */
export const prepareCall = (
  definition: Definition,
  scope: TreeScope,
  { sender, jsonSettings, limits, reconnect: defaultReconnect }: CallSettings,
): E.Either<ReadonlyArray<ConfigurationIssue>, PreparedCall> => {
  const operation = clientOperation(definition, scope)
  if (E.isLeft(operation)) return operation
  const { info, responses, entities } = operation.right
  const environment: BodyEnvironment = { entities, context: clientContext(info), jsonSettings }
  const write = requestWriter(operation.right, sender, environment)
  const read = responseReader(info, responses, environment, limits)
  const unsupported = (verb: string, types: ReadonlyArray<string>): ConfigurationIssue => ({
    code: 'FW-CLIENT-002',
    concerns: [`${info.method} ${info.template}  (${info.name})`],
    remedy: `a client cannot ${verb} ${types.join(', ')}`,
  })
  if (E.isLeft(write) || E.isLeft(read))
    return E.left([
      ...(E.isLeft(write) ? [unsupported('send', write.left)] : []),
      ...(E.isLeft(read) ? [unsupported('read', read.left)] : []),
    ])
  return E.right(async (passage, input, callOptions) => {
    try {
      const options = parseCallOptions(callOptions)
      const written = write.right(input ?? noInput, options)
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
      const decoded = E.isLeft(result) ? result : await read.right(result.right, request, resender)
      if (E.isLeft(decoded)) setFailedRequest(decoded.left, request)
      return decoded
    } catch (error) {
      return E.left(defectError(info, error))
    }
  })
}

const noInput: AnyCallInput = Object.freeze({})
