/**
 * A request on its way. It knows what has happened to it so far, and settles it: every request is answered through one of
 * `replied`, `refused` and `failed`, and each response filter sees one reply of it.
 */
import type { Context, End, ResponseContext } from '../endpoint/context.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import { isReply } from '../endpoint/reply.ts'
import type { RequestFailure } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'
import * as Problem from '../http/problem.ts'
import type { Ready } from './filters/compiled-filters.ts'
import { CallContext, UnmatchedContext } from './context/exchange-context.ts'
import { Deadline } from './deadline.ts'
import { Ending } from './end-callbacks.ts'
import { closeUnsent } from './response/file/close-unsent.ts'
import type { Answer, Exchange } from './exchange.ts'
import { told } from './errors/log-broken-streams.ts'
import type { LinkTable } from '../compiler/links/link-table.ts'
import { settled } from './maybe-async.ts'
import type { Capture } from './routing/path-matcher.ts'
import type { Settling } from './response/handler-result.ts'
import type { Operation, Program } from './program.ts'
import { isPieces } from './chunks.ts'
import { errorOf } from './errors/failure-error.ts'
import { ReplyPassage } from './filters/run-response-filters.ts'
import { respondChanged } from './response/filtered-response.ts'
import { tellDefect, tellError, tellLate, tellLateError } from './errors/log-errors.ts'
import { outcomeOfDefect, outcomeOfError, refuse, respondProblem } from './errors/error-response.ts'
import { beside } from './response/response-headers.ts'
import type { Outcome, Respond } from './response/encode-response.ts'
import type { Identity } from './context/principal.ts'
import type { Given, Needed, Underway } from './context/request-info.ts'
import type { Clock } from './interval-timer.ts'
import { leaveUnsent } from './response/stream/discard-unsent.ts'
import { withValidators } from './response/validators.ts'
import { keepUntilSent } from './response/keep-until-sent.ts'
import { withinMemory } from './response/limit-memory.ts'

export class Call implements Settling, Underway {
  readonly program: Program
  exchange: Exchange
  operation: Operation | undefined = undefined
  captures: ReadonlyArray<Capture> = none
  /** Whether its content stands in a coding that cannot be taken off. */
  staysCoded = false
  given: Given = none
  identity: Identity | undefined = undefined
  /** Fields that are added to whatever is answered. */
  added: Headers = none
  /** The status that was sent. */
  status: number | undefined = undefined
  /** When its time was asked first, by the clock of `performance`. */
  start: number | undefined = undefined
  /** The time in which its response has to begin; `undefined` where that is not limited. */
  deadline: Deadline | undefined = undefined
  #id: string | undefined = undefined
  #isStated = false
  #context: Context | undefined = undefined
  #unmatched: ResponseContext | undefined = undefined
  #ending: Ending | undefined = undefined
  #failure: unknown = undefined
  #isMapped = false
  #isLastTry = false
  /** Whether a writer or an interceptor has failed: the reply of an error does not meet them again. */
  #isUnwritten = false
  /** Made for the first reply that response filters see. */
  #passage: ReplyPassage | undefined = undefined
  /** What answers in place of this, whose time was over. */
  #successor: Call | undefined = undefined

  constructor(program: Program, exchange: Exchange) {
    this.program = program
    this.exchange = exchange
  }

  get id(): string {
    return (this.#id ??= crypto.randomUUID())
  }

  get links(): LinkTable {
    return this.program.links
  }

  /** A filter before matching may say how a request is identified. */
  identify(id: string): void {
    this.#id = id
    this.#isStated = true
  }

  /** The context of what runs for an operation. */
  contextOf({ endpoint }: Pick<Operation, 'endpoint'>): Context {
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
    if (this.#successor !== undefined) return this.#successor.onEnd(close)
    ;(this.#ending ??= new Ending(this)).add(close)
  }

  /** Aborts when the client has gone before it was answered, or the time in which the response had to begin is over. */
  signal(): AbortSignal {
    return this.deadline?.signal() ?? this.exchange.signal()
  }

  /** Its response has to begin before the interval of the clock is over. */
  limit(clock: Clock): void {
    this.deadline = new Deadline(clock, this.exchange, () => this.#expired(clock.interval))
  }

  /** Whether it was answered without waiting any longer for what still runs for it. */
  get isLate(): boolean {
    return this.#successor !== undefined
  }

  /** Milliseconds since it was asked first. */
  elapsed(): number {
    const now = performance.now()
    return now - (this.start ??= now)
  }

  /** Keeps what a filter gives. */
  give(index: number, values: Needed): void {
    const given = [...this.given]
    given[index] = values
    this.given = given
  }

  /** Step 11: what a request came to passes the response filters, and is sent. Throws when it cannot be. */
  replied(outcome: Outcome, respond: Respond = this.#respond): void {
    if (this.#successor !== undefined) return this.#drop(outcome)
    if ((this.operation ?? this.program).sendsFiles) closeUnsent(outcome.entity, this.exchange)
    try {
      if (this.#around.response.length === 0) this.#send(outcome, respond)
      else this.#pass(outcome, respond)
    } catch (error) {
      leaveUnsent(outcome.entity, this.exchange)
      throw error
    }
  }

  /** Step 10, for what the engine refuses itself. */
  refused(failure: RequestFailure): void {
    if (this.#successor !== undefined) return
    const { exchange } = this
    const { mapperOf, response } = this.#around
    if (mapperOf === undefined && response.length === 0)
      return this.#answer(refuse(failure, exchange, this.#instance))
    const error = errorOf(failure, exchange.method)
    this.#failure ??= error
    if (this.#map(error)) return
    this.#surely(() => this.replied(outcomeOfError(error), this.#respondProblem))
  }

  /** Step 10, for what was thrown or returned as an error. It never throws. */
  failed(error: unknown): void {
    if (this.#successor !== undefined) return tellLateError(this, error)
    this.#failure ??= error ?? new TypeError(`${error} was thrown`)
    try {
      if (!this.#map(error)) this.#unmapped(error)
    } catch (odd) {
      // an object that cannot even be looked at, such as a revoked proxy
      this.#defect(odd)
    }
  }

  /** An answer that mappers and filters are done with: made here, or elsewhere. */
  answered(answer: Answer): void {
    if (this.deadline?.meet() === false) {
      if (isPieces(answer.content)) answer.content.close()
      return
    }
    const sent = withinMemory(answer, this, () => this.#instance)
    this.status = sent.status
    this.exchange.answer(sent)
  }

  /** Answers in place of what still runs, whatever that comes to. */
  #expired(limit: number): void {
    const next = new Call(this.program, this.exchange)
    next.operation = this.operation
    next.captures = this.captures
    next.given = this.given
    next.identity = this.identity
    next.added = this.added
    next.start = this.start
    next.#id = this.id
    next.#isStated = this.#isStated
    next.#isMapped = this.#isMapped
    next.#passage = this.#passage?.rest()
    next.#ending = this.#ending
    this.#ending?.follow(next)
    this.#successor = next
    tellLate(this, limit)
    next.#surely(() => next.refused({ _tag: 'HandlerTimeout' }))
  }

  /** Nobody waits for it any more. What it holds is left at the end of the request. */
  #drop({ entity }: Outcome): void {
    if ((this.operation ?? this.program).sendsFiles) closeUnsent(entity, this.exchange)
    leaveUnsent(entity, this.exchange)
  }

  get #around(): Ready {
    return this.operation?.around ?? this.program.around
  }

  get #respond(): Respond {
    return this.operation?.respond ?? this.program.around.respondUndeclared
  }

  /** The URI of what went wrong with the request. */
  get #instance(): string {
    return this.#isStated ? Problem.instanceUri(this.id) : Problem.newInstanceUri(this.id)
  }

  get #respondProblem(): Respond {
    return respondProblem(this.#instance, this.#around.respondUndeclared)
  }

  /** Whether something around takes care of an error. A mapper runs at most once in the life of a request. */
  #map(error: unknown): boolean {
    const { mapperOf } = this.#around
    if (mapperOf === undefined || this.#isMapped) return false
    const failed = (defect: unknown): void => this.#unmapped(defect)
    try {
      const found = mapperOf(error)
      if (found === undefined || (found._tag === 'Unmapped' && found.error === error)) return false
      this.program.logger.debug({ id: this.id, err: error }, 'An error is mapped.')
      if (found._tag === 'Unmapped') {
        failed(found.error)
        return true
      }
      this.#isMapped = true
      settled(
        found.run(found.error, this.context),
        (reply) => {
          if (!isReply(reply)) throw new TypeError('a mapper returned no reply')
          this.replied(reply, found.respond)
        },
        failed,
      )
    } catch (defect) {
      this.#isMapped = true
      failed(defect)
    }
    return true
  }

  /** An error with a status is answered with it; anything else is a defect. */
  #unmapped(error: unknown): void {
    if (!isHttpError(error)) return this.#defect(error)
    const { program, exchange } = this
    tellError(this, error)
    this.#surely(() => {
      const respond =
        error.reply === undefined
          ? this.#respondProblem
          : this.#isUnwritten
            ? program.respondUndeclared
            : this.#around.respondUndeclared
      const outcome = outcomeOfError(error)
      this.replied({ ...outcome, headers: program.locate(outcome.headers, exchange) }, respond)
    })
  }

  /** A defect is told to the log and to nobody else. That the client has gone is none. */
  #defect(error: unknown): void {
    tellDefect(this, error)
    if (this.#isLastTry) return this.#plainly()
    this.#isLastTry = this.#passage?.isOver ?? this.#around.response.length === 0
    this.#surely(() => this.replied(outcomeOfDefect(), this.#respondProblem))
  }

  /** What cannot be sent (a status that HTTP does not have, an entity that is no JSON) is an error too; each leaves a response filter less. */
  #surely(reply: () => void): void {
    try {
      reply()
    } catch (error) {
      this.failed(error)
    }
  }

  /** Answers without the fields that filters have added, because they cannot be sent. */
  #plainly(): void {
    this.added = none
    try {
      this.answered(refuse({ _tag: 'InternalError' }, this.exchange, this.#instance))
    } catch (error) {
      this.program.logger.error({ id: this.id, err: error }, 'A request cannot be answered.')
    }
  }

  /** Shows a reply to the response filters that have not seen one yet. */
  #pass(outcome: Outcome, respond: Respond): void {
    this.#passage ??= new ReplyPassage(this.#around.response)
    this.#passage.pass(outcome, {
      context: this.context,
      failure: this.#failure,
      passed: (reply) => {
        if (reply.entity !== outcome.entity) leaveUnsent(outcome.entity, this.exchange)
        const { operation } = this
        const undeclared = this.#around.respondUndeclared
        this.#send(reply, respondChanged(outcome, reply, respond, operation, undeclared))
      },
      failed: (error) => {
        leaveUnsent(outcome.entity, this.exchange)
        this.failed(error)
      },
    })
  }

  /** Step 12. */
  #send(outcome: Outcome, respond: Respond): void {
    const said =
      this.added.length === 0
        ? outcome
        : { ...outcome, headers: withValidators(outcome.headers, this.added) }
    const answer = respond(said, this)
    if (typeof answer !== 'function') {
      if (answer.content === undefined) leaveUnsent(outcome.entity, this.exchange)
      return this.#answer(answer)
    }
    answer(
      this.context,
      (written) => this.#answer(written),
      (error) => {
        this.#isUnwritten = true
        this.failed(error)
      },
    )
  }

  /** Compression, which is part of step 12, and step 13. */
  #answer(answer: Answer): void {
    const { status, headers } = answer
    const content = isPieces(answer.content) ? told(answer.content, this) : answer.content
    const whole =
      this.added.length === 0 && content === answer.content
        ? answer
        : {
            status,
            headers: [...headers, ...beside(this.added, headers)],
            content,
          }
    const { code } = this.operation ?? this.program
    if (code === undefined) return this.answered(whole)
    const coded = code(whole, this.exchange)
    if (!(coded instanceof Promise)) return this.answered(coded)
    keepUntilSent(whole, this.exchange)
    coded.then((later) => this.answered(later)).catch((error) => this.failed(error))
  }
}

const none: ReadonlyArray<never> = []
