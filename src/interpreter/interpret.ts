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
 * 10 failure mapping    thrown or returned errors -> answer (mappers have their place in `fail.ts`)
 * 11 response filters   (on the reply, before it is encoded)
 * 12 encode             reply -> answer
 * 13 write              one head, the content
 * 14 end
 * ```
 *
 * Nothing here waits unless a handler or the content makes it: a synchronous operation is answered before this returns.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Failure, Fault } from '../http/failure.ts'
import * as Failures from '../http/failure.ts'
import * as Grammar from '../http/grammar.ts'
import * as Headers from '../http/headers.ts'
import { Call } from './call.ts'
import type { Exchange } from './exchange.ts'
import { isFailure } from './exchange.ts'
import { fail } from './fail.ts'
import type { Capture } from './matcher.ts'
import type { Choice } from './negotiate.ts'
import { settle } from './outcome.ts'
import type { Input } from './input.ts'
import type { Plan } from './plan.ts'
import type { Operation, Program } from './program.ts'
import { refuse } from './refuse.ts'
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

const run = (
  program: Program,
  exchange: Exchange,
  choice: Choice<Operation>,
  captures: ReadonlyArray<Capture>,
): void => {
  const { settings } = program
  const { operation } = choice
  const { plan } = operation
  const call = new Call(program, exchange, operation)
  try {
    if (plan.bodies.length > 0 && isCoded(exchange))
      return call.refused({ _tag: 'UnsupportedContentCoding' })
    // 7
    const read = operation.readParameters({ exchange, captures })
    if (E.isLeft(read)) return call.refused(invalid(read.left, settings))
    const input = read.right
    if (plan.needs !== undefined) input['needs'] = plan.needs
    // 8
    if (plan.bodies.length === 0) return handle(plan, call, input)
    exchange.takeContent(settings['fw.http.limits.max-body-size'], (content) =>
      isFailure(content) ? call.refused(content) : withContent(content, choice, call, input),
    )
  } catch (error) {
    call.failed(error)
  }
}

/** Step 8, once the content is there. */
const withContent = (
  content: Uint8Array,
  { operation, body, stated }: Choice<Operation>,
  call: Call,
  input: Input,
): void => {
  try {
    const value = operation.readContent[body]?.(content, stated)
    if (value !== undefined && E.isLeft(value)) return call.refused(value.left)
    const key = operation.plan.bodies[body]?.format._tag === 'Form' ? 'form' : 'body'
    input[key] = value?.right
    return handle(operation.plan, call, input)
  } catch (error) {
    return call.failed(error)
  }
}

/** Steps 9 to 12. */
const handle = (plan: Plan, call: Call, input: Input): void => settle(call.run(input), plan, call)

/** Contents are not decoded, so a coded one cannot be read (RFC 9110, 8.4). */
const isCoded = ({ headers }: Exchange): boolean => {
  const coding = Headers.combined(headers, 'content-encoding')
  return coding !== undefined && Grammar.trim(coding).toLowerCase() !== 'identity'
}

/** A path variable that is refused means that the URI names nothing; Jakarta REST says so of queries and matrix parameters too. */
const invalid = (faults: ReadonlyArray<Fault>, settings: Settings): Failure => {
  const naming =
    settings['fw.rest.conversion-failure'] === 'jakarta' ? ['path', 'query', 'matrix'] : ['path']
  return Failures.ofFaults(
    faults.some((fault) => naming.includes(fault.in)) ? 'NotFound' : 'InvalidInput',
    faults,
  )
}
