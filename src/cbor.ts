/** The `espalier/cbor` entry point: CBOR representations. */
export { cbor } from './body/formats/cbor.ts'
