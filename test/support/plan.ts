/** Compiles route trees to plans, or to the configuration issues that prevent it. */
import type { AnyNode } from '../../src/endpoint/routes.ts'
import { compile } from '../../src/interpreter/program.ts'
import type { Plan } from '../../src/compiler/plan.ts'
import type { ConfigurationIssue } from '../../src/endpoint/definition/configuration-error.ts'
import { ConfigurationError } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'

/** Compiles a tree and returns its plans in declaration order. */
export const plansOf = (api: AnyNode): ReadonlyArray<Plan> => compile(api).plans

/** Compiles a single endpoint. */
export const endpointPlan = (endpoint: AnyNode): Plan => {
  const [plan] = plansOf({ _tag: 'Routes', children: new Map([['one', endpoint]]), wrappers: [] })
  if (plan === undefined) throw new Error('the endpoint has no plan')
  return plan
}

/** Returns the configuration issues of a tree. */
export const issuesOf = (
  api: Parameters<typeof inMemory>[0],
): ReadonlyArray<ConfigurationIssue> => {
  try {
    inMemory(api)
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.issues
  }
}

/** Returns the distinct codes of the configuration issues of a tree. */
export const issueCodesOf = (api: Parameters<typeof inMemory>[0]): ReadonlyArray<string> => [
  ...new Set(issuesOf(api).map(({ code }) => code)),
]
