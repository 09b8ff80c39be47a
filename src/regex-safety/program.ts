/**
 * A regular expression as the instructions of a backtracking matcher: what it tries, in the order in which it tries it. Unlike
 * the position automaton, it keeps priorities, anchors and word boundaries, so that steps can be counted as the engine takes
 * them.
 *
 * @see https://tc39.es/ecma262/#sec-pattern-semantics
 */
import type { AST } from '@eslint-community/regexpp'
import { atoms, effort, isNullable, longest } from './expression-metrics.ts'

export type Instruction =
  /** Reads one character whose letter is in the set, see `alphabet.ts`. */
  | { readonly tag: 'Read'; readonly letters: bigint; readonly next: number }
  /** Tries `first`, then `second`. */
  | { readonly tag: 'Split'; readonly first: number; readonly second: number }
  | { readonly tag: 'Assert'; readonly edge: Edge; readonly next: number }
  /** Begins a round of a loop whose rounds can be empty. */
  | { readonly tag: 'Enter'; readonly loop: number; readonly next: number }
  /** Ends a round. A round that read nothing fails. */
  | { readonly tag: 'Leave'; readonly loop: number; readonly next: number }
  /** A lookahead: tries `body`, and continues if it holds. */
  | { readonly tag: 'Look'; readonly body: number; readonly next: number }
  /** Continues under a condition that is not analysed, and that takes `steps` to evaluate. */
  | { readonly tag: 'Doubt'; readonly steps: number; readonly next: number }
  | { readonly tag: 'Jump'; readonly steps: number; readonly next: number }
  | { readonly tag: 'Accept' }
  | { readonly tag: 'Fail' }

export type Edge = 'start' | 'lineStart' | 'end' | 'lineEnd' | 'boundary' | 'noBoundary'

export interface Program {
  readonly instructions: ReadonlyArray<Instruction>
  readonly start: number
}

/** An expression that cannot be analysed. The message says why. */
export class Unsupported extends Error {}

/** Larger programs are rejected: their analysis would take too long. */
const mostInstructions = 20_000

/** What each end of a capture takes in addition to one step, in a repetition: the capture before it is saved. */
const capturing = 2

/** What the end of a round takes where the engine counts rounds, and where it also compares positions. */
const countingSteps = 6
const comparingSteps = 10
/** A repetition with no more rounds than these is not counted by the engine but written out. */
const fewRounds = 3

/** Unicode properties have hundreds of ranges; comparing a character with them takes as long as so many other steps. */
const slowSteps = 20
const isSlow = /\\p/i

export interface Options {
  readonly read: ReadonlyMap<string, bigint>
  readonly multiline: boolean
  /** Whether the expression may match anywhere in a text, so that it is tried from every position. */
  readonly searches: boolean
  /** Atoms that a counted repetition is written out to. Beyond them it becomes a loop, which can do more. */
  readonly writtenOut: number
  /** Lookaheads that are analysed by themselves and are known to hold. */
  readonly settled: ReadonlySet<AST.Node>
}

/** Compiles the alternatives of an expression, or of the inside of a lookahead. */
export const compile = (
  alternatives: ReadonlyArray<AST.Alternative>,
  { read, multiline, searches, writtenOut, settled }: Options,
): Program => {
  const instructions: Instruction[] = []
  const emit = (instruction: Instruction): number => {
    if (instructions.length >= mostInstructions)
      throw new Unsupported('it is too large to be analysed')
    return instructions.push(instruction) - 1
  }
  let loops = 0
  const fail = emit({ tag: 'Fail' })
  const split = (greedy: boolean, more: number, done: number): number =>
    emit(
      greedy
        ? { tag: 'Split', first: more, second: done }
        : { tag: 'Split', first: done, second: more },
    )

  const choice = (all: ReadonlyArray<AST.Alternative>, next: number): number =>
    all
      .map(({ elements }) => sequence(elements, next))
      .reduceRight((second, first) => emit({ tag: 'Split', first, second }))

  const sequence = (elements: ReadonlyArray<AST.Element>, next: number): number =>
    elements.reduceRight((after, element) => of(element, after), next)

  const of = (node: AST.Element, next: number): number => {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass': {
        const letters = read.get(node.raw) ?? 0n
        if (letters === 0n) return fail
        const reading = emit({ tag: 'Read', letters, next })
        const steps = isSlow.test(node.raw) ? slowSteps : Math.floor(node.raw.length / 32)
        return steps === 0 ? reading : emit({ tag: 'Jump', steps, next: reading })
      }
      case 'Group':
        if (node.modifiers !== null)
          throw new Unsupported(`modifiers such as ${node.modifiers.raw} cannot be analysed`)
        return choice(node.alternatives, next)
      case 'CapturingGroup': {
        if (!isRepeated(node)) return choice(node.alternatives, next)
        const closing = emit({ tag: 'Jump', steps: capturing, next })
        return emit({ tag: 'Jump', steps: capturing, next: choice(node.alternatives, closing) })
      }
      case 'Quantifier':
        return quantifier(node, next)
      case 'Assertion':
        return assertion(node, next)
      case 'Backreference':
        return backreference(node, next)
    }
  }

  const assertion = (node: AST.Assertion, next: number): number => {
    switch (node.kind) {
      case 'start':
        return emit({ tag: 'Assert', edge: multiline ? 'lineStart' : 'start', next })
      case 'end':
        return emit({ tag: 'Assert', edge: multiline ? 'lineEnd' : 'end', next })
      case 'word':
        return emit({ tag: 'Assert', edge: node.negate ? 'noBoundary' : 'boundary', next })
      case 'lookahead':
        return settled.has(node)
          ? next
          : emit({ tag: 'Look', body: choice(node.alternatives, fail), next })
      case 'lookbehind': {
        const { steps } = effort(node.alternatives)
        if (steps > mostInstructions)
          throw new Unsupported(
            `the lookbehind ${node.raw} cannot be analysed: bound what it reads`,
          )
        return emit({ tag: 'Doubt', steps, next })
      }
    }
  }

  /** The text of a group is one of those that the group matches. A group that has not matched yet stands for the empty text. */
  const backreference = (node: AST.Backreference, next: number): number => {
    const after = emit({ tag: 'Doubt', steps: 1, next })
    const groups = [node.resolved].flat().filter((group) => !isInside(node, group))
    return groups
      .map((group) => choice(group.alternatives, after))
      .reduceRight((second, first) => emit({ tag: 'Split', first, second }), after)
  }

  const quantifier = (node: AST.Quantifier, next: number): number => {
    const { element, min, max, greedy } = node
    if (max === 0) return next
    if (longest(element) === 0) {
      const once = of(element, min > 0 ? next : fail)
      return min > 0 ? once : split(greedy, once, next)
    }
    if (max === Infinity && min <= 1 && !isNullable(element))
      return star(element, greedy, min, next)
    if (atoms(element) * (max === Infinity ? min : max) > writtenOut)
      return star(element, greedy, 0, emit({ tag: 'Doubt', steps: 1, next }))
    const last = max === Infinity ? star(element, greedy, 0, next) : next
    const optional = max === Infinity ? 0 : max - min
    const skippable = Array.from({ length: optional }).reduce<number>(
      (after) => split(greedy, guarded(element, counting(node, after)), next),
      last,
    )
    return Array.from({ length: min }).reduce<number>(
      (after) => of(element, counting(node, after)),
      skippable,
    )
  }

  /** Ends a round of a counted repetition. The engine undoes what it counts when it backtracks. */
  const counting = ({ element, min, max }: AST.Quantifier, next: number): number => {
    if (isNullable(element)) return emit({ tag: 'Jump', steps: comparingSteps, next })
    return (max === Infinity ? min : max) > fewRounds
      ? emit({ tag: 'Jump', steps: countingSteps, next })
      : next
  }

  /** A round of a repetition, which fails if it reads nothing. */
  const guarded = (element: AST.QuantifiableElement, next: number): number => {
    if (!isNullable(element)) return of(element, next)
    const loop = loops++
    return emit({ tag: 'Enter', loop, next: of(element, emit({ tag: 'Leave', loop, next })) })
  }

  const star = (
    element: AST.QuantifiableElement,
    greedy: boolean,
    min: number,
    next: number,
  ): number => {
    const head = split(greedy, fail, next) // the body is known below
    const body = guarded(element, head)
    instructions[head] = greedy
      ? { tag: 'Split', first: body, second: next }
      : { tag: 'Split', first: next, second: body }
    return min > 0 ? body : head
  }

  const start = choice(alternatives, emit({ tag: 'Accept' }))
  if (!searches) return { instructions, start }
  const retry = emit({ tag: 'Fail' })
  const skip = emit({ tag: 'Read', letters: -1n, next: retry })
  instructions[retry] = { tag: 'Split', first: start, second: skip }
  return { instructions, start: retry }
}

const isRepeated = ({ parent }: AST.Node): boolean =>
  parent !== null && ((parent.type === 'Quantifier' && parent.max > 1) || isRepeated(parent))

const isInside = (node: AST.Node, group: AST.CapturingGroup): boolean =>
  node === group || (node.parent !== null && isInside(node.parent, group))
