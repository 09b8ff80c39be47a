/** What is measured in small: an operation that several libraries do, each in a process of its own. */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title as the table shows it
 * @property {() => readonly unknown[]} inputs for one pass, asked for before each
 * @property {(input: unknown) => unknown} expected what must come of an input
 */

/**
 * How a library does an operation.
 *
 * @typedef {object} Operation
 * @property {(input: never) => unknown} run what is timed
 * @property {(result: never, input: never) => unknown} outcome the result as every library must have it
 */

/**
 * The operations that a library has, by the names of rows.
 *
 * @typedef {Readonly<Record<string, Operation>>} Operations
 */

/**
 * A table: the rows, and the modules that do them, which export `operations`.
 *
 * @typedef {object} Subject
 * @property {string} name the folder of its modules
 * @property {string} title of the first column, with the unit
 * @property {number} nanoseconds of the unit
 * @property {readonly Row[]} rows
 * @property {readonly { readonly name: string, readonly title: string }[]} contestants the modules
 */

export {}
