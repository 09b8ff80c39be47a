/** The role of this process: a parent process of instances, an instance, or a process without instances. */
import { availableParallelism } from 'node:os'
import type { Settings } from '../../compiler/settings/settings.ts'
import { ConfigurationError } from '../../endpoint/definition/configuration-error.ts'
import { ListenError } from '../listener/listen-error.ts'
import type { ServeOptions, Server } from '../serve-options.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { describeSettings } from '../settings/load-settings.ts'
import type { StartFailure } from './instance-messages.ts'
import { instanceVariable } from './instance-messages.ts'
import type { Instance } from './instance.ts'
import { isError, isObject } from '../../http/platform-value.ts'

/** Resolves `fw.http.instances` to a number of processes. */
export const instanceCount = ({ 'fw.http.instances': count }: Settings): number =>
  count === 'auto' ? availableParallelism() : count

/** Returns the instance of this process, or `undefined` if the process was not started as an instance. */
export const findInstance = async (): Promise<Instance | undefined> =>
  process.env[instanceVariable] === undefined
    ? undefined
    : (await import('./instance.ts')).ownInstance()

/**
 * Starts a server with several instances. Resolves to `undefined` if the settings require only one process, or if `node:cluster` has
 * started this process, which then cannot start instances.
 *
 * Rejects with the same error as the server of a process without instances.
 */
export const serveWithInstances = async (
  loaded: LoadedSettings,
  options: ServeOptions,
): Promise<Server | undefined> => {
  const { settings } = loaded
  const count = instanceCount(settings)
  if (count === 1) return undefined
  const { supervise, canSupervise } = await import('./supervise.ts')
  if (!canSupervise()) return undefined
  try {
    const { url, urls, routes, restart, close } = await supervise(count, settings, options)
    return {
      url,
      urls,
      routes,
      get settings() {
        return describeSettings(loaded)
      },
      bufferedBytes: 0,
      instance: 0,
      restart,
      close,
    }
  } catch (error) {
    throw errorOf(error)
  }
}

/** Converts the failure that an instance has reported to the error with which `serve` rejects in the instance. */
const errorOf = (error: unknown): unknown => {
  const failure = isError(error) && 'failure' in error ? error.failure : undefined
  if (!isFailure(failure)) return error
  switch (failure._tag) {
    case 'Configuration':
      return new ConfigurationError(failure.issues)
    case 'Listen':
      return listenError(failure)
    case 'Other':
      return Object.assign(new Error(failure.message), { stack: failure.stack })
  }
}

const listenError = ({
  address,
  code,
  message,
}: Extract<StartFailure, { readonly _tag: 'Listen' }>): ListenError =>
  new ListenError(address, Object.assign(new Error(message), code === '' ? {} : { code }))

const isFailure = (failure: unknown): failure is StartFailure =>
  isObject(failure) && '_tag' in failure
