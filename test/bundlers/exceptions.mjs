/** Checks that fail for a reason outside the package. `row` is the name of a check, and `pattern` matches the problem. */
const exceptions = [
  // in development mode, Parcel replaces a module that this entry point imports by an empty object; the same bundle in production mode, and
  // the one for Node.js in both modes, contain the module
  { row: /^parcel development client openapi$/, pattern: /enumOf\) is not a function/ },
]

/** @type {(row: string) => { readonly pattern: RegExp } | undefined} */
export const exceptionFor = (row) => exceptions.find((exception) => exception.row.test(row))
