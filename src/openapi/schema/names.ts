/** Determines the names of components. */
import { isAnnotated } from '../../codec/annotated.ts'
import type { Codec } from '../../codec/codec.ts'
import { isConstrained } from '../../codec/constraint.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'
import type { ComponentUse } from './fold.ts'

/**
 * Returns the name of the component for a codec, or `undefined` if the codec has no explicit name. Recursive codecs always have a
 * name.
 */
export const componentName = (codec: Codec): string | undefined => {
  if (isAnnotated(codec)) {
    const { name } = codec.annotations
    return name === undefined ? undefined : (explicitName(name) ?? sanitize(name))
  }
  if (!isKnown(codec)) return codec._tag === 'KeyofType' ? explicitName(codec.name) : undefined
  switch (codec._tag) {
    case 'RecursiveType':
      return explicitName(codec.name) ?? sanitize(codec.name)
    case 'RefinementType':
      return isConstrained(codec) || predefined.has(codec.name)
        ? undefined
        : explicitName(codec.name)
    case 'InterfaceType':
    case 'StrictType':
    case 'PartialType':
    case 'DictionaryType':
    case 'IntersectionType':
    case 'UnionType':
    case 'TupleType':
    case 'ArrayType':
    case 'ReadonlyArrayType':
    case 'ReadonlyType':
    case 'ExactType':
      return explicitName(codec.name)
    default:
      return undefined
  }
}

/** The names of predefined refinements. */
const predefined: ReadonlySet<string> = new Set(['number', 'int', 'Int'])

/** Returns a name that can be used for a component. The type arguments of a name such as `Page<Book>` are separated by underscores. */
const explicitName = (name: string): string | undefined => {
  const [, generic, args] = /^([A-Za-z][\w.-]*)(?:<(.*)>)?$/.exec(name) ?? []
  if (generic === undefined || (args !== undefined && defaultGenerics.has(generic)))
    return undefined
  return args === undefined ? generic : sanitize(name)
}

/** The generic names that io-ts derives from other codecs. */
const defaultGenerics: ReadonlySet<string> = new Set([
  'Array',
  'ReadonlyArray',
  'Partial',
  'Readonly',
  'Exact',
  'Record',
])

const sanitize = (name: string): string => {
  const sanitized = name.replace(/[^\w.-]+/g, '_').replace(/^[^A-Za-z]+|_+$/g, '')
  return sanitized === '' ? 'Schema' : sanitized
}

/** The text that is appended to the name of a component to distinguish uses. */
export interface VariantSuffix {
  /** The suffix that contains everything that distinguishes the use. */
  readonly complete: string
  /** Shorter suffixes, in the order of preference. */
  readonly shorter: ReadonlyArray<string>
}

/** Returns the suffix for a use. A view is part of all suffixes. */
export const variantSuffix = ({
  direction,
  view,
  isText,
  isLossless,
  rejectsUndeclared,
}: ComponentUse): VariantSuffix => {
  const viewName = view === undefined ? '' : `_${sanitize(view.name)}`
  const use = direction === 'input' ? 'Input' : ''
  const form = `${use}${isText ? 'Text' : ''}${isLossless ? 'Lossless' : ''}`
  return {
    complete: `${form}${rejectsUndeclared ? 'Strict' : ''}${viewName}`,
    shorter: [viewName, use + viewName, form + viewName],
  }
}
