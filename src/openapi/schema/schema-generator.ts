/** Creates JSON Schemas for codecs, and the components that these schemas refer to. */
import type { VisibilityRules } from '../../body/body-plan.ts'
import { isAnnotated } from '../../codec/annotated.ts'
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { ownForm, relatedCodecs } from '../../codec/schema/position.ts'
import { schemaReader } from '../../codec/schema/read-schema.ts'
import type { Schema } from '../../codec/schema/schema.ts'
import type { View } from '../../codec/structure/restricted-member.ts'
import { includesView } from '../../codec/structure/restricted-member.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import type { Component } from './components.ts'
import {
  componentName,
  equalComponents,
  nameComponents,
  nameConflicts,
  preliminaryReference,
  reachableComponents,
  referenceId,
  replaceReferences,
  withFallbackNames,
} from './components.ts'
import { describeSchema } from './describe-schema.ts'
import type { ComponentUse, Fold, Use } from './fold.ts'
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
  let location: string | undefined
  /** The number of enclosing components. */
  let depth = 0

  const createFold = (use: Use): Fold => {
    const known = new Map<object, JsonSchema>()
    const memoize = (part: object, create: () => JsonSchema): JsonSchema => {
      const existing = known.get(part)
      if (existing !== undefined) return existing
      const described = create()
      known.set(part, described)
      return described
    }
    const addComponent = (
      name: string,
      part: object,
      component: Pick<Component, 'key' | 'use'>,
      create: () => JsonSchema,
    ): JsonSchema =>
      memoize(part, () => {
        if (depth > maxDepth) return {}
        const id = components.push(undefined) - 1
        const reference = { $ref: preliminaryReference(id) }
        // the schema can refer to itself
        known.set(part, reference)
        depth++
        components[id] = { id, name, ...component, location, schema: create() }
        depth--
        return reference
      })
    /** Describes a component. Wrappers and codecs with the same name are part of the component. */
    const describeBody = (schema: Schema, name = componentName(schema.reported)): JsonSchema =>
      describeSchema(fold, schema, (inner) => {
        const innerName = componentName(inner.reported)
        const isPart = innerName === undefined || innerName === name || isAnnotated(schema.reported)
        return isPart ? describeBody(inner, name) : fold.describe(inner)
      })
    const fold: Fold = {
      ...use,
      version,
      describe: (schema) => {
        const { reported } = schema
        const name = componentName(reported)
        return name === undefined || (hasRelatedCodecs(schema) && reported._tag !== 'RecursiveType')
          ? memoize(schema, () => describeSchema(fold, schema, fold.describe))
          : addComponent(name, schema, { key: reported, use: useIn(schema, use) }, () =>
              describeBody(schema, name),
            )
      },
      describeKeys: (domain) =>
        use.direction === 'input' && !use.isText
          ? describeBody(domain)
          : createFold({ ...use, direction: 'input', isText: false }).describeKeys(domain),
      addComponent: (name, key, schema, create) =>
        addComponent(name, key, { key, use: useIn(schema, use) }, create),
      reportOpaque: (codec) => {
        if (!opaque.has(codec)) opaque.set(codec, location)
      },
    }
    return fold
  }
  const describerOf = describers(createFold)

  return {
    schemaOf: (codec, context) => {
      location = context.location
      const schema = describerOf(codec, context)(codec)
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

/**
 * Maximum nesting depth of components. The limit is necessary because the definition of a recursive codec can return a new codec on
 * each call.
 */
const maxDepth = 200

/** Returns a function that returns the function which describes codecs in a context. Equal contexts share one. */
const describers = (
  createFold: (use: Use) => Fold,
): ((codec: Codec, context: SchemaContext) => (codec: Codec) => JsonSchema) => {
  const known = new Map<VisibilityRules | undefined, Map<string, (codec: Codec) => JsonSchema>>()
  return (codec, { direction, visibility, rejectsUndeclared, isText, isLossless = false }) => {
    const rules = isRestrictive(codec) ? visibility : undefined
    const byOptions = known.get(rules) ?? new Map<string, (codec: Codec) => JsonSchema>()
    known.set(rules, byOptions)
    const isInput = direction === 'input'
    const key = [isInput, rejectsUndeclared, isText, isLossless].join()
    const existing = byOptions.get(key)
    if (existing !== undefined) return existing
    const view = rules?.view
    const read = schemaReader({
      undeclared: isInput ? (rejectsUndeclared ? 'reject' : 'drop') : 'strip',
      visibility: viewVisibility(view),
      leafForm: ownForm,
    })
    const rolesOf = rules?.secure === true && !isInput ? rules.rolesOf : undefined
    const fold = createFold({ direction, view, rolesOf, isText, isLossless })
    const describe = (part: Codec): JsonSchema => fold.describe(read(part))
    byOptions.set(key, describe)
    return describe
  }
}

/** Returns the visibility of a view. Members that roles hide are described. */
const viewVisibility = (view: View | undefined): Visibility => ({
  hides: (restriction) =>
    restriction._tag === 'View' && view !== undefined && !includesView(view, restriction.view),
})

const isRestrictive = (codec: Codec): boolean => restrictionsIn(codec).length > 0

const hasRelatedCodecs = ({ position }: Schema): boolean =>
  position !== undefined && relatedCodecs(position).length > 0

const useIn = ({ reported, position }: Schema, use: Use): ComponentUse => {
  const related = position === undefined ? [] : relatedCodecs(position)
  return {
    ...use,
    view: [reported, ...related].some(isRestrictive) ? use.view : undefined,
    rejectsUndeclared: position?.undeclared === 'reject',
  }
}
