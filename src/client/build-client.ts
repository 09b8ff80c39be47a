/** Builds the functions of a client from a route tree. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { JsonSettings } from '../body/json/json-rules.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import type { TreeScope } from '../endpoint/internal/tree-scope.ts'
import { nestedScope } from '../endpoint/internal/tree-scope.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type { AnyAnswer } from './decoded-response.ts'
import { setFailedRequest } from './call-failed.ts'
import type { CallOptions } from './call-options.ts'
import { parseCallOptions } from './call-options.ts'
import type { ClientError } from './client-error.ts'
import type { ClientSettings } from './client-options.ts'
import type { ClientRequest } from './exchange.ts'
import { defect, encodeError } from './error-factories.ts'
import type { Input } from './request/parameter-values.ts'
import type { BodyEnvironment } from './body-environment.ts'
import { clientContext } from './body-environment.ts'
import { clientOperation } from './client-operation.ts'
import { applyPolicies } from './policy/policy.ts'
import { requestWriter } from './request/request-writer.ts'
import { responseReader } from './response/response-reader.ts'

/** The settings of a client, and what is collected while it is built. */
export interface ClientBuild extends ClientSettings {
  readonly jsonSettings: JsonSettings
  readonly mistakes: Mistake[]
  /** The names of the operations built so far. */
  readonly names: Set<string>
}

type AnyCall = (
  input?: Input,
  options?: CallOptions,
) => TaskEither<ClientError | AnyAnswer, AnyAnswer>

/** Builds the client of a subtree: a frozen object, or the function of an operation. Adds configuration errors to `mistakes`. */
export const buildClient = (node: AnyNode, scope: TreeScope, build: ClientBuild): object => {
  const name = scope.keys.join('.')
  const fail = (remedy: string): void => {
    build.mistakes.push({ code: 'FW-CLIENT-001', concerns: [name], remedy })
  }
  // `await` would call the member `then` of a client
  if (scope.keys.at(-1) === 'then') fail('rename it: an object with a member "then" is a promise')
  if (node._tag === 'Endpoint') {
    if (build.names.has(name)) fail('duplicate name: avoid dots in keys, or rename one operation')
    build.names.add(name)
    return callOf(node, scope, build)
  }
  const inner = nestedScope(scope, node.wrappers)
  return Object.freeze(
    Object.fromEntries(
      Array.from(node.children, ([key, child]) => [
        key,
        buildClient(child, { ...inner, keys: [...inner.keys, key] }, build),
      ]),
    ),
  )
}

const callOf = (
  { definition }: Extract<AnyNode, { readonly _tag: 'Endpoint' }>,
  scope: TreeScope,
  { sender, passage, jsonSettings, limits, reconnect: defaultReconnect, mistakes }: ClientBuild,
): AnyCall => {
  const operation = clientOperation(definition, scope)
  if (E.isLeft(operation)) {
    mistakes.push(...operation.left)
    return notCallable
  }
  const { info, responses, entities } = operation.right
  const environment: BodyEnvironment = { entities, context: clientContext(info), jsonSettings }
  const write = requestWriter(operation.right, sender, environment)
  const read = responseReader(info, responses, environment, limits)
  const unsupported = (verb: string, types: ReadonlyArray<string>): Mistake => ({
    code: 'FW-CLIENT-002',
    concerns: [`${info.method} ${info.template}  (${info.name})`],
    remedy: `a client does not ${verb} ${types.join(', ')}`,
  })
  if (E.isLeft(write)) mistakes.push(unsupported('send', write.left))
  if (E.isLeft(read)) mistakes.push(unsupported('read', read.left))
  if (E.isLeft(write) || E.isLeft(read)) return notCallable
  return Object.freeze((input?: Input | null, callOptions?: CallOptions | null) => async () => {
    try {
      const options = parseCallOptions(callOptions)
      const written = write.right(input ?? noInput, options)
      const result = written instanceof Promise ? await written : written
      if (E.isLeft(result)) {
        const error = encodeError(info, result.left)
        setFailedRequest(error, { method: info.method, url: info.template })
        return E.left(error)
      }
      const { policies, reconnect = defaultReconnect, timeout } = options
      const send = policies === undefined ? passage : applyPolicies(policies, passage)
      const request = timeout === undefined ? result.right : { ...result.right, timeout }
      const outcome = await send(request)()
      const resending =
        reconnect === undefined
          ? undefined
          : { reconnect, send: (again: ClientRequest) => send(again)() }
      const decoded = E.isLeft(outcome)
        ? outcome
        : await read.right(outcome.right, request, resending)
      if (E.isLeft(decoded)) setFailedRequest(decoded.left, request)
      return decoded
    } catch (error) {
      return E.left(defect(info, error))
    }
  })
}

const noInput: Input = Object.freeze({})

/** A placeholder: after a configuration error, no client is created. */
const notCallable: AnyCall = () => () => Promise.reject(new TypeError('not callable'))
