/** Creates JSON Schemas for codecs, and the components that these schemas refer to. */
import type { VisibilityRules } from '../../body/body-plan.ts'
import { isAnnotated } from '../../codec/annotated.ts'
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { innerCodecs, reachableCodecs } from '../../codec/visibility/restrictions.ts'
import type { Component } from './components.ts'
import {
  equalComponents,
  nameComponents,
  nameConflicts,
  preliminaryReference,
  reachableComponents,
  referenceId,
  replaceReferences,
  withFallbackNames,
} from './components.ts'
import { describeCodec } from './describe-codec.ts'
import { normalizePosition } from './members.ts'
import { componentName } from './names.ts'
import type { Position, Walk } from './walk.ts'
import { xmlRootSchema } from './xml-object.ts'

/** The position of a codec in a document, on which its schema depends. */
export interface SchemaContext {
  /** Whether the schema describes values that the server receives or sends. */
  readonly direction: 'input' | 'output'
  readonly visibility: VisibilityRules
  /** Whether the server rejects undeclared members of received values. */
  readonly rejectsUndeclared: boolean
  /** Whether the values are text, such as parameters, form fields and text bodies, rather than JSON. */
  readonly isText: boolean
  /** Whether JSON numbers keep all their digits, as with `lossless`. Default: `false`. */
  readonly isLossless?: boolean
  /** Whether the schema describes XML documents, so that it contains the name of the root element. Default: `false`. */
  readonly isXml?: boolean
  /** Where the codec is used, such as the name of an operation. Issues contain it. */
  readonly location?: string
}

/** A defect of a document that is caused by a codec. */
export interface SchemaIssue {
  readonly _tag: 'DuplicateName' | 'OpaqueCodec'
  /** The name of the codec. */
  readonly codec: string
  /** Where the codec is used first. For a duplicate name, the locations of both codecs. */
  readonly locations: ReadonlyArray<string>
}

/** Creates schemas for the codecs of a document. */
export interface SchemaGenerator {
  /**
   * Returns the schema of a codec. For a named codec, the schema is a reference to a component. References are preliminary until
   * {@link SchemaGenerator.finish} replaces them.
   */
  readonly schemaOf: (codec: Codec, context: SchemaContext) => JsonSchema
  /** Returns the component to which a schema with a preliminary reference refers. Returns any other schema unchanged. */
  readonly resolve: (schema: JsonSchema) => JsonSchema
  /** Returns a document in which all references have their final names, the components by name, and the issues. */
  readonly finish: <D>(document: D) => FinishedSchemas<D>
}

/** The result of {@link SchemaGenerator.finish}. */
export interface FinishedSchemas<D> {
  readonly document: D
  /** The components to which the document refers, in alphabetical order. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly issues: ReadonlyArray<SchemaIssue>
}

/** Options for {@link schemaGenerator}. */
export interface SchemaGeneratorOptions {
  /** The version of OpenAPI. Default: `3.1`. */
  readonly version?: '3.1' | '3.2'
  /** Codecs that give way to other codecs with the same name, and the names that they have in this case. */
  readonly fallbackNames?: ReadonlyMap<Codec, string>
}

/** Creates a generator for one document. */
export const schemaGenerator = ({
  version = '3.1',
  fallbackNames,
}: SchemaGeneratorOptions = {}): SchemaGenerator => {
  const components: Array<Component | undefined> = []
  const opaque = new Map<Codec, string | undefined>()
  const schemas = new Map<object, Map<string, JsonSchema>>()
  const rejecting = new Map<Codec, boolean>()
  const keyOf = positionKeys()
  const positionOf = positions()
  let location: string | undefined
  /** Recursive codecs that are being described. */
  let depth = 0

  const canReject = (codec: Codec): boolean => {
    const known = rejecting.get(codec) ?? reachableCodecs(codec, innerCodecs).some(isStrict)
    rejecting.set(codec, known)
    return known
  }
  const normalize = (codec: Codec, position: Position): Position =>
    normalizePosition(codec, position, canReject)

  const memoize = (key: object, position: Position, create: () => JsonSchema): JsonSchema => {
    const byPosition = schemas.get(key) ?? new Map<string, JsonSchema>()
    schemas.set(key, byPosition)
    const positionKey = keyOf(position)
    const known = byPosition.get(positionKey)
    if (known !== undefined) return known
    const schema = create()
    byPosition.set(positionKey, schema)
    return schema
  }

  const addComponent: Walk['addComponent'] = (name, key, position, schema) =>
    memoize(key, position, () => {
      if (depth > maxDepth) return {}
      const id = components.push(undefined) - 1
      const reference = { $ref: preliminaryReference(id) }
      // the schema can refer to itself
      schemas.get(key)?.set(keyOf(position), reference)
      depth++
      components[id] = { id, name, key, position, location, schema: schema() }
      depth--
      return reference
    })

  const schemaOf: Walk['schemaOf'] = (codec, position) => {
    const at = normalize(codec, position)
    const name = componentName(codec)
    const isInline = at.siblings.length > 0 || at.alternatives.length > 0
    return name === undefined || (isInline && codec._tag !== 'RecursiveType')
      ? memoize(codec, at, () =>
          describeCodec(walk, codec, at, (inner) => walk.schemaOf(inner, at)),
        )
      : addComponent(name, codec, at, () => describeBody(codec, at, name))
  }

  /** Describes a component. Wrappers and codecs with the same name are part of the component. */
  const describeBody = (codec: Codec, at: Position, name: string | undefined): JsonSchema =>
    describeCodec(walk, codec, at, (inner) => {
      const innerName = componentName(inner)
      const isPart = innerName === undefined || innerName === name || isAnnotated(codec)
      return isPart ? describeBody(inner, normalize(inner, at), name) : walk.schemaOf(inner, at)
    })

  const walk: Walk = {
    version,
    schemaOf,
    bodyOf: (codec, position) => {
      const at = normalize(codec, position)
      return describeBody(codec, at, componentName(codec))
    },
    addComponent,
    reportOpaque: (codec) => {
      if (!opaque.has(codec)) opaque.set(codec, location)
    },
  }

  return {
    schemaOf: (codec, context) => {
      location = context.location
      const schema = schemaOf(codec, positionOf(context))
      return context.isXml === true ? xmlRootSchema(schema, codec) : schema
    },
    resolve: (schema) => {
      const id = schema.$ref === undefined ? undefined : referenceId(schema.$ref)
      return id === undefined ? schema : (components[id]?.schema ?? schema)
    },
    finish: (document) => {
      const text = JSON.stringify(document)
      const used = withFallbackNames(reachableComponents(text, components), fallbackNames)
      const byName = equalComponents(used)
      const names = nameComponents(byName)
      const entries = used.map(({ id, schema }) => [names.get(id) ?? '', schema] as const)
      return {
        document: JSON.parse(replaceReferences(text, names)),
        schemas: Object.fromEntries(
          [...new Map(entries)]
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, schema]) => [
              name,
              JSON.parse(replaceReferences(JSON.stringify(schema), names)),
            ]),
        ),
        issues: [
          ...nameConflicts(byName).map(({ name, components: pair }): SchemaIssue => ({
            _tag: 'DuplicateName',
            codec: name,
            locations: pair.flatMap((component) => component.location ?? []),
          })),
          ...[...opaque].map(([{ name }, found]): SchemaIssue => ({
            _tag: 'OpaqueCodec',
            codec: name,
            locations: found === undefined ? [] : [found],
          })),
        ],
      }
    },
  }
}

const isStrict = ({ _tag }: Codec): boolean => _tag === 'ExactlyType'

/**
 * Maximum nesting depth of components. The limit is necessary because the definition of a recursive codec can return a new codec on
 * each call.
 */
const maxDepth = 200

/** Returns a function that returns the position for a context, and the same object for equal contexts. */
const positions = (): ((context: SchemaContext) => Position) => {
  const known = new WeakMap<VisibilityRules, Map<number, Position>>()
  return ({ direction, visibility, rejectsUndeclared, isText, isLossless = false }) => {
    const byOptions = known.get(visibility) ?? new Map<number, Position>()
    known.set(visibility, byOptions)
    const isInput = direction === 'input'
    const key = [isInput, rejectsUndeclared, isText, isLossless].reduce(
      (bits, option) => bits * 2 + Number(option),
      0,
    )
    const existing = byOptions.get(key)
    if (existing !== undefined) return existing
    const position: Position = {
      direction,
      view: visibility.view,
      rolesOf: visibility.secure && !isInput ? visibility.rolesOf : undefined,
      rejectsUndeclared: rejectsUndeclared && isInput,
      isText,
      isLossless,
      siblings: [],
      alternatives: [],
    }
    byOptions.set(key, position)
    return position
  }
}

/** Returns a function that returns the same text for equal positions. */
const positionKeys = (): ((position: Position) => string) => {
  const ids = new WeakMap<object, number>()
  const cached = new WeakMap<Position, string>()
  let count = 0
  const idOf = (object: object | undefined): number => {
    if (object === undefined) return 0
    const id = ids.get(object) ?? ++count
    ids.set(object, id)
    return id
  }
  return (position) => {
    const known = cached.get(position)
    if (known !== undefined) return known
    const { direction, view, rolesOf, rejectsUndeclared, isText, isLossless } = position
    const key = [
      direction,
      idOf(view),
      idOf(rolesOf),
      rejectsUndeclared,
      isText,
      isLossless,
      ...position.siblings.map(idOf),
      '|',
      ...position.alternatives.map(idOf),
    ].join()
    cached.set(position, key)
    return key
  }
}
