/** The calls of a client, in the shape of its tree. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Usual } from '../body/json/json-rules.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import type { TreeScope } from '../endpoint/internal/tree-scope.ts'
import { nestedScope } from '../endpoint/internal/tree-scope.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type { AnyAnswer } from './decoded-response.ts'
import { failedFor } from './asked.ts'
import type { CallOptions } from './call-options.ts'
import type { ClientError } from './client-error.ts'
import type { Common } from './client-options.ts'
import type { ClientRequest } from './exchange.ts'
import { defect, encodeError } from './error-factories.ts'
import type { Input } from './request/call-input.ts'
import type { Means } from './body-environment.ts'
import { operationOf } from './client-operation.ts'
import { applyPolicies } from './policy/policy.ts'
import { requestWriter } from './request/request-writer.ts'
import { responseReader } from './response/response-reader.ts'
import { saidOptions } from './said-options.ts'
import { surroundingsOf } from './surroundings.ts'

/** What the calls of one client are made with. */
export interface Making extends Common {
  readonly usual: Usual
  readonly mistakes: Mistake[]
  /** Those of the operations that were met. */
  readonly names: Set<string>
}

type AnyCall = (
  input?: Input,
  options?: CallOptions,
) => TaskEither<ClientError | AnyAnswer, AnyAnswer>

/** A frozen object, or the call of an operation; what is wrong with the contract is added to the mistakes. */
export const library = (node: AnyNode, place: TreeScope, making: Making): object => {
  const name = place.keys.join('.')
  const wrong = (remedy: string): void => {
    making.mistakes.push({ code: 'FW-CLIENT-001', concerns: [name], remedy })
  }
  // who awaits an object with such a member calls it
  if (place.keys.at(-1) === 'then')
    wrong('call it otherwise: what has a member "then" is taken for a promise')
  if (node._tag === 'Endpoint') {
    if (making.names.has(name))
      wrong('call one of them otherwise: names with dots meet those of trees')
    making.names.add(name)
    return callOf(node, place, making)
  }
  const inside = nestedScope(place, node.wrappers)
  return Object.freeze(
    Object.fromEntries(
      Array.from(node.children, ([key, child]) => [
        key,
        library(child, { ...inside, keys: [...inside.keys, key] }, making),
      ]),
    ),
  )
}

const callOf = (
  { definition }: Extract<AnyNode, { readonly _tag: 'Endpoint' }>,
  place: TreeScope,
  { sender, passage, usual, whole, reconnect: always, mistakes }: Making,
): AnyCall => {
  const operation = operationOf(definition, place)
  if (E.isLeft(operation)) {
    mistakes.push(...operation.left)
    return uncallable
  }
  const { info, responses, entities } = operation.right
  const means: Means = { entities, context: surroundingsOf(info), usual }
  const write = requestWriter(operation.right, sender, means)
  const read = responseReader(info, responses, means, whole)
  const unsupported = (verb: string, types: ReadonlyArray<string>): Mistake => ({
    code: 'FW-CLIENT-002',
    concerns: [`${info.method} ${info.template}  (${info.name})`],
    remedy: `a client does not ${verb} ${types.join(', ')}`,
  })
  if (E.isLeft(write)) mistakes.push(unsupported('send', write.left))
  if (E.isLeft(read)) mistakes.push(unsupported('read', read.left))
  if (E.isLeft(write) || E.isLeft(read)) return uncallable
  return Object.freeze((input?: Input | null, given?: CallOptions | null) => async () => {
    try {
      const options = saidOptions(given)
      const written = write.right(input ?? nothing, options)
      const request = written instanceof Promise ? await written : written
      if (E.isLeft(request)) {
        const error = encodeError(info, request.left)
        failedFor(error, { method: info.method, url: info.template })
        return E.left(error)
      }
      const { policies, reconnect = always, timeout } = options
      const way = policies === undefined ? passage : applyPolicies(policies, passage)
      const sent = timeout === undefined ? request.right : { ...request.right, timeout }
      const passed = await way(sent)()
      const resending =
        reconnect === undefined
          ? undefined
          : { reconnect, send: (again: ClientRequest) => way(again)() }
      const outcome = E.isLeft(passed) ? passed : await read.right(passed.right, sent, resending)
      if (E.isLeft(outcome)) failedFor(outcome.left, sent)
      return outcome
    } catch (error) {
      return E.left(defect(info, error))
    }
  })
}

const nothing: Input = Object.freeze({})

/** Never handed out: the client is not made. */
const uncallable: AnyCall = () => () => Promise.reject(new TypeError('there is no such operation'))
