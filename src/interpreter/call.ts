/**
 * A request on its way. It knows what has happened to it so far, and settles it: every request is answered through one of
 * `replied`, `refused` and `failed`, and each response filter sees one reply of it.
 */
import type { Context, End, ResponseContext } from '../endpoint/context.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import { isReply } from '../endpoint/reply.ts'
import type { Failure } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'
import type { Given, Needed, Ready } from './around.ts'
import { CallContext, UnmatchedContext } from './call-context.ts'
import type { Answer, Exchange } from './exchange.ts'
import { settled } from './later.ts'
import type { Capture } from './matcher.ts'
import type { Settling } from './outcome.ts'
import type { Operation, Program } from './program.ts'
import { errorOf, outcomeOfError, outcomeOfFailure, refuse, respondProblem } from './refuse.ts'
import type { Outcome, Respond } from './respond.ts'
import { asReply, beyond } from './respond.ts'
import type { Identity } from './security-context.ts'

export class Call implements Settling {
  readonly program: Program
  exchange: Exchange
  operation: Operation | undefined = undefined
  captures: ReadonlyArray<Capture> = none
  given: Given = none
  identity: Identity | undefined = undefined
  /** Fields that are added to whatever is answered. */
  added: Headers = none
  /** The status that was sent. */
  status: number | undefined = undefined
  #id: string | undefined = undefined
  #context: Context | undefined = undefined
  #unmatched: ResponseContext | undefined = undefined
  #closers: Array<(end: End) => unknown> | undefined = undefined
  #failure: unknown = undefined
  #isMapped = false
  /** How many response filters have seen their reply, and which fields they have added. */
  #passed = 0
  #kept: Headers = none

  constructor(program: Program, exchange: Exchange) {
    this.program = program
    this.exchange = exchange
  }

  get id(): string {
    return (this.#id ??= crypto.randomUUID())
  }

  /** A filter before matching may say how a request is identified. */
  identify(id: string): void {
    this.#id = id
  }

  /** The context of what runs for an operation. */
  contextOf({ endpoint }: Operation): Context {
    return (this.#context ??= new CallContext(this, endpoint))
  }

  /** The context of what runs for any request. */
  get context(): ResponseContext {
    return this.operation === undefined
      ? (this.#unmatched ??= new UnmatchedContext(this))
      : this.contextOf(this.operation)
  }

  /** Has something done at the end of the request: step 14. */
  onEnd(close: (end: End) => unknown): void {
    if (this.#closers === undefined) {
      const start = performance.now()
      this.exchange.onEnd(() => this.#end(start))
    }
    ;(this.#closers ??= []).push(close)
  }

  /** Keeps what a filter gives. */
  give(index: number, values: Needed): void {
    const given = [...this.given]
    given[index] = values
    this.given = given
  }

  /** Step 11: what a request came to passes the response filters, and is sent. Throws when it cannot be. */
  replied(outcome: Outcome, respond: Respond = this.#respond): void {
    if (this.#around.response.length === 0) this.#send(outcome, respond)
    else this.#pass(outcome, respond)
  }

  /** Step 10, for what the engine refuses itself. */
  refused(failure: Failure): void {
    const { mapperOf, response } = this.#around
    if (mapperOf === undefined && response.length === 0)
      return this.#answer(refuse(failure, this.exchange, this.id))
    const error = errorOf(failure)
    this.#failure ??= error
    if (this.#map(error)) return
    this.#surely(() =>
      this.replied(outcomeOfFailure(failure, this.exchange.method), respondProblem(this.id)),
    )
  }

  /** Step 10, for what was thrown or returned as an error. It never throws. */
  failed(error: unknown): void {
    this.#failure ??= error
    if (!this.#map(error)) this.#unmapped(error)
  }

  /** An answer that was made elsewhere: mappers and filters are done with it. */
  answered(answer: Answer): void {
    this.status = answer.status
    this.exchange.answer(answer)
  }

  get #around(): Ready {
    return this.operation?.around ?? this.program.around
  }

  get #respond(): Respond {
    return this.operation?.respond ?? this.program.respondUndeclared
  }

  /** Whether a mapper takes care of an error. One does at most once in the life of a request. */
  #map(error: unknown): boolean {
    if (this.#isMapped || (isHttpError(error) && error.reply !== undefined)) return false
    const mapping = this.#around.mapperOf?.(error)
    if (mapping === undefined) return false
    this.#isMapped = true
    this.program.logger.debug({ id: this.id, err: error }, 'An error is mapped.')
    const failed = (defect: unknown): void => this.#unmapped(defect)
    try {
      settled(
        mapping.run(mapping.error, this.context),
        (reply) => {
          if (!isReply(reply)) throw new TypeError('a mapper returned no reply')
          this.replied(reply, mapping.respond)
        },
        failed,
      )
    } catch (defect) {
      failed(defect)
    }
    return true
  }

  /** An error with a status is answered with it; anything else is a defect. */
  #unmapped(error: unknown): void {
    if (!isHttpError(error)) return this.#defect(error)
    const { program, exchange, id } = this
    program.logger.debug(
      { id, err: error },
      `${exchange.method} ${exchange.path} answered with ${error.status}`,
    )
    this.#surely(() => {
      const respond = error.reply === undefined ? respondProblem(id) : program.respondUndeclared
      const outcome = outcomeOfError(error)
      this.replied({ ...outcome, headers: program.locate(outcome.headers, exchange) }, respond)
    })
  }

  /** A defect is told to the log and to nobody else. */
  #defect(error: unknown): void {
    const { program, exchange, id } = this
    program.logger.error(
      { id, err: error },
      `HTTP Request to ${exchange.path} failed, error id: ${id}`,
    )
    this.#surely(() =>
      this.replied(
        outcomeOfFailure({ _tag: 'InternalError' }, exchange.method),
        respondProblem(id),
      ),
    )
  }

  /** What cannot be sent (a status that HTTP does not have, an entity that is no JSON) is a defect; each leaves a response filter less. */
  #surely(reply: () => void): void {
    try {
      reply()
    } catch (defect) {
      this.#defect(defect)
    }
  }

  /** Shows a reply to the response filters that have not seen one yet. */
  #pass(outcome: Outcome, respond: Respond): void {
    const { response } = this.#around
    const before = [...outcome.headers, ...this.#kept]
    const from = outcome.headers
    const step = (reply: Outcome): void => {
      this.#kept = beyond(from, reply.headers)
      const filter = response[this.#passed]
      if (filter === undefined) return this.#send(reply, this.#rewritten(outcome, reply) ?? respond)
      this.#passed++
      settled(
        filter.run(asReply(reply), this.context, this.#failure),
        (changed) => {
          if (changed !== undefined && changed !== null && !isReply(changed))
            throw new TypeError('a response filter returned what is no reply')
          step(changed ?? reply)
        },
        (error) => this.failed(error),
      )
    }
    step({ ...outcome, headers: before })
  }

  /** How a reply is written whose status a response filter has changed to one that was not declared. */
  #rewritten(before: Outcome, after: Outcome): Respond | undefined {
    return before.status === after.status || this.operation?.plan.responses.has(after.status)
      ? undefined
      : this.program.respondUndeclared
  }

  /** What was registered last is done first. Nothing waits for it, so what goes wrong is only logged. */
  #end(start: number): void {
    const end: End = { status: this.status, duration: performance.now() - start }
    const failed = (error: unknown): void =>
      this.program.logger.error(
        { id: this.id, err: error },
        'Something failed at the end of a request.',
      )
    for (const close of this.#closers?.toReversed() ?? []) {
      try {
        settled(close(end), () => undefined, failed)
      } catch (error) {
        failed(error)
      }
    }
  }

  /** Step 12. */
  #send(outcome: Outcome, respond: Respond): void {
    this.#answer(respond(outcome, this.exchange))
  }

  /** Step 13. */
  #answer(answer: Answer): void {
    this.status = answer.status
    this.exchange.answer(
      this.added.length === 0 ? answer : { ...answer, headers: [...answer.headers, ...this.added] },
    )
  }
}

const none: ReadonlyArray<never> = []
