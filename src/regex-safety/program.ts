/**
 * Compiles regular expressions to programs for a backtracking matcher. The matcher tries alternatives in the order of
 * the instructions.
 *
 * Unlike the position automaton, a program preserves priorities, anchors and word boundaries. The analysis can
 * therefore count the steps that the engine executes.
 *
 * @see https://tc39.es/ecma262/#sec-pattern-semantics
 */
import type { AST } from '@eslint-community/regexpp'
import { atomCount, matchCost, isNullable, maxLength } from './expression-metrics.ts'

/** An instruction of a program. `next` is the index of the next instruction. */
export type Instruction =
  /** Consumes a character whose letter is in the bit set `letters` (see `alphabet.ts`). */
  | { readonly tag: 'Read'; readonly letters: bigint; readonly next: number }
  /** Tries `first`. If it fails, tries `second`. */
  | { readonly tag: 'Split'; readonly first: number; readonly second: number }
  | { readonly tag: 'Assert'; readonly assertion: PositionAssertion; readonly next: number }
  /** Starts an iteration of a loop whose iterations can be empty. */
  | { readonly tag: 'Enter'; readonly loop: number; readonly next: number }
  /** Ends an iteration. Fails if the iteration has not consumed any characters. */
  | { readonly tag: 'Leave'; readonly loop: number; readonly next: number }
  /** Tries the body of a lookahead. Continues with `next` if the body matches. */
  | { readonly tag: 'Lookahead'; readonly body: number; readonly next: number }
  /** Evaluates a condition in `steps` steps. The analysis does not determine whether the condition holds. */
  | { readonly tag: 'Uncertain'; readonly steps: number; readonly next: number }
  | { readonly tag: 'Jump'; readonly steps: number; readonly next: number }
  | { readonly tag: 'Accept' }
  | { readonly tag: 'Fail' }

/** An assertion about the characters before and after the current position. */
export type PositionAssertion =
  | 'start'
  | 'lineStart'
  | 'end'
  | 'lineEnd'
  | 'boundary'
  | 'noBoundary'

/** A compiled regular expression. */
export interface RegexProgram {
  readonly instructions: ReadonlyArray<Instruction>
  readonly start: number
}

/** Error thrown for an expression that the analysis does not support. The message states the reason. */
export class Unsupported extends Error {}

/** The maximum number of instructions in a program. This limit bounds the running time of the analysis. */
const maxInstructions = 20_000

/**
 * The number of additional steps at each end of a repeated capturing group. In these steps, the engine saves the
 * previous capture.
 */
const captureSteps = 2

/**
 * The number of steps at the end of an iteration if the engine counts iterations. If an iteration can be empty, the
 * engine also compares positions, and the number is `positionCheckSteps` instead.
 */
const counterSteps = 6
const positionCheckSteps = 10
/** The engine unrolls a repetition with at most this many iterations instead of counting the iterations. */
const maxUncountedRounds = 3

/** The number of steps needed to compare a character with the hundreds of ranges of a Unicode property. */
const propertySteps = 20
const hasProperty = /\\p/i

/** Options for {@link compile}. */
export interface RegexOptions {
  /** Maps the source of each atom to the letters that it matches. */
  readonly read: ReadonlyMap<string, bigint>
  readonly multiline: boolean
  /** Whether the match can begin anywhere in the string. If so, the engine tries every start position. */
  readonly searches: boolean
  /**
   * The maximum number of atoms in an unrolled repetition. Longer repetitions are compiled to loops without a maximum
   * number of iterations, which match more strings.
   */
  readonly unrollLimit: number
  /** Lookaheads that are analyzed separately. The compiled program assumes that they hold. */
  readonly separate: ReadonlySet<AST.Node>
}

/** Compiles the alternatives of an expression or a lookahead. */
export const compile = (
  alternatives: ReadonlyArray<AST.Alternative>,
  { read, multiline, searches, unrollLimit, separate }: RegexOptions,
): RegexProgram => {
  const instructions: Instruction[] = []
  const emit = (instruction: Instruction): number => {
    if (instructions.length >= maxInstructions) throw new Unsupported('too large to analyze')
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
        const readInstruction = emit({ tag: 'Read', letters, next })
        const steps = hasProperty.test(node.raw) ? propertySteps : Math.floor(node.raw.length / 32)
        return steps === 0 ? readInstruction : emit({ tag: 'Jump', steps, next: readInstruction })
      }
      case 'Group':
        if (node.modifiers !== null)
          throw new Unsupported(`unsupported modifiers ${node.modifiers.raw}`)
        return choice(node.alternatives, next)
      case 'CapturingGroup': {
        if (!isRepeated(node)) return choice(node.alternatives, next)
        const end = emit({ tag: 'Jump', steps: captureSteps, next })
        return emit({ tag: 'Jump', steps: captureSteps, next: choice(node.alternatives, end) })
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
        return emit({ tag: 'Assert', assertion: multiline ? 'lineStart' : 'start', next })
      case 'end':
        return emit({ tag: 'Assert', assertion: multiline ? 'lineEnd' : 'end', next })
      case 'word':
        return emit({ tag: 'Assert', assertion: node.negate ? 'noBoundary' : 'boundary', next })
      case 'lookahead':
        return separate.has(node)
          ? next
          : emit({ tag: 'Lookahead', body: choice(node.alternatives, fail), next })
      case 'lookbehind': {
        const { steps } = matchCost(node.alternatives)
        if (steps > maxInstructions)
          throw new Unsupported(
            `unsupported unbounded lookbehind ${node.raw}: limit its quantifiers`,
          )
        return emit({ tag: 'Uncertain', steps, next })
      }
    }
  }

  /**
   * Compiles a backreference. The program accepts any string that the referenced group can match. It also accepts the
   * empty string, because the group might not have matched yet.
   */
  const backreference = (node: AST.Backreference, next: number): number => {
    const after = emit({ tag: 'Uncertain', steps: 1, next })
    const groups = [node.resolved].flat().filter((group) => !isInside(node, group))
    return groups
      .map((group) => choice(group.alternatives, after))
      .reduceRight((second, first) => emit({ tag: 'Split', first, second }), after)
  }

  const quantifier = (node: AST.Quantifier, next: number): number => {
    const { element, min, max, greedy } = node
    if (max === 0) return next
    if (maxLength(element) === 0) {
      const once = of(element, min > 0 ? next : fail)
      return min > 0 ? once : split(greedy, once, next)
    }
    if (max === Infinity && min <= 1 && !isNullable(element))
      return star(element, greedy, min, next)
    if (atomCount(element) * (max === Infinity ? min : max) > unrollLimit)
      return star(element, greedy, 0, emit({ tag: 'Uncertain', steps: 1, next }))
    const last = max === Infinity ? star(element, greedy, 0, next) : next
    const optional = max === Infinity ? 0 : max - min
    const skippable = Array.from({ length: optional }).reduce<number>(
      (after) => split(greedy, iteration(element, countIteration(node, after)), next),
      last,
    )
    return Array.from({ length: min }).reduce<number>(
      (after) => of(element, countIteration(node, after)),
      skippable,
    )
  }

  /**
   * Compiles the end of an iteration in a counted repetition. This includes the steps for restoring the counter during
   * backtracking.
   */
  const countIteration = ({ element, min, max }: AST.Quantifier, next: number): number => {
    if (isNullable(element)) return emit({ tag: 'Jump', steps: positionCheckSteps, next })
    return (max === Infinity ? min : max) > maxUncountedRounds
      ? emit({ tag: 'Jump', steps: counterSteps, next })
      : next
  }

  /** Compiles an iteration of a repetition. The iteration fails if it consumes no characters. */
  const iteration = (element: AST.QuantifiableElement, next: number): number => {
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
    const head = split(greedy, fail, next) // placeholder, replaced as soon as the body is compiled
    const body = iteration(element, head)
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
