/** Replaces uvu in bundles for other runtimes: suites are collected, and run by `runSuites`. */

/** Whether the suite that is being defined is a contract. Other suites test the server on Node.js, and are ignored. */
export const definition = { isContract: false }

/** The suites that have been defined but not run. */
const suites = []

/** Milliseconds after which a test fails. */
const timeLimit = 20_000

export const suite = (name) => {
  const [tests, before, after] = [[], [], []]
  const define = (title, check) => tests.push({ title, check })
  return Object.assign(define, {
    before: (hook) => before.push(hook),
    after: (hook) => after.push(hook),
    run: () => {
      if (definition.isContract) suites.push({ name, tests, before, after })
    },
  })
}

const limited = async (check) => {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still running after ${timeLimit} ms`)), timeLimit)
  })
  try {
    await Promise.race([check(), late])
  } finally {
    clearTimeout(timer)
  }
}

const describeError = (error) =>
  error instanceof Error
    ? `${error.name}: ${error.message} ${
        'actual' in error
          ? `actual ${inspect(error.actual)}, expected ${inspect(error.expects)}`
          : ''
      }${error.stack?.split('\n').slice(1, 4).join('\n') ?? ''}`
    : String(error)

const inspect = (value) => {
  try {
    return JSON.stringify(value)?.slice(0, 300)
  } catch {
    return String(value)
  }
}

/** Runs the suites that have been defined. Returns a result for each test: its suite, its title and, if it failed, its error. */
export const runSuites = async () => {
  const results = []
  for (const { name, tests, before, after } of suites.splice(0)) {
    let broken
    try {
      for (const hook of before) await limited(async () => hook())
    } catch (error) {
      broken = `before: ${describeError(error)}`
    }
    for (const { title, check } of tests) {
      const result = { suite: name, title }
      try {
        if (broken !== undefined) throw new Error(broken)
        await limited(async () => check())
      } catch (error) {
        result.error = describeError(error)
      }
      results.push(result)
    }
    for (const hook of after)
      await limited(async () => hook()).catch((error) =>
        results.push({ suite: name, title: 'after', error: describeError(error) }),
      )
  }
  return results
}
