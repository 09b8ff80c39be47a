/** Handlers that have access to the compiled tree in which their operations are served. */
import type { AnyHandler, Definition, UnhandledEndpoint } from './endpoint.ts'
import { updateDefinition } from './endpoint.ts'
import type { HandledEndpoint, Handler } from './handle.ts'
import { implement } from './handle.ts'
import type { Ready } from './internal/declaration-errors.ts'

/** The functions that add and create handlers with access to a compiled tree of type `Tree`. */
export interface TreeHandlers<Tree> {
  /**
   * Adds a handler that has access to the whole tree in which the endpoint is served. `make` is called when the tree is compiled.
   * The function that it receives returns the tree, and can be called as soon as a request arrives. `prepare` is called before a
   * server starts listening.
   */
  readonly handleWithTree: <S>(
    make: (tree: () => Tree) => Handler<S>,
    prepare?: (tree: Tree) => void,
  ) => (endpoint: UnhandledEndpoint<S> & Ready<S>) => HandledEndpoint<S>
  /** Creates the handler of an operation. Returns `undefined` if its handler has no access to the tree. */
  readonly createHandler: (definition: Definition, tree: () => Tree) => BoundHandler | undefined
}

/** A handler with access to a tree, and a function that prepares it before a server starts listening. */
export interface BoundHandler {
  readonly handler: AnyHandler
  readonly prepare: () => void
}

/** Creates the functions for the type of compiled trees, which only the compiler knows. It calls this function once. */
export const treeHandlers = <Tree>(): TreeHandlers<Tree> => ({
  handleWithTree:
    (make, prepare = () => undefined) =>
    (endpoint) =>
      updateDefinition(implement(endpoint, notServed), () => ({
        treeHandler: (tree: () => Tree): BoundHandler => ({
          // the handler is type-checked against the declarations above, because the definition has no types
          handler: make(tree) as AnyHandler,
          prepare: () => prepare(tree()),
        }),
      })),
  createHandler: ({ treeHandler }, tree) =>
    // only `handleWithTree` sets this member, so it expects a function that returns a value of type `Tree`
    treeHandler?.(tree as () => never),
})

const notServed = (): never => {
  throw new Error('the operation describes the tree in which it is served: use serve or inMemory')
}
