/**
 * The door to uvu. It closes what uvu leaves open: a suite cannot forget to run, a test cannot hang, and every
 * test is counted from registration, so that one whose `before` hook failed is not taken for passed.
 */
import * as fc from 'fast-check'
import { suite, type Test as UvuTest } from 'uvu'

export type Test = (name: string, check: () => unknown) => void

/** Tests registered and passed so far, in all suites, and suites that were skipped, each with its reason. */
export const count = { registered: 0, passed: 0, skipped: new Array<string>() }

/** Whether everything that tests need has to be there. */
const isComplete = (process.env['CI'] ?? '') !== ''

/** Milliseconds after which a test has failed. */
const timeLimit = 60_000

const limited = async (name: string, check: () => unknown): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`still running after ${timeLimit} ms: ${name}`)),
      timeLimit,
    )
  })
  try {
    await Promise.race([check(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** A suite that cannot forget to run. */
export const describe = (
  name: string,
  define: (test: Test, hooks: Pick<UvuTest, 'before' | 'after'>) => void,
): void => {
  const uvu = suite(name)
  const test: Test = (title, check) => {
    count.registered++
    uvu(title, async () => {
      await limited(title, check)
      count.passed++
    })
  }
  define(test, uvu)
  uvu.run()
}

/** A suite for which something has to be there; where it is not, that is told, and fails where it has to be. */
export const describeWith = (
  name: string,
  what: string,
  isThere: boolean,
  define: Parameters<typeof describe>[1],
): void => {
  if (isThere) describe(name, define)
  else if (isComplete)
    describe(name, (test) =>
      test(`there is ${what}`, () => {
        throw new Error(`there is no ${what}, and CI is set`)
      }),
    )
  else count.skipped.push(`${name}: there is no ${what}`)
}

/** One test a row, named by the row's first member, so that the report names the row that fails. */
export const table = <Row extends readonly unknown[]>(
  test: Test,
  rows: readonly Row[],
  check: (...row: Row) => unknown,
): void => rows.forEach((row) => test(title(row[0]), () => check(...row)))

/**
 * One test a row, as in a table, of what mostly waits: all rows are begun at the same time, behind what the suite does before.
 */
export const sideBySide = <Row extends readonly unknown[]>(
  test: Test,
  { before }: Pick<UvuTest, 'before'>,
  rows: readonly Row[],
  check: (...row: Row) => unknown,
): void => {
  const outcomes = new Map<Row, Promise<() => void>>()
  const outcome = async (row: Row): Promise<() => void> => {
    try {
      await check(...row)
      return () => undefined
    } catch (error) {
      return () => {
        throw error
      }
    }
  }
  before(() => {
    for (const row of rows) outcomes.set(row, outcome(row))
  })
  for (const row of rows) test(title(row[0]), async () => (await outcomes.get(row))?.())
}

const title = (first: unknown): string => (typeof first === 'string' ? first : fc.stringify(first))

/** A law over arbitrary values; a failure shows the counterexample beside the assertion's own difference. */
export const law = <A>(
  test: Test,
  name: string,
  arbitrary: fc.Arbitrary<A>,
  check: (value: A) => void,
): void =>
  test(name, () => {
    const run = fc.check(fc.property(arbitrary, (value) => check(value)))
    if (!run.failed) return
    const error = run.errorInstance
    if (!(error instanceof Error)) throw error
    error.message = `${fc.stringify(run.counterexample)} (seed ${run.seed}): ${error.message}`
    throw error
  })

/** Reading what was written gives the value back: the law of everything that has two directions. */
export const roundTrip = <A, B>(
  test: Test,
  arbitrary: fc.Arbitrary<A>,
  there: (a: A) => B,
  back: (b: B) => unknown,
  equal: (actual: unknown, a: A) => void,
): void =>
  law(test, 'reading what was written gives the value back', arbitrary, (a) =>
    equal(back(there(a)), a),
  )
