/**
 * Defines suites of uvu.
 *
 * Unlike those of uvu itself, a suite always runs, a test has a time limit, and tests are counted when they are registered. A test whose
 * `before` hook fails therefore counts as failed.
 */
import * as fc from 'fast-check'
import { suite, type Test as UvuTest } from 'uvu'

export type Test = (name: string, check: () => unknown) => void

/** The numbers of tests that were registered and passed, and the skipped suites with the reasons. */
export const count = { registered: 0, passed: 0, skipped: new Array<string>() }

/** Whether a missing prerequisite of a suite is a failure. */
const isStrict = (process.env['CI'] ?? '') !== ''

/** Milliseconds after which a test fails. */
const timeLimit = 60_000

/** Whether the tests of `npm run test:all` run. */
const isAll = process.env['ESPALIER_TEST_ALL'] !== undefined

/** Returns the number of repetitions of a check: `few` in `npm test`, `many` in `npm run test:all`. */
export const repetitions = (few: number, many: number): number => (isAll ? many : few)

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

/** Functions that register what runs before and after the tests of a suite. */
export type Hooks = Pick<UvuTest, 'before' | 'after'>

type Define = (test: Test, hooks: Hooks) => void

/** Defines a suite and runs it. */
export const describe = (name: string, define: Define): void => {
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

/**
 * Defines a suite whose tests all start at the same time, after its `before` hooks. For tests that spend their time waiting and do not
 * share state.
 */
export const describeConcurrently = (name: string, define: Define): void =>
  describe(name, (test, hooks) => {
    const checks = new Map<string, () => unknown>()
    const results = new Map<string, Promise<() => void>>()
    define((title, check) => {
      if (checks.has(title)) throw new Error(`duplicate title: ${title}`)
      checks.set(title, check)
      test(title, async () => (await results.get(title))?.())
    }, hooks)
    hooks.before(() => {
      for (const [title, check] of checks) results.set(title, resultOf(check))
    })
  })

/** Runs a check. Resolves to a function that throws its error, so that no rejection is unhandled. */
const resultOf = async (check: () => unknown): Promise<() => void> => {
  try {
    await check()
    return () => undefined
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/**
 * Returns the entries of a list: every third one in `npm test`, starting with `offset`, and all in `npm run test:all`. For tables of
 * combinations, in which other offsets select the other entries.
 */
export const sampled = <A>(
  list: ReadonlyArray<A>,
  offset: number,
): ReadonlyArray<readonly [index: number, element: A]> =>
  [...list.entries()].filter(([index]) => isAll || index % 3 === offset % 3)

/** Defines a suite with a prerequisite, such as `curl`. Without it, the suite is skipped, or fails if the variable `CI` is set. */
export const describeWith = (
  name: string,
  prerequisite: string,
  isAvailable: boolean,
  define: Define,
): void => {
  if (isAvailable) describe(name, define)
  else if (isStrict)
    describe(name, (test) =>
      test(`requires ${prerequisite}`, () => {
        throw new Error(`missing ${prerequisite}: required because CI is set`)
      }),
    )
  else count.skipped.push(`${name}: missing ${prerequisite}`)
}

/** Defines a test for each row. The first member of a row is the title. */
export const table = <Row extends readonly unknown[]>(
  test: Test,
  rows: readonly Row[],
  check: (...row: Row) => unknown,
): void => rows.forEach((row) => test(title(row[0]), () => check(...row)))

/** Defines a test for each row, like {@link table}. All rows start at the same time, after the `before` hooks of the suite. */
export const concurrentTable = <Row extends readonly unknown[]>(
  test: Test,
  { before }: Pick<UvuTest, 'before'>,
  rows: readonly Row[],
  check: (...row: Row) => unknown,
): void => {
  const results = new Map<Row, Promise<() => void>>()
  before(() => {
    for (const row of rows)
      results.set(
        row,
        resultOf(() => check(...row)),
      )
  })
  for (const row of rows) test(title(row[0]), async () => (await results.get(row))?.())
}

const title = (first: unknown): string => (typeof first === 'string' ? first : fc.stringify(first))

/** Number of values with which a property is tested. */
const numRuns = repetitions(10, 100)

/** Defines a test of a property over arbitrary values. A failure reports the counterexample. */
export const law = <A>(
  test: Test,
  name: string,
  arbitrary: fc.Arbitrary<A>,
  check: (value: A) => void,
): void =>
  test(name, () => {
    const run = fc.check(
      fc.property(arbitrary, (value) => check(value)),
      { numRuns },
    )
    if (!run.failed) return
    const error = run.errorInstance
    if (!(error instanceof Error)) throw error
    error.message = `${fc.stringify(run.counterexample)} (seed ${run.seed}): ${error.message}`
    throw error
  })

/** Defines a test that parsing the formatted value results in an equal value. */
export const roundTrip = <A, B>(
  test: Test,
  arbitrary: fc.Arbitrary<A>,
  format: (a: A) => B,
  parse: (b: B) => unknown,
  equal: (actual: unknown, a: A) => void,
): void =>
  law(test, 'round trip: parsing the formatted value results in an equal value', arbitrary, (a) =>
    equal(parse(format(a)), a),
  )
