/** The entry point `espalier/cbor`: CBOR representations. Requires the package `cborg`. */
export { cbor } from './body/formats/cbor.ts'
