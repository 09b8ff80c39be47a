/**
 * Finds listening sockets that a supervisor, such as systemd, has opened for this process.
 *
 * @see https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html
 */

/** A listening socket that the process has inherited. */
export interface InheritedSocket {
  readonly descriptor: number
  /** The name of the socket, as set by `FileDescriptorName=`. Empty if no names are passed. */
  readonly name: string
}

/** The first inherited file descriptor. */
const firstDescriptor = 3

/**
 * Returns the sockets listed in `LISTEN_FDS`, and removes the variables from the environment, so that neither a second server nor a
 * child process uses the same sockets. Returns an empty list if `LISTEN_PID` is not the number of this process.
 */
export const takeInheritedSockets = (
  environment: NodeJS.ProcessEnv = process.env,
): ReadonlyArray<InheritedSocket> => {
  const { LISTEN_FDS: digits = '', LISTEN_PID: pid, LISTEN_FDNAMES: names = '' } = environment
  if (pid !== String(process.pid) || !/^\d{1,4}$/.test(digits)) return []
  for (const name of ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES'])
    Reflect.deleteProperty(environment, name)
  const nameList = names.split(':')
  return Array.from({ length: Number(digits) }, (_, index) => ({
    descriptor: firstDescriptor + index,
    name: nameList[index] ?? '',
  }))
}
