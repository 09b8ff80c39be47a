/** Types of the micro benchmarks, in which several libraries perform the same operations, each in its own process. */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title the first cell of the table row
 * @property {() => readonly unknown[]} inputs returns the inputs of one pass; called before each pass
 * @property {(input: unknown) => unknown} expected returns the expected result for an input, in normalized form
 */

/**
 * An operation of a library.
 *
 * @typedef {object} Operation
 * @property {(input: never) => unknown} run the timed function
 * @property {(result: never, input: never) => unknown} normalize converts the result to a form that is equal for all libraries
 */

/**
 * The operations that a library supports, by row name.
 *
 * @typedef {Readonly<Record<string, Operation>>} Operations
 */

/**
 * A benchmark suite: one table with a row for each operation and a column for each library.
 *
 * @typedef {object} Suite
 * @property {string} name the folder of its modules, which export `operations`
 * @property {string} title the header of the first column, with the unit
 * @property {number} nanoseconds the unit in nanoseconds
 * @property {readonly Row[]} rows
 * @property {readonly { readonly name: string, readonly title: string }[]} libraries the modules
 */

export {}
