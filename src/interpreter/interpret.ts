/**
 * What a request meets, step by step. Steps 1 and 13 belong to whoever made the exchange.
 *
 * ```text
 *  1 receive            octets -> exchange, checked
 *  2 before matching    (the place of pre-matching filters)
 *  3 match              path -> sites
 *  4 select             method, Content-Type, Accept -> operation
 *  5 early filters      (before one octet of the content is read)
 *  6 filters
 *  7 parameters         all decoded, all faults collected
 *  8 content            read within its limit, decoded
 *  9 handler
 * 10 failure mapping    thrown or returned errors -> answer (mappers have their place in `fail`)
 * 11 response filters   (on the reply, before it is encoded)
 * 12 encode             reply -> answer
 * 13 write              one head, the content
 * 14 end
 * ```
 *
 * Nothing here waits unless a handler or the content makes it: a synchronous operation is answered before this returns.
 */
import * as E from 'fp-ts/lib/Either.js'
import { isHttpError } from '../endpoint/http-error.ts'
import type { Failure, Fault } from '../http/failure.ts'
import * as Failures from '../http/failure.ts'
import * as Grammar from '../http/grammar.ts'
import * as Headers from '../http/headers.ts'
import { Call } from './call.ts'
import type { Exchange } from './exchange.ts'
import { isFailure } from './exchange.ts'
import type { Capture } from './matcher.ts'
import type { Choice } from './negotiate.ts'
import { settle } from './outcome.ts'
import type { Operation, Program } from './program.ts'
import { answerError, refuse } from './refuse.ts'
import { select } from './select.ts'
import type { Settings } from './settings.ts'

/** Answers a request, now or later, exactly once. It never throws. */
export type Interpret = (exchange: Exchange) => void

/** Runs a program. */
export const interpret =
  (program: Program): Interpret =>
  (exchange) => {
    try {
      // 3, 4
      const selection = select(program.matcher, exchange)
      switch (selection._tag) {
        case 'Selected':
          return run(program, exchange, selection.choice, selection.captures)
        case 'Options':
          return exchange.answer({
            status: 204,
            headers: ['Allow', selection.allow.join(', ')],
            content: undefined,
          })
        default:
          return exchange.answer(refuse(selection, exchange, crypto.randomUUID()))
      }
    } catch (error) {
      fail(error, exchange, crypto.randomUUID(), program)
    }
  }

type Input = Readonly<Record<string, unknown>>

const run = (
  program: Program,
  exchange: Exchange,
  { operation, body, stated }: Choice<Operation>,
  captures: ReadonlyArray<Capture>,
): void => {
  const { settings } = program
  const { plan } = operation
  const call = new Call(exchange, plan)
  const failed = (error: unknown): void => fail(error, exchange, call.id, program)
  const refused = (failure: Failure): void => exchange.answer(refuse(failure, exchange, call.id))
  try {
    if (plan.bodies.length > 0 && isCoded(exchange))
      return refused({ _tag: 'UnsupportedContentCoding' })
    // 7
    const read = operation.readParameters({ exchange, captures })
    if (E.isLeft(read)) return refused(invalid(read.left, settings))
    const head = plan.needs === undefined ? read.right : { ...read.right, needs: plan.needs }
    // 8
    const readContent = operation.readContent[body]
    if (readContent === undefined) return handle(operation, exchange, head, call, failed)
    exchange.takeContent(settings['fw.http.limits.max-body-size'], (content) => {
      try {
        if (isFailure(content)) return refused(content)
        const value = readContent(content, stated)
        if (E.isLeft(value)) return refused(value.left)
        const key = plan.bodies[body]?.format._tag === 'Form' ? 'form' : 'body'
        return handle(operation, exchange, { ...head, [key]: value.right }, call, failed)
      } catch (error) {
        return failed(error)
      }
    })
  } catch (error) {
    failed(error)
  }
}

/** Steps 9 to 12. */
const handle = (
  { plan, respond }: Operation,
  exchange: Exchange,
  input: Input,
  call: Call,
  failed: (error: unknown) => void,
): void =>
  settle(call.run(input), plan, (reply) => exchange.answer(respond(reply, exchange)), failed)

/** Contents are not decoded, so a coded one cannot be read (RFC 9110, 8.4). */
const isCoded = ({ headers }: Exchange): boolean => {
  const coding = Headers.combined(headers, 'content-encoding')
  return coding !== undefined && Grammar.trim(coding).toLowerCase() !== 'identity'
}

/** A path variable that is refused means that the URI names nothing; Jakarta REST says so of queries and matrix parameters too. */
const invalid = (faults: ReadonlyArray<Fault>, settings: Settings): Failure => {
  const naming =
    settings['fw.rest.conversion-failure'] === 'jakarta' ? ['path', 'query', 'matrix'] : ['path']
  return {
    _tag: faults.some((fault) => naming.includes(fault.in)) ? 'NotFound' : 'InvalidInput',
    ...Failures.reported(faults),
  }
}

/** Step 10: an error with a status is answered with it; anything else is a defect. */
const fail = (error: unknown, exchange: Exchange, id: string, program: Program): void => {
  if (!isHttpError(error)) return failDefect(error, exchange, id, program)
  try {
    program.logger.debug(
      { id, err: error },
      `${exchange.method} ${exchange.path} answered with ${error.status}`,
    )
    const answer = answerError(error, exchange, id)
    exchange.answer({ ...answer, headers: program.locate(answer.headers, exchange) })
  } catch (unsendable) {
    // a status that HTTP does not have, an entity that is no JSON
    failDefect(unsendable, exchange, id, program)
  }
}

/** A defect is told to the log and to nobody else. */
const failDefect = (error: unknown, exchange: Exchange, id: string, { logger }: Program): void => {
  logger.error({ id, err: error }, `HTTP Request to ${exchange.path} failed, error id: ${id}`)
  exchange.answer(refuse({ _tag: 'InternalError' }, exchange, id))
}
