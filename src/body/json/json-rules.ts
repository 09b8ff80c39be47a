/** The rules of JSON where it is read and written: which library, and which function of the application's own. */
import type { Codec } from '../../codec/codec.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import type { JsonLibrary } from '../../codec/json/json-library.ts'
import { platformJson } from '../../codec/json/json-library.ts'
import { losslessCodec } from '../../codec/json/lossless-codec.ts'
import type {
  Deserialization,
  JsonRules,
  Serialization,
} from '../../endpoint/internal/json-rules.ts'

/** What is to be done otherwise than usual. */
export interface CustomJson {
  readonly library: JsonLibrary
  /** How the library wants the codec. */
  readonly form: Codec
  readonly rules: JsonRules
}

/** What reads and writes where nothing is said of an operation or a representation. */
export interface JsonSettings {
  readonly library: JsonLibrary
  readonly backEnd: BackEnd
}

/** `undefined` where JSON is read and written as the language does, and nothing is paid for what could be. */
export const customJson = (
  codec: Codec,
  rules: JsonRules | undefined,
  usual: Pick<JsonSettings, 'library'>,
): CustomJson | undefined => {
  const library = rules?.library ?? usual.library
  return library === platformJson &&
    rules?.serialization === undefined &&
    rules?.deserialization === undefined
    ? undefined
    : {
        library,
        rules: rules ?? none,
        form: library.numbers === 'exact' ? losslessCodec(codec) : codec,
      }
}

const none: JsonRules = Object.freeze({})

/** Calls functions of applications once for each codec and library, when it is first asked; one that throws is called again. */
const remembering = <T extends object, F extends object>(): ((
  make: (codec: Codec, tool: T) => F,
  codec: Codec,
  tool: T,
) => F) => {
  const memory = new WeakMap<object, WeakMap<Codec, WeakMap<T, F>>>()
  return (make, codec, tool) => {
    const byCodec = memory.get(make) ?? new WeakMap<Codec, WeakMap<T, F>>()
    memory.set(make, byCodec)
    const byTool = byCodec.get(codec) ?? new WeakMap<T, F>()
    byCodec.set(codec, byTool)
    const before = byTool.get(tool)
    if (before !== undefined) return before
    const made = make(codec, tool)
    byTool.set(tool, made)
    return made
  }
}

export const serializer: ReturnType<
  typeof remembering<JsonLibrary['stringify'], ReturnType<Serialization>>
> = remembering()

export const deserializer: ReturnType<
  typeof remembering<JsonLibrary['parse'], ReturnType<Deserialization>>
> = remembering()
