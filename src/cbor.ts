/** The `espalier/cbor` entry point: CBOR representations. Requires the `cborg` package. */
export { cbor } from './body/formats/cbor.ts'
