/**
 * The typed client of a tree: a second interpreter of the very values that a server runs, so that the two never disagree. It
 * reads descriptions only; handlers, and what runs around them, need not be there.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { BackEnd } from '../codec/compiled/compiled.ts'
import { standard } from '../codec/json-library.ts'
import type { Usual } from '../content/json-rules.ts'
import type { Mistake } from '../endpoint/mistake.ts'
import { MistakesError } from '../endpoint/mistake.ts'
import type { Place } from '../endpoint/place.ts'
import { outermost, within } from '../endpoint/place.ts'
import type { AnyNode, Routes } from '../endpoint/routes.ts'
import type { Base } from './base-url.ts'
import { baseOf } from './base-url.ts'
import { failedFor } from './asked.ts'
import type { AnyAnswer } from './answer.ts'
import type { CallOptions, HeaderFields } from './call-options.ts'
import type { Answered, Client } from './call.ts'
import type { ClientError } from './client-error.ts'
import type { ClientRequest, Passage, Policy } from './exchange.ts'
import { defect, encodeError } from './failing.ts'
import type { Input } from './input.ts'
import type { Means } from './means.ts'
import { operationOf } from './operation.ts'
import type { Lists } from './query-writer.ts'
import type { Sender } from './request-writer.ts'
import { isField, requestWriter } from './request-writer.ts'
import { responseReader } from './response-reader.ts'
import type { Duration } from './policy/duration.ts'
import { through } from './policy/policy.ts'
import { frequent, limitSaid } from './policy/limit.ts'
import { timeLimited } from './policy/time-limit.ts'
import type { Fetch } from './send.ts'
import { sending } from './send.ts'
import type { Reconnect } from './stream/reconnect.ts'
import { delayOf } from './stream/reconnect.ts'
import { policiesFault, saidOptions } from './said-options.ts'
import { surroundingsOf } from './surroundings.ts'
import type { WholeLimits } from './unopened.ts'

export interface ClientOptions {
  /** Where the service stands: an absolute URL, below which the paths of the contract begin. User information is sent as `Authorization`. */
  readonly baseUrl: string
  /** What sends; the `fetch` of the platform by default. `inMemory(api)` of `espalier/testing` calls a tree without a socket. */
  readonly fetch?: Fetch | undefined
  /** What sends instead of a `fetch`: {@link undiciTransport}, or a function of your own. */
  readonly transport?: Passage | undefined
  /**
   * What stands between calls and the network, by priority and then the outermost first. Of those that are about failing services,
   * this order is usual: `fallback`, `timeout` for a call as a whole, `retry`, `circuitBreaker`, `hedge`, `rateLimit`,
   * `concurrencyLimit`; credentials, `followRedirects` around them, and what is told of each try stand inside.
   */
  readonly policies?: ReadonlyArray<Policy> | undefined
  /**
   * How long each try waits for the head of its response, and how long a content that is read as a whole may then be silent, before
   * its first piece and between two of them; where it takes longer, the call is `TimedOut`. `30s` by default, `false` for no limit. A
   * `timeout` among the policies can be shorter, and a call can say another one. How long it connects is up to `fetch`.
   *
   * The time in which a large body is sent counts, but for a body in pieces: it is given so long for each piece, from the moment that
   * its source has it, and for the answer behind the last one. A content that goes on may take as long as it likes; a policy
   * `timeout(…, { covers: 'content' })` bounds all of it. Streams, events and files may be quiet as long as `fetch` lets them, which
   * in Node are five minutes.
   */
  readonly timeout?: Duration | false | undefined
  /** Header fields of every request; those of parameters and of a call take their place. */
  readonly headers?: HeaderFields | undefined
  /** How lists travel in queries; `repeat` by default, which is how espalier reads them. */
  readonly lists?: Lists | undefined
  /** Octets of a content that is read as a whole, and of an element of a stream; 10 MiB by default. */
  readonly maxContentLength?: number | undefined
  /** Comes back to event streams that end or break off, until the service answers 204; where it is left out, their end is the end. */
  readonly reconnect?: Reconnect | undefined
}

/** What makes clients. */
export interface MakeClient {
  /**
   * A client of a tree: a frozen object in the shape of the tree, with a function for each operation. It takes what the operation
   * declares and gives a `TaskEither`, which sends a request each time that it is run, and never rejects. On its right is a declared
   * success, on its left a declared failure, or a {@link ClientError}, whose `_tag` says what went wrong. For promises see
   * {@link promising}.
   *
   * A redirection is an answer like others, and is not followed; a browser hides it, so that its status is 0. Browsers keep some header
   * fields to themselves too, `Cookie` and `User-Agent` among them. A member that a view or a role may hide may be missing in what
   * is read, whatever its type says. Throws a `MistakesError` that lists everything that is wrong with the contract or the options;
   * what is wrong with one call is an `EncodeError` of that call.
   *
   * ```ts
   * import assert from 'node:assert/strict'
   * import * as E from 'fp-ts/lib/Either.js'
   * import { pipe } from 'fp-ts/lib/function.js'
   * import * as t from 'io-ts'
   * import { fails, get, implement, json, path, produces, routes, text } from 'espalier'
   * import { client } from 'espalier/client'
   * import { inMemory } from 'espalier/testing'
   *
   * const Book = t.type({ title: t.string })
   * const find = pipe(path('/books/{isbn}'), get(), produces(json(Book)), fails(404, text))
   *
   * const server = inMemory(
   *   routes({
   *     find: implement(find, (input) =>
   *       input.path.isbn === '0-13' ? E.right({ title: 'Emma' }) : E.left('no such book'),
   *     ),
   *   }),
   * )
   * const library = client(routes({ find }), { baseUrl: 'http://localhost', fetch: server })
   *
   * const found = await library.find({ path: { isbn: '0-13' } })()
   * assert.equal(E.isRight(found) && found.right.body.title, 'Emma')
   *
   * const lost = await library.find({ path: { isbn: '0-14' } })()
   * assert.ok(E.isLeft(lost) && 'status' in lost.left && lost.left.status === 404)
   * ```
   */
  <T, R, E>(contract: Routes<T, R, E>, options: ClientOptions): Client<T, Answered<E>>
}

/** Makes clients whose codecs run by a back end. */
export const clientBy = (backEnd: () => BackEnd): MakeClient => {
  function client<T, R, E>(
    contract: Routes<T, R, E>,
    options: ClientOptions,
  ): Client<T, Answered<E>>
  function client(contract: AnyNode, options: ClientOptions): object {
    return made(contract, options, { library: standard, backEnd: backEnd() })
  }
  return client
}

const made = (contract: AnyNode, options: ClientOptions, usual: Usual): object => {
  const { policies = [], headers = {}, lists = 'repeat', maxContentLength = tenMebibytes } = options
  const mistakes: Mistake[] = []
  const wrong = (option: string, remedy: string): void => {
    mistakes.push({ code: 'FW-CLIENT-003', concerns: [`the option ${option} of a client`], remedy })
  }
  const base = baseOf(options.baseUrl)
  if (E.isLeft(base)) wrong('baseUrl', base.left)
  for (const [name, value] of Object.entries(headers))
    if (!isField(name, value))
      wrong('headers', `${JSON.stringify(name)} cannot be sent as it is written`)
  if (!(maxContentLength >= 0)) wrong('maxContentLength', 'say a number of octets')
  const sender: Sender = {
    base: E.isRight(base) ? base.right : nowhere,
    headers,
    lists,
  }
  const delay = delayOf(options.reconnect)
  if (E.isLeft(delay)) wrong('reconnect', delay.left)
  const limit = limitSaid(options.timeout ?? '30s')
  if (E.isLeft(limit)) wrong('timeout', limit.left)
  if (options.transport !== undefined && options.fetch !== undefined)
    wrong('transport', 'say either it or fetch')
  const unfit = policiesFault(policies)
  if (unfit !== undefined) wrong('policies', unfit)
  const network = options.transport ?? sending(options.fetch)
  const timeout = E.isRight(limit) && limit.right !== undefined ? frequent(limit.right) : undefined
  // the innermost: it is about the network, and not about what policies wait for
  const passage = through(unfit === undefined ? policies : [], timeLimited(network, timeout))
  if (!isTree(contract))
    throw new MistakesError([
      ...mistakes,
      {
        code: 'FW-CLIENT-004',
        concerns: ['the contract'],
        remedy: 'give a tree: routes({ … })',
      },
    ])
  const calls = library(contract, outermost(''), {
    sender,
    passage,
    usual,
    whole: { octets: maxContentLength, timeout },
    reconnect: options.reconnect,
    mistakes,
    names: new Set(),
  })
  if (mistakes.length > 0) throw new MistakesError(mistakes)
  return calls
}

/** Whether it is one; programs in JavaScript give what they like. */
const isTree = (contract: unknown): boolean =>
  typeof contract === 'object' &&
  contract !== null &&
  '_tag' in contract &&
  contract._tag === 'Routes'

/** A client is not made for it. */
const nowhere: Base = { url: '', authorization: undefined }

const tenMebibytes = 10 * 1024 * 1024

/** What the calls of one client are made with. */
interface Making {
  readonly sender: Sender
  readonly passage: Passage
  readonly usual: Usual
  readonly whole: WholeLimits
  readonly reconnect: Reconnect | undefined
  readonly mistakes: Mistake[]
  /** Those of the operations that were met. */
  readonly names: Set<string>
}

type AnyCall = (
  input?: Input,
  options?: CallOptions,
) => TaskEither<ClientError | AnyAnswer, AnyAnswer>

const library = (node: AnyNode, place: Place, making: Making): object => {
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
  const inside = within(place, node.wraps)
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
  place: Place,
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
      const way = policies === undefined ? passage : through(policies, passage)
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
